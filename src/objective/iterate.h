/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate.h - all that training changes: alpha, w and how far it has come. */
#ifndef SDCA_OBJECTIVE_ITERATE_H
#define SDCA_OBJECTIVE_ITERATE_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/objective.h"

/* Between the rounds of a run alpha and w are elsewhere: sdca_ascent_store_alpha() and
 * sdca_ascent_store_w() bring them here. */
typedef struct sdca_iterate {
    double *alpha; /* one per row of mine, always feasible */
    double *w;     /* one per column, the same bits on every rank; under SDCA
                    * C sum alpha_i x_i, under SGD and NEWTON a vector of its own */
    int64_t round; /* rounds done */
    int64_t steps; /* coordinate steps done, all ranks together */
} sdca_iterate;

/* The start: w = 0 and alpha = 0, but for rows of zeros, whose best alpha is
 * known and never changes. Local. What out holds is the caller's, to be freed with
 * sdca_iterate_free(). */
sdca_status sdca_iterate_create(const sdca_objective *objective, const sdca_dataset *data,
                                sdca_iterate *out);
void        sdca_iterate_free(sdca_iterate *iterate);

/* Room for a state that will be copied there. Local. As above. */
sdca_status sdca_iterate_allocate(const sdca_dataset *data, sdca_iterate *out);

/* Make to, a state of the same data set, equal to from. Local. */
void sdca_iterate_copy(const sdca_dataset *data, const sdca_iterate *from,
                       sdca_iterate *to);

/* w = C sum alpha_i x_i afresh, free of what thousands of updates have rounded
 * off. Collective. */
void sdca_iterate_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, sdca_iterate *iterate);

/* Epochs done: an epoch is as many steps as the data set has rows. Local. */
double sdca_iterate_epochs(const sdca_objective *objective, const sdca_iterate *iterate);

#endif
