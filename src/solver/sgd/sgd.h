/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sgd.h - stochastic gradient descent, the paper's baseline, and Modified-SGD, its
 * initialisation of SDCA.
 *
 * Both keep v, the sum of g_i x_i over the t steps made, and w = v/(lambda t), so that
 * scaling w costs nothing: for step sizes 1/(lambda t), (1 - 1/t) w - phi'(w.x)
 * x/(lambda t) is the same with g = -phi'(w.x). */
#ifndef SDCA_SOLVER_SGD_SGD_H
#define SDCA_SOLVER_SGD_SGD_H

#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "solver/sdca/row_order.h"

typedef struct sdca_sgd {
    sdca_row_order order;
    double        *v;
    int64_t        t;
} sdca_sgd;

/* SGD on my rows, from w = 0. Local. The caller frees out with sdca_sgd_free(). */
sdca_status sdca_sgd_create(const sdca_dataset *data, uint64_t seed, int rank,
                            sdca_sgd *out);
void        sdca_sgd_free(sdca_sgd *sgd);

/* Make this many steps, on rows drawn at random with replacement. Local. */
void sdca_sgd_run(const sdca_objective *objective, const sdca_dataset *data,
                  sdca_sgd *sgd, int64_t steps);

/* w after the steps made; 0 before the first. Local. */
void sdca_sgd_weights(const sdca_objective *objective, const sdca_dataset *data,
                      const sdca_sgd *sgd, double *w);

/* Procedure Modified-SGD: visit each of my rows once, in random order; the alpha of the
 * t-th maximises the dual of the first t rows. With several ranks, each does so on its
 * own rows; by concavity, the dual of all rows is at least the mean of the ranks' duals.
 * Local. */
sdca_status sdca_sgd_initial_alpha(const sdca_objective *objective,
                                   const sdca_dataset *data, uint64_t seed, int rank,
                                   sdca_iterate *iterate);

#endif
