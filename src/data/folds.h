/* SPDX-License-Identifier: BSD-3-Clause
 *
 * folds.h - parts of a data set that take turns at being held out of training.
 *
 * The fold of a row is a function of the seed and its number in the source, or of the
 * seed and its group, and does not depend on the ranks. Without groups, each class is
 * divided evenly among the folds. Rows of weight 0 are in no fold. */
#ifndef SDCA_DATA_FOLDS_H
#define SDCA_DATA_FOLDS_H

#include "data/dataset.h"

enum { SDCA_MAX_FOLDS = 1000 };

typedef struct sdca_fold_options {
    int         count; /* at least 2 */
    uint64_t    seed;
    const char *path;         /* of the file of the data set, for messages and groups */
    const char *groups;       /* a column of obs or an array of the file, or NULL */
    bool        follow_links; /* to other files */
} sdca_fold_options;

/* Set the folds of a data set for training. Fails with SDCA_DATA if a class has fewer
 * rows than there are folds, if there are too few groups, or if the groups cannot be
 * read. Collective. */
sdca_status sdca_folds_assign(MPI_Comm comm, const sdca_fold_options *options,
                              sdca_dataset *data);

/* The sum of the weights of the rows of each fold. Collective. */
void sdca_folds_weights(MPI_Comm comm, const sdca_dataset *data, int folds, double *out);

#endif
