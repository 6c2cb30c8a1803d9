/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sag.h - stochastic average gradient (Le Roux, Schmidt & Bach, NIPS 2012), for smooth
 * losses.
 *
 * Each row i keeps a_i = -phi_i'(w.x_i) of its last visit. With d = sum a_i x_i, m the
 * number of rows visited so far and s the step length, a visit of a row renews its a_i
 * and makes the step
 *
 *     w <- (1 - s lambda) w + (s/m) d,
 *
 * whose fixed point is w(a). s is 1/(L + lambda), L being a running estimate of the
 * smoothness constant of the rows' losses. */
#ifndef SDCA_SOLVER_SAG_SAG_H
#define SDCA_SOLVER_SAG_SAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/objective.h"
#include "solver/sdca/row_order.h"

/* A column during a run of steps. w_j is scale * v when all steps have been applied. */
typedef struct sdca_sag_column {
    double v;
    double sum;     /* d_j */
    double applied; /* the total of step lengths that v already contains */
} sdca_sag_column;

typedef struct sdca_sag {
    sdca_row_order   order;
    double          *gradient; /* a_i, one per row; 0 before the first visit */
    double          *sum;      /* d, one per column, valid between runs of steps */
    sdca_sag_column *column;
    int64_t          steps;          /* made so far */
    double           smoothness;     /* L */
    double           max_smoothness; /* max |x_i|^2 / gamma, for which L is certain */
} sdca_sag;

/* SAG on the rows of this process, before its first step. Fails with SDCA_USAGE if the
 * loss is not smooth. Local. The caller frees out with sdca_sag_free(). */
sdca_status sdca_sag_create(const sdca_objective *objective, const sdca_dataset *data,
                            uint64_t seed, sdca_sag *out);
void        sdca_sag_free(sdca_sag *sag);

/* Make that many steps on w: each row once in random order, then rows drawn at random
 * with replacement. A step costs O(non-zeros of its row), a call O(columns) in addition.
 * Local. */
void sdca_sag_run(const sdca_objective *objective, const sdca_dataset *data,
                  sdca_sag *sag, int64_t steps, double *w);

/* Continue in the middle of a sweep. False if the sweep has no such position. Local. */
bool sdca_sag_resume(sdca_sag *sag, int64_t sweep, int64_t position);

#endif
