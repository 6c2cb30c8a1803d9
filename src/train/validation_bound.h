/* SPDX-License-Identifier: BSD-3-Clause
 *
 * validation_bound.h - a lower bound on the validation error of every lambda of a range.
 *
 * A fit (w, alpha) with gap G at lambda confines the minimiser of any other lambda' to a
 * ball, a smaller one if w = w(alpha). A validation row that it gets wrong is therefore
 * proven wrong for all lambda' with |ln(lambda'/lambda)| < T, its reach (docs/method.md).
 * Rows that are proven wrong throughout each of many small pieces of the range are
 * counted; the least count is the bound. */
#ifndef SDCA_TRAIN_VALIDATION_BOUND_H
#define SDCA_TRAIN_VALIDATION_BOUND_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef struct sdca_validation_bound {
    uint32_t rows; /* of validation, on this rank */
    int      room; /* for this many fits */
    int      fits;
    double  *log_lambda; /* by fit, descending */
    float   *reach;      /* rows x room; negative: not proven wrong at all */
} sdca_validation_bound;

/* A fit: |w|^2 and G of two classes, of two models twice their sums. */
typedef struct sdca_lambda_fit {
    double lambda;
    double norm2;
    double gap;
    bool   w_of_alpha; /* w = w(alpha) */
} sdca_lambda_fit;

/* Allocate fits. Local. The caller frees out with sdca_validation_bound_free(). */
sdca_status sdca_validation_bound_create(uint32_t rows, int fits,
                                         sdca_validation_bound *out);
void        sdca_validation_bound_free(sdca_validation_bound *bound);

/* The reach of a row whose wrong label leads by lead in a fit for lambda: the difference
 * of two scores, or the score of two classes. norm2 is |x|^2, width the number of the
 * row's non-zeros. Local. */
double sdca_validation_bound_reach(const sdca_lambda_fit *fit, double lead, double norm2,
                                   int64_t width);

/* Begin the next fit: no row is proven wrong in it. Local. */
void sdca_validation_bound_begin_fit(sdca_validation_bound *bound, double lambda);

/* A row has this reach in the last fit. Local. */
void sdca_validation_bound_set(sdca_validation_bound *bound, uint32_t i, double reach);

/* The bound: the least sum, over the range of the fits, of the shares of the rows that
 * are proven wrong; NaN for less than two fits. share has the part of each row in the
 * error. by_interval gets the bound between each fit and the next. Collective. */
sdca_status sdca_validation_bound_compute(MPI_Comm                     comm,
                                          const sdca_validation_bound *bound,
                                          const double *share, double *by_interval,
                                          double *out);

#endif
