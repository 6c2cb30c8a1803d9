/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregation.h - how the moves of all ranks become one move of w. */
#ifndef SDCA_SOLVER_SDCA_AGGREGATION_H
#define SDCA_SOLVER_SDCA_AGGREGATION_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/dataset.h"
#include "mpi/vector_allreduce.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "solver/sdca/coordinate_ascent.h"

typedef enum sdca_aggregation_rule {
    SDCA_AGGREGATION_AVERAGE,    /* eta = 1/K: CoCoA */
    SDCA_AGGREGATION_ADD,        /* eta = 1: CoCoA+ */
    SDCA_AGGREGATION_LINE_SEARCH /* the eta that is best for the dual */
} sdca_aggregation_rule;

/* Numbers of the caller's that are added up over the ranks with each round. */
enum { SDCA_AGGREGATION_CALLER_SCALARS = 6 };

typedef struct sdca_aggregation {
    sdca_aggregation_rule rule;
    int                   ranks;
    bool                  adaptive; /* sigma follows what the moves turn out to need */
    sdca_sigma            sigma; /* to be had by the next round's local steps, or more */
    double                eta;   /* of the last round */
    double tight_sigma; /* the sigma that would just have been safe for it; below 1 if
                         * moves were opposed */
    sdca_vector_allreduce allreduce; /* of the copies of w and the scalars of a round */
} sdca_aggregation;

/* sigma is for several ranks; 0 chooses it: 1 for averaging, the number of ranks for
 * adding, and with a line search the value that adapts. local's steps, unless alone,
 * begin at the state's w. Collective. What out holds is the caller's, to be freed with
 * sdca_aggregation_free(), which is Collective too, after local's last step. */
sdca_status sdca_aggregation_create(MPI_Comm comm, sdca_aggregation_rule rule,
                                    double sigma, const sdca_iterate *iterate,
                                    sdca_ascent *ascent, sdca_aggregation *out);
void        sdca_aggregation_free(sdca_aggregation *aggregation);

/* From now on the direction of the mean row has a factor of its own, where sigma adapts
 * and the ranks are so many that this is worth two looks at all rows. Collective. */
sdca_status sdca_aggregation_deflate(MPI_Comm comm, const sdca_dataset *data,
                                     sdca_ascent *ascent, sdca_aggregation *aggregation);

/* End a round: add up what local solves have changed, choose eta, and move
 * alpha and w by eta times that, on all ranks alike; of the state's w it moves the slice
 * that this rank looks after, and local's copy has all of it. steps is what this rank
 * has done; state->steps grows by everyone's, state->round by one. shared, numbers
 * of the caller's, become their sums over the ranks in the same breath. With the
 * line search the dual does not fall. Collective. */
void sdca_aggregation_round(MPI_Comm comm, const sdca_objective *objective,
                            sdca_iterate *iterate, sdca_ascent *ascent,
                            sdca_aggregation *aggregation, int64_t steps,
                            double caller_scalars[SDCA_AGGREGATION_CALLER_SCALARS]);

#endif
