/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_arguments.h - the command line of train, parsed and interpreted. */
#ifndef SDCA_CLI_OPTIONS_TRAIN_ARGUMENTS_H
#define SDCA_CLI_OPTIONS_TRAIN_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "model/model.h"
#include "objective/loss.h"
#include "train/trainer.h"

typedef struct train_arguments {
    const char        *data;
    const char        *model;
    const char        *test;          /* or NULL, like the other files below */
    const char        *label_column;  /* a column of obs, or NULL: y */
    const char        *positive;      /* the label that is the class +1, or NULL */
    const char        *weight_column; /* as label_column for weights, or NULL: weight */
    const char        *class_weight;  /* factors of the weights, or NULL */
    bool               unweighted;    /* ignore the weights of the test set */
    bool               follow_links;  /* to other files */
    const char        *history;
    const char        *progress;
    double             log_interval; /* seconds */
    const char        *summary;
    const char        *checkpoint;
    const char        *resume_from; /* a checkpoint by name, to resume from */
    const char        *warm_start;
    const sdca_loss   *loss;
    double             loss_parameter;
    double             lambda; /* 0 if C is given */
    double             C;      /* 0 if lambda is given */
    bool               normalize;
    double             bias;      /* 0: none */
    bool               all_ranks; /* even if fewer should be faster */
    bool               quiet;
    bool               verbose;
    bool               resume;
    sdca_train_options training;
    char               command_line[SDCA_MODEL_OPTIONS_SIZE]; /* recorded in the model */
} train_arguments;

/* Parse the command line, or print its help and set *help. Local. */
sdca_status train_arguments_parse(int argc, char **argv, train_arguments *arguments,
                                  bool *help);

#endif
