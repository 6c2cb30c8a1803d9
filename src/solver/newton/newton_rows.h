/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_rows.h - Newton's two passes over the rows: which line each alpha follows, and
 * where it gets to.
 *
 * Near the present margins each alpha_i is taken for a line, alpha_i = aim_i - weight_i
 * (z_i' - z_i) with z_i' = w'.x_i, so that what the optimum asks for becomes a linear
 * system for w'. newton.c says more. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_ROWS_H
#define SDCA_SOLVER_NEWTON_NEWTON_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

typedef struct sdca_newton_rows {
    double
        smoothing_width; /* of the corners of the loss, as they are rounded off now ... */
    double    initial_width; /* ... and at the start */
    bool      majorize;      /* logistic: P shall not rise, rather than fall fast */
    double   *z;             /* by row: w.x_i ... */
    double   *alpha_target;  /* ... the line that alpha_i follows, ... */
    double   *weight;        /* ... and how fast it falls as z_i grows */
    bool      use_sample;    /* only these rows take part: */
    uint32_t *sample;
    uint32_t  sample_count; /* how many */
    double   *sums;         /* what ranks add up: lower triangle, a vector, numbers */
    int32_t  *row_column;   /* room for a row */
    double   *row_value;
} sdca_newton_rows;

/* The numbers behind matrix and vector in what is added up. */
typedef enum sdca_newton_rows_scalar {
    SDCA_NEWTON_ROWS_SMOOTHING_GAP, /* of rounding off the corners, for the gap */
    SDCA_NEWTON_ROWS_LOSSES,        /* phi(z) */
    SDCA_NEWTON_ROWS_GAP_TERMS,     /* the rows' terms of the gap */
    SDCA_NEWTON_ROWS_SCALARS
} sdca_newton_rows_scalar;

/* Rows whose losses are added up before they join the others'. */
enum { SDCA_NEWTON_ROWS_BLOCK = 256 };

/* All z and weights are 0. more: how many numbers of the caller's go behind those above.
 * Local. What out holds is the caller's, to be freed with sdca_newton_rows_free(). */
sdca_status sdca_newton_rows_create(const sdca_dataset *data, size_t extra_scalars,
                                    sdca_newton_rows *out);
void        sdca_newton_rows_free(sdca_newton_rows *newton_rows);

/* Has the loss corners, so that its lines depend on a width and on how far alpha has
 * come? Local. */
bool sdca_newton_rows_loss_has_kinks(const sdca_objective *objective);

/* The rows that take part in a pass: all of mine, or a sample. Local. */
uint32_t sdca_newton_rows_count(const sdca_dataset     *data,
                                const sdca_newton_rows *newton_rows);

/* A part of them: the k-th for from <= k < end. Where from is a multiple of
 * SDCA_NEWTON_ROWS_BLOCK, a pass in parts adds up the same bits as one over all. */
typedef struct sdca_newton_rows_range {
    uint32_t begin;
    uint32_t end;
} sdca_newton_rows_range;

/* The passes add to what sum holds, each over a part of the rows. */

/* The system for the next step: the matrix sum weight_i x_i x_i^T, the vector sum aim_i
 * x_i, and the cost. Local. */
void sdca_newton_rows_assemble(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const sdca_iterate_row *row);

/* z and loss of each row at w, alpha moved along its line to there, clipped to where
 * it is feasible; the vector is sum alpha_i x_i. A loss without corners has its next
 * line then. Local. */
void sdca_newton_rows_update_alpha(const sdca_objective  *objective,
                                   const sdca_dataset    *data,
                                   sdca_newton_rows      *newton_rows,
                                   sdca_newton_rows_range part, const double *w,
                                   sdca_iterate_row *row);

/* For losses without corners, sooner done: z, loss and next line of each row, and alpha =
 * -phi'(z), with which no row has a term of the gap; row may be NULL, then alpha stays as
 * it is. Local. */
void sdca_newton_rows_evaluate(const sdca_objective *objective, const sdca_dataset *data,
                               sdca_newton_rows *newton_rows, sdca_newton_rows_range part,
                               const double *w, sdca_iterate_row *row);

#endif
