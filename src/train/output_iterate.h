/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output_iterate.h - which iterate of a run becomes the model. */
#ifndef SDCA_TRAIN_OUTPUT_ITERATE_H
#define SDCA_TRAIN_OUTPUT_ITERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/field_io.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "objective/iterate_average.h"
#include "objective/objective.h"
#include "objective/snapshot.h"
#include "sdca/train.h"

enum { SDCA_OUTPUT_COUNT = SDCA_OUTPUT_RANDOM + 1 };

/* The names of the kinds in options and files. */
extern const char *const sdca_output_names[SDCA_OUTPUT_COUNT];

typedef struct sdca_output_iterate {
    sdca_output_kind     kind;
    int64_t              start_step;    /* T0 */
    int64_t              selected_step; /* the step of the random iterate */
    sdca_iterate_average average;       /* of alpha, for the average */
    sdca_snapshot
        snapshot; /* the best, average or random iterate; at first the initial one */
    sdca_certificate best_certificate; /* of all evaluated iterates ... */
    int64_t          best_step;        /* ... and its steps */
    bool             copy_pending; /* the best is the current iterate, not copied yet */
} sdca_output_iterate;

/* first is the iterate before the first step, T0 is start_step and T is last_step,
 * which only the random iterate uses. Local. The caller frees out with
 * sdca_output_iterate_free(). */
sdca_status sdca_output_iterate_create(sdca_output_kind kind, int64_t start_step,
                                       int64_t last_step, uint64_t seed,
                                       const sdca_iterate  *first,
                                       sdca_output_iterate *out);
void        sdca_output_iterate_free(sdca_output_iterate *output);

/* The SGD start has changed all alpha. Local. */
void sdca_output_iterate_after_sgd_start(sdca_output_iterate *output,
                                         const sdca_iterate  *iterate);

/* A round has ended with this iterate, and began at steps_before. The average is updated
 * by the method. Local. */
void sdca_output_iterate_after_round(sdca_output_iterate *output,
                                     const sdca_iterate *iterate, int64_t steps_before);

/* Has the run reached the requested iterate? Local. */
bool sdca_output_iterate_available(const sdca_output_iterate *output,
                                   const sdca_iterate        *iterate);

/* The point that would be the output if the run ended now: the current iterate until the
 * requested one is reached. Collective. */
sdca_point sdca_output_iterate_current(MPI_Comm comm, const sdca_objective *objective,
                                       const sdca_dataset  *data,
                                       sdca_output_iterate *output,
                                       const sdca_iterate  *iterate);

/* The current iterate, or the output computed from it, was evaluated. Local. */
void sdca_output_iterate_after_evaluation(sdca_output_iterate    *output,
                                          const sdca_iterate     *iterate,
                                          const sdca_certificate *certificate);

/* The iterate is about to change, or to be saved: copy it if it is the best. Local. */
void sdca_output_iterate_copy_best(sdca_output_iterate *output,
                                   const sdca_iterate  *iterate);

/* Its fields of a checkpoint, if the output of that run is the same; returns whether it
 * is. Collective. */
bool sdca_output_iterate_fields(sdca_output_iterate *output, const sdca_iterate *iterate,
                                const sdca_objective *objective, sdca_field_io *io);

#endif
