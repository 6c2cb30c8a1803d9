/* SPDX-License-Identifier: BSD-3-Clause
 *
 * leave_one_out_bounds.h - bounds on the error of training without each row in turn. */
#ifndef SDCA_OBJECTIVE_LEAVE_ONE_OUT_BOUNDS_H
#define SDCA_OBJECTIVE_LEAVE_ONE_OUT_BOUNDS_H

#include <mpi.h>

#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* The weights of rows, without class weights as in all errors, by the label that training
 * without them, with the same C, gives them. */
typedef struct sdca_leave_one_out {
    double wrong;     /* proven to be wrong */
    double undecided; /* not proven */
    double total;
} sdca_leave_one_out;

/* Bound the error of two classes without each row in turn, given the gap of w and alpha,
 * and a bound on |w - w(alpha)|. Collective. */
sdca_leave_one_out sdca_leave_one_out_bound(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            double gap, double w_distance);

#endif
