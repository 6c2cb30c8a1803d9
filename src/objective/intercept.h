/* SPDX-License-Identifier: BSD-3-Clause
 *
 * intercept.h - an intercept b without penalty: margins are z_i = w.x_i + b.
 *
 * The dual gets the constraint sum s_i alpha_i = 0; with it, the gap is the same mean of
 * row terms as without an intercept, for every b. b is the weight of the data's constant
 * column times its value. That weight is not a function of alpha: it stays what it is
 * when w(alpha) is computed, and is no part of |w|^2. */
#ifndef SDCA_OBJECTIVE_INTERCEPT_H
#define SDCA_OBJECTIVE_INTERCEPT_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* Scale the alpha of the sign that prevails so that the constraint holds up to rounding:
 * those inside their intervals if these are enough, else all. Every interval contains 0,
 * so that alpha stays feasible. w is not changed. Collective. */
void sdca_intercept_balance(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, sdca_point point);

/* A bound, relative to the alpha of the sign that prevails, on what is left of the sum
 * of s_i alpha_i: with that part less of them the constraint holds exactly. Collective.
 */
double sdca_intercept_imbalance(MPI_Comm comm, const sdca_dataset *data,
                                sdca_point point);

/* For the models whose bits are set: balance alpha, compute w(alpha), and choose the b
 * with the smallest P, up to a small part of target_gap. Fails only if out of memory.
 * Collective. */
sdca_status sdca_intercept_prepare(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset *data, int all_models,
                                   unsigned models, const double *target_gap,
                                   sdca_iterate *iterate);

/* Set the bounds on the intercept of every optimum in the certificate of model k of those
 * of the iterate, which holds for its present w. They stay unknown if they are far. Fails
 * only if out of memory. Collective. */
sdca_status sdca_intercept_set_bounds(MPI_Comm comm, const sdca_objective *objective,
                                      const sdca_dataset *data,
                                      const sdca_iterate *iterate, int k,
                                      sdca_certificate *certificate);

/* After a round of steps that follow from the constant column as if it had a penalty:
 * move the centre of this penalty to b (method of multipliers).
 * sdca_iterate_intercept_changed() must follow. Local. */
void sdca_intercept_move_centre(sdca_iterate *iterate);

#endif
