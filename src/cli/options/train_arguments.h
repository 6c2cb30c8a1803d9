/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_arguments.h - the command line of train, parsed and interpreted. */
#ifndef SDCA_CLI_OPTIONS_TRAIN_ARGUMENTS_H
#define SDCA_CLI_OPTIONS_TRAIN_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/options/lambda_list.h"
#include "model/model.h"
#include "objective/loss.h"
#include "objective/metrics.h"
#include "train/trainer.h"

typedef struct train_arguments {
    const char          *data;
    const char          *model;
    const char          *test;          /* or NULL, like the other files below */
    const char          *label_column;  /* a column of obs, or NULL: y */
    sdca_anndata_options cells;         /* the parts of AnnData files */
    const char          *positive;      /* the label that is the class +1, or NULL */
    const char          *weight_column; /* as label_column for weights, or NULL: weight */
    const char          *class_weight;  /* factors of the weights, or NULL */
    bool                 unweighted;    /* ignore the weights of the test set */
    bool                 follow_links;  /* to other files */
    const char          *history;
    const char          *progress;
    double               log_interval; /* seconds */
    const char          *summary;
    const char          *checkpoint;
    const char          *resume_from; /* a checkpoint by name, to resume from */
    const char          *warm_start;
    const sdca_loss     *loss;
    double               loss_parameter;
    lambda_list          lambdas;     /* more than one: a path */
    const char          *path;        /* directory for the models of a path, or NULL */
    int64_t              folds;       /* to choose lambda; 0: none */
    const char          *fold_groups; /* array whose groups are in one fold, or NULL */
    int64_t              fold_seed;
    const char          *fold_file; /* for the fold of each row, or NULL, like the next */
    const char          *validation;   /* data set to choose lambda, instead of folds */
    const char          *selection;    /* table of the choice */
    bool                 until_labels; /* of the test set are proven */
    bool                 calibrate;    /* make probabilities, by the same rows */
    sdca_metric          metric;       /* to choose lambda by */
    bool                 one_se;       /* the largest lambda within a standard error */
    double               lambda;       /* 0 if C is given; of a path the smallest */
    double               C;            /* 0 if lambda is given */
    bool                 normalize;
    double               bias;      /* 0: none */
    bool                 intercept; /* without penalty */
    sdca_standardize     standardize;
    bool                 all_ranks; /* even if fewer should be faster */
    bool                 keep_dual; /* write the dual variables into the model */
    bool                 quiet;
    bool                 verbose;
    bool                 resume;
    sdca_train_options   training;
    char command_line[SDCA_MODEL_OPTIONS_SIZE]; /* recorded in the model */
} train_arguments;

/* Are several lambda to be trained? Local. */
static inline bool train_arguments_has_path(const train_arguments *arguments)
{
    return arguments->lambdas.count > 1;
}

/* Are there rows that models are not trained on? Local. */
static inline bool train_arguments_holds_rows_out(const train_arguments *arguments)
{
    return arguments->folds > 0 || arguments->validation != NULL;
}

/* Is one of several lambda to be chosen? Local. */
static inline bool train_arguments_has_selection(const train_arguments *arguments)
{
    return train_arguments_has_path(arguments) &&
           train_arguments_holds_rows_out(arguments);
}

/* Parse the command line, or print its help and set *help. Local. */
sdca_status train_arguments_parse(int argc, char **argv, train_arguments *arguments,
                                  bool *help);

#endif
