/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stopping.h - when a run ends: target reached, budget used up, or no more progress. */
#ifndef SDCA_TRAIN_STOPPING_H
#define SDCA_TRAIN_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "model/field_io.h"
#include "objective/duality_gap.h"
#include "objective/iterate.h"
#include "train/clock.h"

typedef struct sdca_stopping {
    sdca_target target;
    int64_t     max_epochs;     /* 0: no limit */
    int64_t     max_rounds;     /* 0: no limit */
    int64_t     rows;           /* of the data set */
    bool        saves_runs;     /* a stop request ends in a checkpoint, not in a result */
    double      rounding_level; /* relative gap that is all rounding errors */
    bool        stop_requested; /* on some rank */
    double      best_dual;      /* the highest D, disregarding negligible gains */
    int64_t     progress_step;  /* steps of the last gain in D or gap, likewise */
} sdca_stopping;

/* The state of a run on which the decision depends. */
typedef struct sdca_run_progress {
    int64_t steps;
    int64_t round;
    int64_t best_step;         /* steps of the best evaluation */
    double  best_relative_gap; /* of that evaluation */
} sdca_run_progress;

/* Is the run to end, by request or by the clock? Local. */
bool sdca_stopping_must_stop(const sdca_stopping *stopping, const sdca_clock *clock);

/* Is there no budget left for another round? A request to stop is the end of all budgets
 * if runs are not saved. Local. */
bool sdca_stopping_budget_exhausted(const sdca_stopping *stopping,
                                    const sdca_clock *clock, const sdca_iterate *iterate);

/* Is the run to be saved, and to end here? Local. */
bool sdca_stopping_must_interrupt(const sdca_stopping *stopping, const sdca_clock *clock);

/* Is the target below the rounding errors of a certificate, whose gap without them meets
 * it? Then nothing better can be proven. target_gap is the gap of the target. Local. */
bool sdca_stopping_target_below_rounding(const sdca_certificate *certificate,
                                         double                  target_gap);

/* Has the run made no progress for long? Local. */
bool sdca_stopping_has_stalled(const sdca_stopping     *stopping,
                               const sdca_run_progress *progress);

/* An evaluation was made; best_gap is the smallest gap before it. Local. */
void sdca_stopping_observe(sdca_stopping *stopping, const sdca_certificate *certificate,
                           double best_gap, int64_t steps);

/* Its part of a checkpoint. Local. */
void sdca_stopping_fields(sdca_stopping *stopping, sdca_field_io *io);

#endif
