/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iteration_bounds.h - how many steps the theorems promise to be enough.
 *
 * Shalev-Shwartz & Zhang (JMLR 2013). Their bounds hold in expectation over the
 * random order, for SDCA with replacement on one rank from alpha = 0, if all
 * |x_i| <= 1 and phi_i(0) <= 1. A step changes one dual variable. */
#ifndef SDCA_OBJECTIVE_ITERATION_BOUNDS_H
#define SDCA_OBJECTIVE_ITERATION_BOUNDS_H

#include <stdbool.h>

#include "objective/objective.h"

/* Is there a theorem for Lipschitz, or for smooth losses, for this one? Local. */
bool sdca_iteration_bounds_has_lipschitz(const sdca_objective *objective);
bool sdca_iteration_bounds_has_smooth(const sdca_objective *objective);

/* Theorem 1 and, after a first epoch of Modified-SGD, Theorem 4: so many steps
 * T bring the expected gap of the average, or of an iterate drawn at random, over
 * T0 + 1 .. T to at most gap. Local. */
double sdca_iteration_bounds_lipschitz(const sdca_objective *objective, double gap,
                                       bool sgd_start);
double sdca_iteration_bounds_lipschitz_average_start(const sdca_objective *objective,
                                                     double gap, bool sgd_start);

/* Theorem 2: steps for the last iterate, and T = 2 T0 for the average. Local. */
double sdca_iteration_bounds_smooth(const sdca_objective *objective, double gap);
double sdca_iteration_bounds_smooth_average(const sdca_objective *objective, double gap);

/* Theorem 3: what is left of the dual after an epoch of Modified-SGD. Local. */
double sdca_iteration_bounds_sgd_suboptimality(const sdca_objective *objective);

/* Theorem 5: steps that bring the dual within left of its maximum, where
 * s in (0, 1] must satisfy left >= sdca_iteration_bounds_refined_floor(). few is
 * N(s/(lambda n)), the number of rows with gamma_i below s/(lambda n). Local. */
double sdca_iteration_bounds_refined(const sdca_objective *objective, double s,
                                     double suboptimality);
double sdca_iteration_bounds_refined_floor(const sdca_objective *objective, double s,
                                           double small_gamma_rows);

/* The gap that is promised after so many steps from alpha = 0: by Theorem 2 for smooth
 * losses, for the last iterate; by Theorem 1 for the others, for an average or random
 * one, infinite as long as it promises nothing. Local. */
double sdca_iteration_bounds_expected_gap(const sdca_objective *objective, double steps);

#endif
