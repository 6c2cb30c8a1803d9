/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate.h - alpha, w and how far training has come: all that a method changes.
 *
 * Several models over the same rows lie side by side, in lanes: alpha has rows x lanes
 * numbers, w columns x lanes, so that one walk over a row serves all of them. An iterate
 * is one model's lane. With a single lane, alpha is in the records of the rows, beside
 * what a coordinate step needs of the data.
 *
 * With several ranks, w is this rank's copy in the shared memory of a vector allreduce;
 * with one rank it is an array. Between the rounds of a method both are valid, and w has
 * the same bits on every rank. */
#ifndef SDCA_OBJECTIVE_ITERATE_H
#define SDCA_OBJECTIVE_ITERATE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "data/lane_row_kernels.h"
#include "mpi/vector_allreduce.h"
#include "objective/objective.h"

/* What a coordinate step reads and writes of a row, in half a cache line. All but alpha
 * is of the data set. */
typedef struct sdca_iterate_row {
    int64_t start;
    double  weighted_norm2; /* s_i |x_i|^2; 0 also if the row has no weight */
    double  y;              /* with several lanes, the label of the data set */
    double  alpha;          /* always feasible; with several lanes not used */
} sdca_iterate_row;

typedef struct sdca_iterate {
    uint32_t          rows;    /* of this rank */
    int32_t           columns; /* of the data set */
    int               lanes;   /* 1, 4 or 8 */
    sdca_iterate_row *row;     /* one more than there are rows, for its start */
    const double     *weight;  /* by row, of the data set; NULL: all are 1 */
    double           *alpha;   /* of row i: alpha[i * alpha_stride] */
    size_t            alpha_stride;
    double *w; /* of column j: w[j * lanes]. C sum s_i alpha_i x_i with SDCA, independent
                  of alpha with other methods */
    double  constant; /* value of the constant column of an intercept; 0: none ... */
    double  centre;   /* ... and its weight less C sum s_i alpha_i constant */
    bool    of_other_lambda;          /* w is not w(alpha), but that of another lambda */
    bool    starts_at_zero;           /* alpha and w are 0 as long as no steps are done */
    int64_t round;                    /* rounds done */
    int64_t steps;                    /* coordinate steps done by all ranks */
    sdca_vector_allreduce *allreduce; /* of w, with several ranks; else NULL */
} sdca_iterate;

/* A pair of alpha and w: of an iterate, or of a snapshot of one. Borrowed. */
typedef struct sdca_point {
    double *alpha; /* of row i: alpha[i * alpha_stride] */
    size_t  alpha_stride;
    double *w; /* of column j: w[j * w_stride] */
    size_t  w_stride;
} sdca_point;

/* The number of lanes for this many models: 1, or 4 or 8 if that is enough. Local. */
int sdca_iterate_lanes(int models);

/* The start: w = 0 and alpha = 0, except for rows of zeros or without weight, whose
 * best alpha is known and never changes. Collective. The caller frees out with
 * sdca_iterate_free(), which is Collective too. */
sdca_status sdca_iterate_create(MPI_Comm comm, const sdca_objective *objective,
                                const sdca_dataset *data, sdca_iterate *out);
void        sdca_iterate_free(sdca_iterate *iterate);

/* The same for several models, at most SDCA_MAX_LANES, with an objective and an iterate
 * for each, side by side: they are freed by sdca_iterate_free(out). Collective. */
sdca_status sdca_iterate_create_lanes(MPI_Comm comm, const sdca_objective *objective,
                                      const sdca_dataset *data, int models,
                                      sdca_iterate *out);

/* Fail if a number of a row overflows with this lambda. Local. */
sdca_status sdca_iterate_check_rows(const sdca_objective *objective,
                                    const sdca_dataset   *data);

/* Make iterates that were trained with this C before the start for another lambda, that
 * of objective: alpha stays. w_of_alpha: w is w(alpha), and changes in proportion to C;
 * a method whose w is not w(alpha) starts from w as it is. Local. */
void sdca_iterate_change_lambda(const sdca_objective *objective, int models,
                                double C_before, bool w_of_alpha, sdca_iterate *iterate);

/* To be called where C sum s_i alpha_i changes by this ratio, with an intercept. Local.
 */
void sdca_iterate_scale_centre(double ratio, sdca_iterate *iterate);

/* The label of row i for the model of this iterate. Local. */
static inline double sdca_iterate_label(const sdca_iterate   *iterate,
                                        const sdca_objective *objective, uint32_t i)
{
    return iterate->lanes == 1 ? iterate->row[i].y
                               : sdca_objective_label(objective, iterate->row[i].y);
}

/* The alpha and w of an iterate, valid as long as it is. Local. */
sdca_point sdca_iterate_point(const sdca_iterate *iterate);

/* The intercept without penalty, where the data have one. Local. */
static inline double sdca_iterate_intercept(const sdca_iterate *iterate)
{
    return iterate->constant *
           iterate->w[(int64_t)(iterate->columns - 1) * iterate->lanes];
}

/* The columns of w with a penalty. Local. */
static inline int32_t sdca_iterate_penalized_columns(const sdca_iterate *iterate)
{
    return iterate->columns - (iterate->constant > 0.0 ? 1 : 0);
}

/* To be called after w was written other than by a round of SDCA. Local. */
void sdca_iterate_w_changed(sdca_iterate *iterate);

/* The same where only the weight of the constant column was written. Local. */
void sdca_iterate_intercept_changed(sdca_iterate *iterate);

/* w = C sum s_i alpha_i x_i, but for the weight of an intercept, free of the rounding
 * errors of earlier updates, for all models that were created with this iterate, which is
 * that of the first. Collective. */
void sdca_iterate_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, int models,
                              sdca_iterate *iterate);

/* The same for a point with w_stride 1; for that of an iterate,
 * sdca_iterate_w_changed() must follow. Collective. */
void sdca_point_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, sdca_point point);

/* Epochs done: an epoch has as many steps as the data set has rows. Local. */
double sdca_iterate_epochs(const sdca_objective *objective, const sdca_iterate *iterate);

#endif
