/* SPDX-License-Identifier: BSD-3-Clause
 *
 * largest_weights.h - the largest weights of a model, found in one pass. */
#ifndef SDCA_CLI_REPORT_LARGEST_WEIGHTS_H
#define SDCA_CLI_REPORT_LARGEST_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "model/model.h"
#include "objective/scorer.h"

enum { REPORT_LARGEST_WEIGHTS = 15 };

typedef struct report_largest_weights {
    int64_t nonzero;      /* number of non-zero weights */
    double  squared_norm; /* of all weights, without the bias */
    int     count;        /* of the arrays below */
    int64_t column[REPORT_LARGEST_WEIGHTS];
    double  w[REPORT_LARGEST_WEIGHTS];

    /* The standard deviations of the columns, if they are known: the weights are then
     * ordered by their product with it. */
    bool   has_deviations;
    double deviation[REPORT_LARGEST_WEIGHTS];
} report_largest_weights;

/* Find the largest weights of class k of a model in a file, or of its one w, in
 * descending order of magnitude, equal ones in ascending order of columns. Local. */
sdca_status report_largest_weights_find(const sdca_model *model, const char *path, int k,
                                        report_largest_weights *out);

/* Find the largest weights of model k of a scorer, per standard deviation of the columns
 * of a data set. The number of non-zero weights is kept. Local. */
void report_largest_weights_rank(const sdca_scorer *scorer, int k,
                                 const sdca_dataset *data, const double *deviation,
                                 report_largest_weights *largest);

#endif
