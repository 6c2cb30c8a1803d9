/* SPDX-License-Identifier: BSD-3-Clause
 *
 * selection.h - how a lambda was chosen: the metric of every fit on rows that it was not
 * trained on. */
#ifndef SDCA_MODEL_SELECTION_H
#define SDCA_MODEL_SELECTION_H

#include <stdbool.h>

#include "base/status.h"
#include "io/hdf5_file.h"

typedef enum sdca_selection_rule {
    SDCA_SELECTION_BEST,  /* the best mean */
    SDCA_SELECTION_ONE_SE /* the largest lambda within one standard error of it */
} sdca_selection_rule;

/* The fits, largest lambda first. { 0 } is none. */
typedef struct sdca_selection {
    char                metric[32];
    bool                larger_is_better;
    sdca_selection_rule rule;
    int                 folds; /* 1: a validation set */
    int                 room;  /* for this many fits */
    int                 fits;  /* that are tested */
    int                 best;  /* the fit with the best mean; of equal ones the first */
    int                 chosen;
    double             *lambda;         /* by fit, like the next four */
    double             *mean;           /* of the metric over the folds */
    double             *standard_error; /* of the mean; NaN for a validation set */
    double             *full_gap;       /* certified gap of the model of all rows */
    double
        *nonzero_columns; /* of that model: with a weight that is not 0; NaN: unknown */
    double *value;        /* the metric, fits x folds */
    double *gap;          /* certified gap of the fold's model, the same */

    /* No lambda between the first and the last can have a mean error below this, tested
     * or not; NaN if that is not known. */
    double  error_bound;
    double *interval_bound; /* the same between each fit and the next */
} sdca_selection;

/* Allocate fits. Local. The caller frees out with sdca_selection_free(). */
sdca_status sdca_selection_create(const char *metric, bool larger_is_better,
                                  sdca_selection_rule rule, int fits, int folds,
                                  sdca_selection *out);
void        sdca_selection_free(sdca_selection *selection);

/* Add a fit, and choose among those that there are. value and gap have a number per fold.
 * Local. */
void sdca_selection_add(sdca_selection *selection, double lambda, double full_gap,
                        double nonzero_columns, const double *value, const double *gap);

/* Write the group selection, or read it; out is { 0 } if there is none. Local. The
 * caller frees out with sdca_selection_free(). */
sdca_status sdca_selection_write(const sdca_selection *selection, sdca_hdf5_file *hdf5);
sdca_status sdca_selection_read(sdca_hdf5_file *hdf5, sdca_selection *out);

/* Write a row per fit, as CSV. Local. */
sdca_status sdca_selection_write_csv(const sdca_selection *selection, const char *path);

#endif
