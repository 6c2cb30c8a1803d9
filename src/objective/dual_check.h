/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_check.h - whether given dual variables are feasible, and their w(alpha). */
#ifndef SDCA_OBJECTIVE_DUAL_CHECK_H
#define SDCA_OBJECTIVE_DUAL_CHECK_H

#include <mpi.h>
#include <stdint.h>

#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* One of my rows whose alpha is not feasible, or -1. Local. */
int64_t sdca_dual_check_find_infeasible(const sdca_objective *objective,
                                        const sdca_dataset *data, const double *alpha,
                                        size_t alpha_stride);

/* Compute w(alpha) into point.w, whose stride is 1, and a bound on how far the w(alpha)
 * of two computations on up to this many ranks may be apart by rounding, by column.
 * Collective. */
void sdca_dual_check_rebuild(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, sdca_point point, int ranks,
                             double *tolerance);

#endif
