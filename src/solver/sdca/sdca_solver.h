/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca_solver.h - distributed SDCA as a method of the trainer. */
#ifndef SDCA_SOLVER_SDCA_SDCA_SOLVER_H
#define SDCA_SOLVER_SDCA_SDCA_SOLVER_H

#include "solver/sdca/aggregation.h"
#include "solver/sdca/coordinate_ascent.h"
#include "solver/sdca/round_length.h"
#include "solver/solver.h"

typedef struct sdca_sdca_solver {
    const sdca_training *training;
    sdca_iterate        *iterate; /* of each model */
    sdca_ascent          ascent;
    sdca_aggregation     aggregation[SDCA_MAX_LANES];
    sdca_round_length    round_length;
    bool                 shrinks;          /* on every rank that has rows */
    double               exchange_seconds; /* in the reduction of the last round */
    int64_t              rank_steps[SDCA_MAX_LANES]; /* by model: of this rank ... */
    int64_t counted_steps[SDCA_MAX_LANES]; /* ... when iterate->steps was this */
} sdca_sdca_solver;

/* This rank's visits of rows in the next round: its fraction of the rows, or what the
 * budget of epochs has left for it. If the length of rounds is not given, a round ends
 * where the gap is to be estimated; on a single rank also where it is to be evaluated,
 * and at the iterate drawn for the output. A new sweep may begin. Local. */
int64_t sdca_sdca_solver_round_steps(sdca_sdca_solver         *s,
                                     const sdca_round_request *request);

/* The gaps of the models that are due, and the certificate of a point of one model:
 * operations of solver.h. Collective. */
sdca_status sdca_sdca_solver_evaluate(void *self, sdca_model_evaluation *evaluation);
sdca_status sdca_sdca_solver_certify(void *self, int model, sdca_point point,
                                     const sdca_gap_evaluation_request *request,
                                     sdca_certificate                  *out);

/* Write or read its part of a checkpoint: an operation of solver.h. Collective. */
void sdca_sdca_solver_fields(void *self, sdca_field_io *io, bool same_schedule);

#endif
