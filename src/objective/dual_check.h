/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_check.h - what given dual variables say about given weights: feasibility,
 * w(alpha), and the error without each row in turn. */
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

/* The weights of rows by the label that training without them, with the same C, gives
 * them. */
typedef struct sdca_leave_one_out {
    double wrong;     /* proven to be wrong */
    double undecided; /* not proven */
    double total;
} sdca_leave_one_out;

/* Bound the error of two classes without each row in turn, given the gap of w and alpha,
 * and a bound on |w - w(alpha)|. Collective. */
sdca_leave_one_out sdca_dual_check_leave_one_out(MPI_Comm              comm,
                                                 const sdca_objective *objective,
                                                 const sdca_dataset   *data,
                                                 sdca_point point, double gap,
                                                 double w_distance);

#endif
