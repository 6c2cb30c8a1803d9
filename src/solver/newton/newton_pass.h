/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_pass.h - the passes over the rows and allreduces of a Newton round, and how
 * ranks stop within them. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_PASS_H
#define SDCA_SOLVER_NEWTON_NEWTON_PASS_H

#include "solver/newton/newton.h"

/* Votes follow the scalars in the sums. */
enum { SDCA_NEWTON_VOTES = sizeof(sdca_newton_votes) / sizeof(double) };

/* A round on all rows, or on a sample of them. */
typedef struct sdca_newton_pass {
    MPI_Comm              comm;
    const sdca_objective *objective;
    const sdca_dataset   *data;
    sdca_newton          *newton;
    sdca_iterate         *iterate;
    sdca_newton_callback  poll;
    double                rows;
    double                total_weight; /* of these rows */
    double                lambda;
} sdca_newton_pass;

/* The vector in sums, and the scalars after it. Local. */
double *sdca_newton_pass_vector(const sdca_newton_pass *t);
double *sdca_newton_pass_scalars(const sdca_newton_pass *t);

/* Has a rank voted for stopping? The functions below do nothing from then on. The same on
 * every rank. Local. */
bool sdca_newton_pass_is_stopped(const sdca_newton_pass *t);

/* A pass over one block of rows. Local. */
typedef void sdca_newton_pass_kernel(const sdca_newton_pass *t,
                                     sdca_newton_row_range   part);

sdca_newton_pass_kernel
    sdca_newton_pass_assemble; /* sdca_newton_linearization_assemble() */
sdca_newton_pass_kernel
    sdca_newton_pass_evaluate; /* sdca_newton_linearization_evaluate() */
sdca_newton_pass_kernel
    sdca_newton_pass_update_alpha; /* sdca_newton_linearization_update_alpha() */

/* Clear the sums: all, or all but the matrix. Local. */
void sdca_newton_pass_clear(const sdca_newton_pass *t, bool matrix);

/* One pass over my rows, cut short if this rank votes for stopping. Local. */
void sdca_newton_pass_run(const sdca_newton_pass *t, sdca_newton_pass_kernel *kernel);

/* Sum over the ranks: all, or all but the matrix. Collective. */
void sdca_newton_pass_allreduce(const sdca_newton_pass *t, bool matrix);

#endif
