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
    int64_t              selected_step; /* the number of the one drawn */
    sdca_iterate_average average;       /* of alpha, if that is what is kept */
    sdca_snapshot snapshot; /* the best, the average or the drawn one; first the start */
    sdca_certificate best_certificate; /* of all that were evaluated ... */
    int64_t          best_step;        /* ... and its steps */
    bool             copy_pending; /* the best is the present iterate, not yet copied */
} sdca_output_iterate;

/* first is the iterate before the first step, T0 is start_step and T is last_step, which
 * matters to the random iterate alone. Local. What out holds is the caller's, to be freed
 * with sdca_output_iterate_free(). */
sdca_status sdca_output_iterate_create(sdca_output_kind kind, int64_t start_step,
                                       int64_t last_step, uint64_t seed,
                                       const sdca_iterate  *first,
                                       sdca_output_iterate *out);
void        sdca_output_iterate_free(sdca_output_iterate *output);

/* The SGD start has moved all alpha at once. Local. */
void sdca_output_iterate_after_sgd_start(sdca_output_iterate *output,
                                         const sdca_iterate  *iterate);

/* A round has led to this iterate; steps_before were done when it began. The average is
 * updated by the method. Local. */
void sdca_output_iterate_after_round(sdca_output_iterate *output,
                                     const sdca_iterate *iterate, int64_t steps_before);

/* Has the run reached the iterate that is to be kept? Local. */
bool sdca_output_iterate_available(const sdca_output_iterate *output,
                                   const sdca_iterate        *iterate);

/* The point that would be kept if the run ended now: the present iterate as long as the
 * one asked for is not reached. Collective. */
sdca_point sdca_output_iterate_current(MPI_Comm comm, const sdca_objective *objective,
                                       const sdca_dataset  *data,
                                       sdca_output_iterate *output,
                                       const sdca_iterate  *iterate);

/* The present iterate, or the point made of it, was evaluated. Local. */
void sdca_output_iterate_after_evaluation(sdca_output_iterate    *output,
                                          const sdca_iterate     *iterate,
                                          const sdca_certificate *certificate);

/* The iterate is about to change, or to be saved: copy it if it is the best. Local. */
void sdca_output_iterate_copy_best(sdca_output_iterate *output,
                                   const sdca_iterate  *iterate);

/* Its part of a checkpoint, if the output of that run is the same; says whether.
 * Collective. */
bool sdca_output_iterate_fields(sdca_output_iterate *output, const sdca_iterate *iterate,
                                const sdca_objective *objective, sdca_field_io *io);

#endif
