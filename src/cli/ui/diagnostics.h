/* SPDX-License-Identifier: BSD-3-Clause
 *
 * diagnostics.h - what about a run looks like a mistake, or will make it slow.
 *
 * Facts are found once, before the first round; sentences are a function of them. Limits
 * are such that ordinary data give none. */
#ifndef SDCA_CLI_UI_DIAGNOSTICS_H
#define SDCA_CLI_UI_DIAGNOSTICS_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/node_cores.h"
#include "data/dataset.h"
#include "objective/objective.h"
#include "train/train_options.h"

enum {
    DIAGNOSTICS_MAX_WARNINGS  = 8,   /* sentences */
    DIAGNOSTICS_WARNING_SIZE  = 320, /* of one */
    DIAGNOSTICS_MAX_CONSTANTS = 64   /* columns of one value that are looked for */
};

/* Facts about the data on all ranks; the same on every rank. */
typedef struct diagnostics_facts {
    int       ranks;
    int64_t   rows;
    int32_t   columns;        /* without that of a bias */
    bool      has_bias;       /* there is one */
    double    mean_norm;      /* of rows that are not empty: mean, */
    double    mean_norm2;     /* mean of squares, */
    double    max_norm;       /* and greatest; all 0 where there are none */
    bool      has_one_label;  /* all labels are the same */
    int64_t   empty_columns;  /* so many, or at least so many */
    bool      empty_is_exact; /* the former */
    int       constant_count; /* columns of one value, unless that is a bias ... */
    int64_t   constant_columns[DIAGNOSTICS_MAX_CONSTANTS]; /* ... and which, from 0 */
    double    imbalance; /* the most work of a rank over the mean */
    node_load most_loaded;
} diagnostics_facts;

typedef struct diagnostics {
    int  count;
    char text[DIAGNOSTICS_MAX_WARNINGS][DIAGNOSTICS_WARNING_SIZE];
} diagnostics;

/* Find the facts. Takes a small part of an epoch, or most of one if it is to be thorough
 * or a table has empty columns. Collective. */
diagnostics_facts diagnostics_measure(MPI_Comm comm, const sdca_dataset *data,
                                      bool thorough);

/* What to say, a sentence each, for a plan whose solver is decided. Local. */
diagnostics diagnostics_warn(const diagnostics_facts  *facts,
                             const sdca_objective     *objective,
                             const sdca_train_options *training);

/* What to say of a data set called name, to be predicted, whose labels are not all among
 * those of a model; "" where they are. Collective. */
void diagnostics_check_labels(MPI_Comm comm, const sdca_dataset *data, const char *name,
                              const sdca_classes *labels, char text[SDCA_MESSAGE_SIZE]);

/* A run has ended: the number of ranks that would have been faster by a tenth, and by
 * some tenths of a second: those of one of the nodes, or one, as far as seconds of a
 * rank's own computing and of exchange show. Else ranks. Local. */
int diagnostics_best_ranks(int ranks, int nodes, double computing, double exchange);

#endif
