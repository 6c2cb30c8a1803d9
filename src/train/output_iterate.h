/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output_iterate.h - which iterate of a run is kept. */
#ifndef SDCA_TRAIN_OUTPUT_ITERATE_H
#define SDCA_TRAIN_OUTPUT_ITERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "objective/snapshot.h"
#include "sdca/train.h"
#include "solver/sdca/coordinate_ascent.h"
#include "solver/sdca/iterate_average.h"

typedef struct sdca_output_iterate {
    sdca_output_kind     kind;
    int64_t              start_step;    /* T0 */
    int64_t              selected_step; /* the number of the one drawn */
    sdca_iterate_average average;       /* of alpha, if that is what is kept */
    sdca_snapshot snapshot; /* the best, the average or the drawn one; first the start */
    sdca_certificate best_certificate; /* of all that were evaluated ... */
    int64_t          best_step;        /* ... and its steps */
    bool             copy_pending; /* the best is the present state, and not yet kept */
} sdca_output_iterate;

/* first is the state before the first step, T0 is from and T is last; last matters
 * to the random iterate alone. Local. What out holds is the caller's, to be freed
 * with sdca_output_iterate_free(). */
sdca_status sdca_output_iterate_create(sdca_output_kind kind, int64_t start_step,
                                       int64_t last_step, uint64_t seed,
                                       const sdca_iterate  *first,
                                       sdca_output_iterate *out);
void        sdca_output_iterate_free(sdca_output_iterate *output);

/* All alpha have moved at once, from the start. Local. */
void sdca_output_iterate_after_sgd_start(sdca_output_iterate *output,
                                         const sdca_iterate  *iterate);

/* A round has led to this state, from so many steps. Alone, the local steps tell the
 * average by themselves. Local. */
void sdca_output_iterate_after_round(sdca_output_iterate *output,
                                     const sdca_ascent   *ascent,
                                     const sdca_iterate *iterate, int64_t before);

/* Is the iterate there that is to be kept? Local. */
bool sdca_output_iterate_available(const sdca_output_iterate *output,
                                   const sdca_iterate        *iterate);

/* The iterate that would be kept if the run ended now: the last one as long as
 * that which is asked for is not there. Collective. */
sdca_point sdca_output_iterate_current(MPI_Comm comm, const sdca_objective *objective,
                                       const sdca_dataset  *data,
                                       sdca_output_iterate *output,
                                       const sdca_iterate  *iterate);

/* A state was evaluated, or an iterate made of it. Local. */
void sdca_output_iterate_after_evaluation(sdca_output_iterate    *output,
                                          const sdca_iterate     *iterate,
                                          const sdca_certificate *certificate);

/* A state as it was evaluated is about to change, or to be saved: keep it if it is the
 * best. Local. */
void sdca_output_iterate_copy_best(sdca_output_iterate *output,
                                   const sdca_iterate  *iterate);

#endif
