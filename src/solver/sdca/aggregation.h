/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregation.h - how the changes of all ranks become one step of w. */
#ifndef SDCA_SOLVER_SDCA_AGGREGATION_H
#define SDCA_SOLVER_SDCA_AGGREGATION_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "sdca/train.h"
#include "solver/sdca/coordinate_ascent.h"

enum { SDCA_AGGREGATION_COUNT = SDCA_AGGREGATION_LINE_SEARCH + 1 };

/* The names of the rules in options and files. */
extern const char *const sdca_aggregation_names[SDCA_AGGREGATION_COUNT];

/* What the caller sums over the ranks with each round. */
typedef struct sdca_round_totals {
    double clock;            /* seconds since the start, of rank 0 */
    double compute_seconds;  /* in this round's steps */
    double exchange_seconds; /* in the last round's reduction */
    double stop_requests;    /* ranks that were asked to stop */
    double visits;           /* of rows */
} sdca_round_totals;

/* The state of one model. */
typedef struct sdca_aggregation {
    sdca_aggregation_rule rule;
    int                   ranks;
    bool                  adaptive; /* sigma is adapted after each round */
    sdca_sigma            sigma;    /* of the next round, or a larger one */
    double                eta;      /* of the last round */
    double tight_sigma; /* the smallest sigma that would have been safe for it; below
                         * 1 if the changes of the ranks cancel */
} sdca_aggregation;

/* sigma is for several ranks; 0 chooses it: 1 for averaging, the number of ranks for
 * adding, and with a line search an adaptive value. Local. */
sdca_aggregation sdca_aggregation_start(sdca_aggregation_rule rule, double sigma,
                                        int ranks);

/* From now on the direction of the mean row has a factor of its own, where sigma adapts
 * and with enough ranks to pay for two passes over the rows. Collective. */
sdca_status sdca_aggregation_deflate(MPI_Comm comm, const sdca_dataset *data,
                                     sdca_ascent *ascent, sdca_aggregation *aggregation);

/* End a round: sum the changes of all ranks' local steps, choose eta, and move alpha and
 * w by eta times that. objective, iterate and aggregation have one element for each model
 * of ascent. iterate->steps grows by the steps of all ranks, iterate->round by one,
 * unless the model took no part in the round. totals become their sums over the ranks in
 * the same reduction. With the line search the dual does not fall. Collective. */
void sdca_aggregation_round(MPI_Comm comm, const sdca_objective *objective,
                            sdca_iterate *iterate, sdca_ascent *ascent,
                            sdca_aggregation *aggregation, sdca_round_totals *totals);

#endif
