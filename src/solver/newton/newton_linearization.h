/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_linearization.h - the linearisation of every alpha, and the passes over the rows
 * that assemble the Newton system from it and evaluate it.
 *
 * Each alpha_i is linearised about the current margin, alpha_i = alpha_target_i -
 * slope_i (z_i' - z_i) with z_i' = w'.x_i, so that the optimality conditions become a
 * linear system for w'. newton.c has the method. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_LINEARIZATION_H
#define SDCA_SOLVER_NEWTON_NEWTON_LINEARIZATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

typedef struct sdca_newton_linearization {
    double    smoothing_width; /* of the kinks of the loss, now ... */
    double    initial_width;   /* ... and at the start */
    bool      majorize;        /* use the majorant of the logistic loss: P cannot rise */
    double   *z;               /* by row: w.x_i, ... */
    double   *alpha_target;    /* ... alpha_i at z_i by its linearisation, ... */
    double   *slope;           /* ... and minus its derivative by z_i */
    bool      use_sample;      /* the passes visit only the rows of the sample */
    uint32_t *sample;
    uint32_t  sample_count;
    double   *sums;       /* for the allreduce: lower triangle, vector, scalars */
    int32_t  *row_column; /* one row, unpacked */
    double   *row_value;
} sdca_newton_linearization;

/* The scalars behind the matrix and the vector in sums. */
typedef enum sdca_newton_scalar {
    SDCA_NEWTON_SCALAR_SMOOTHING_GAP, /* weighted sum of the smoothing's part in the gap
                                       */
    SDCA_NEWTON_SCALAR_LOSSES,        /* weighted sum of phi(z) */
    SDCA_NEWTON_SCALAR_GAP_TERMS,     /* weighted sum of the rows' terms of the gap */
    SDCA_NEWTON_SCALARS
} sdca_newton_scalar;

/* Rows per block: losses are summed by block, then over blocks. */
enum { SDCA_NEWTON_BLOCK_ROWS = 256 };

/* Allocate; z, slope and sums are 0. sums has space for extra_scalars of the caller
 * behind its own. The caller frees out with sdca_newton_linearization_free(). Local. */
sdca_status sdca_newton_linearization_create(const sdca_dataset        *data,
                                             size_t                     extra_scalars,
                                             sdca_newton_linearization *out);
void        sdca_newton_linearization_free(sdca_newton_linearization *lin);

/* Has the loss kinks, so that its linearisation depends on a smoothing width and on
 * alpha? Local. */
bool sdca_newton_loss_has_kinks(const sdca_objective *objective);

/* The number of rows that a pass visits: all of this rank, or the sample. Local. */
uint32_t sdca_newton_linearization_count(const sdca_dataset              *data,
                                         const sdca_newton_linearization *lin);

/* A part of them: begin <= k < end. Where begin is a multiple of SDCA_NEWTON_BLOCK_ROWS,
 * a pass in parts gives the same bits as one pass over all rows. */
typedef struct sdca_newton_row_range {
    uint32_t begin;
    uint32_t end;
} sdca_newton_row_range;

/* The passes below visit a part of the rows and add to sums. */

/* Assemble the system for the next step: the matrix sum s_i slope_i x_i x_i^T, the
 * vector sum s_i alpha_target_i x_i, and the smoothing gap, with the weights s_i of the
 * rows. Local. */
void sdca_newton_linearization_assemble(const sdca_objective      *objective,
                                        const sdca_dataset        *data,
                                        sdca_newton_linearization *lin,
                                        sdca_newton_row_range      part,
                                        const sdca_iterate_row    *row);

/* Evaluate the rows at w: z, loss and term of the gap, with alpha moved along its
 * linearisation and projected on its feasible interval. The vector is sum s_i alpha_i
 * x_i. A loss without kinks is linearised again. Local. */
void sdca_newton_linearization_update_alpha(const sdca_objective      *objective,
                                            const sdca_dataset        *data,
                                            sdca_newton_linearization *lin,
                                            sdca_newton_row_range part, const double *w,
                                            sdca_iterate_row *row);

/* The same for losses without kinks, faster: z, loss and linearisation of each row, and
 * alpha = -phi'(z), for which all terms of the gap are 0. If row is NULL, alpha is not
 * changed. Local. */
void sdca_newton_linearization_evaluate(const sdca_objective      *objective,
                                        const sdca_dataset        *data,
                                        sdca_newton_linearization *lin,
                                        sdca_newton_row_range part, const double *w,
                                        sdca_iterate_row *row);

#endif
