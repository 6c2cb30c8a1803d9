/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iteration_bounds.h - the number of steps that suffice by the paper's theorems.
 *
 * Shalev-Shwartz & Zhang (JMLR 2013). Their bounds hold in expectation over the
 * random order, for SDCA with replacement on one rank from alpha = 0, if all
 * |x_i| <= 1 and phi_i(0) <= 1. A step changes one dual variable. */
#ifndef SDCA_OBJECTIVE_ITERATION_BOUNDS_H
#define SDCA_OBJECTIVE_ITERATION_BOUNDS_H

#include <stdbool.h>

#include "objective/objective.h"

/* Does the theorem for Lipschitz losses, or the one for smooth losses, apply? Local. */
bool sdca_iteration_bounds_has_lipschitz(const sdca_objective *objective);
bool sdca_iteration_bounds_has_smooth(const sdca_objective *objective);

/* Theorem 1 and, after a first epoch of Modified-SGD, Theorem 4: the number of steps T
 * after which the expected gap of the average, or of an iterate drawn at random, over
 * T0 + 1 .. T is at most gap; and T0. Local. */
double sdca_iteration_bounds_lipschitz(const sdca_objective *objective, double gap,
                                       bool sgd_start);
double sdca_iteration_bounds_lipschitz_average_start(const sdca_objective *objective,
                                                     double gap, bool sgd_start);

/* Theorem 2: steps for the last iterate, and T = 2 T0 for the average. Local. */
double sdca_iteration_bounds_smooth(const sdca_objective *objective, double gap);
double sdca_iteration_bounds_smooth_average(const sdca_objective *objective, double gap);

/* Theorem 3: the dual suboptimality after an epoch of Modified-SGD. Local. */
double sdca_iteration_bounds_sgd_suboptimality(const sdca_objective *objective);

/* Theorem 5: the number of steps after which the dual is within suboptimality of its
 * maximum, where s in (0, 1] must satisfy suboptimality >=
 * sdca_iteration_bounds_refined_floor(). small_gamma_rows is N(s/(lambda n)), the number
 * of rows with gamma_i below s/(lambda n). Local. */
double sdca_iteration_bounds_refined(const sdca_objective *objective, double s,
                                     double suboptimality);
double sdca_iteration_bounds_refined_floor(const sdca_objective *objective, double s,
                                           double small_gamma_rows);

/* The bound on the expected gap after that number of steps from alpha = 0: by Theorem 2
 * for the last iterate if the loss is smooth, else by Theorem 1 for an average or random
 * iterate; infinite before that theorem applies. Local. */
double sdca_iteration_bounds_expected_gap(const sdca_objective *objective, double steps);

#endif
