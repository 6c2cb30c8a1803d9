/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scorer.h - the scores w.x + bias of rows, of one model or of several at once.
 *
 * The weights of several models lie side by side for each column, so that one walk over a
 * row gives all of its scores. */
#ifndef SDCA_OBJECTIVE_SCORER_H
#define SDCA_OBJECTIVE_SCORER_H

#include <stdint.h>

#include "base/status.h"
#include "data/labels.h"
#include "data/rows.h"

typedef struct sdca_scorer {
    int     models;
    int32_t columns;
    double *w;     /* of model k and column j: w[j * models + k] */
    double *bias;  /* by model */
    double *score; /* of the last row, by model */
} sdca_scorer;

/* Make a scorer whose weights and biases are 0, which takes columns x models numbers.
 * Local. The caller frees out with sdca_scorer_free(). */
sdca_status sdca_scorer_create(int models, int32_t columns, sdca_scorer *out);
void        sdca_scorer_free(sdca_scorer *scorer);

/* Set the weights and the bias of model k. Local. */
void sdca_scorer_set(sdca_scorer *scorer, int k, const double *w, double bias);

/* The same for rows whose columns were divided by scale; NULL: by 1. Local. */
void sdca_scorer_set_scaled(sdca_scorer *scorer, int k, const double *w, double bias,
                            const double *scale);

/* The scores of row i, one per model, valid until the next call. Local. */
const double *sdca_scorer_row(const sdca_scorer *scorer, const sdca_rows *x, uint32_t i);

/* The number of the greatest score; of equal ones, the first. Local. */
int sdca_scorer_greatest(int models, const double *score);

/* The label that the scores of a row predict: for one model see sdca_classes_predict(),
 * of several that of the greatest score. Local. */
double sdca_scorer_predict(const sdca_classes *labels, int models, const double *score);

#endif
