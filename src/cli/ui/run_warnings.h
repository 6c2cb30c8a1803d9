/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_warnings.h - warnings about data and settings that look like a mistake, or that
 * make a run slow.
 *
 * Facts are measured once, before the first round; the warnings are a function of them.
 * The limits are such that ordinary data give no warning. */
#ifndef SDCA_CLI_UI_RUN_WARNINGS_H
#define SDCA_CLI_UI_RUN_WARNINGS_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/node_cores.h"
#include "cli/ui/option_advice.h"
#include "data/dataset.h"
#include "objective/objective.h"
#include "train/train_options.h"

enum {
    RUN_WARNINGS_MAX           = 10,  /* of a run */
    RUN_WARNINGS_TEXT_SIZE     = 320, /* bytes of a warning */
    RUN_WARNINGS_MAX_CONSTANTS = 64   /* constant columns that are listed */
};

/* Facts about the data on all ranks; the same on every rank. */
typedef struct data_facts {
    int       ranks;
    int64_t   rows;
    int32_t   columns;        /* without the bias column */
    bool      has_bias;       /* there is a bias column */
    double    mean_norm;      /* of the rows that are not empty; 0 if all are */
    double    mean_norm2;     /* the same of the squared norms */
    double    max_norm;       /* the same, maximum */
    bool      has_one_label;  /* all labels are equal */
    int64_t   empty_columns;  /* the number, or a lower bound */
    bool      empty_is_exact; /* it is the number */
    int       constant_count; /* constant columns that are not a bias */
    int64_t   constant_columns[RUN_WARNINGS_MAX_CONSTANTS]; /* their indices from 0 */
    double    imbalance; /* largest work of a rank / mean */
    node_load most_loaded;
    option_advice_facts advice;
} data_facts;

typedef struct run_warnings {
    int  count;
    char text[RUN_WARNINGS_MAX][RUN_WARNINGS_TEXT_SIZE];
} run_warnings;

/* Measure the facts; from_table: the data file was made from a table. Takes a small part
 * of an epoch, or most of one if thorough is true or a table has empty columns.
 * Collective. */
data_facts data_facts_measure(MPI_Comm comm, const sdca_dataset *data, bool from_table,
                              bool thorough);

/* The warnings, one sentence each, for options whose solver is resolved. Local. */
run_warnings run_warnings_warn(const data_facts *facts, const sdca_objective *objective,
                               const sdca_train_options *training);

/* A warning if the data set called name has labels that a model does not know, else "".
 * Collective. */
void run_warnings_check_labels(MPI_Comm comm, const sdca_dataset *data, const char *name,
                               const sdca_classes *labels, char text[SDCA_MESSAGE_SIZE]);

/* The same for a number of rows with such labels. Local. */
void run_warnings_describe_unknown(int64_t unknown, const char *name,
                                   const sdca_classes *labels,
                                   char                text[SDCA_MESSAGE_SIZE]);

/* The number of ranks (those of one node, or one) that would have been faster than ranks
 * by a tenth and by some tenths of a second, estimated from a rank's seconds of computing
 * and of communication; ranks if none would. Local. */
int run_warnings_best_ranks(int ranks, int nodes, double computing, double communication);

#endif
