/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluation_schedule.h - when the gap is evaluated on all rows, and when it is estimated
 * from a sample of them. */
#ifndef SDCA_TRAIN_EVALUATION_SCHEDULE_H
#define SDCA_TRAIN_EVALUATION_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/field_io.h"
#include "objective/duality_gap.h"
#include "train/gap_forecast.h"

typedef struct sdca_evaluation_schedule {
    sdca_target target;
    int64_t     rows;       /* of the data set */
    double      interval;   /* epochs between two evaluations; 0: choose */
    bool        each_round; /* evaluate after each round */
    bool        estimates;  /* estimates from samples decide when to evaluate */

    int64_t           next_evaluation_step;  /* in steps */
    int64_t           next_estimate_step;    /* in steps; 0: none, or at once */
    double            primal;                /* P as last evaluated or estimated */
    sdca_gap_forecast forecast;              /* of the gap, from both */
    double            rounding_bound;        /* of the last certificate; 0: none yet */
    bool              estimate_meets_target; /* an evaluation may find the target met */
    bool              conservative_sigma;    /* for the rounds until the next estimate */
} sdca_evaluation_schedule;

/* What a schedule depends on besides itself. */
typedef struct sdca_schedule_input {
    int64_t steps;
    bool    adaptive_sigma; /* rounds with a conservative sigma are possible */
    bool    at_rounding;    /* the gap is so small that only rounding errors are left */
} sdca_schedule_input;

/* A schedule before the first evaluation. Local. */
sdca_evaluation_schedule sdca_evaluation_schedule_start(sdca_target target, int64_t rows,
                                                        double interval);

/* The gap to be reached, as far as P is known; and the same less the rounding errors that
 * a certificate will add to the gap, unless they are as large themselves. Local. */
double sdca_evaluation_schedule_target_gap(const sdca_evaluation_schedule *schedule);
double sdca_evaluation_schedule_target_less_rounding(
    const sdca_evaluation_schedule *schedule);

/* P and gap were evaluated or estimated. Local. */
void sdca_evaluation_schedule_observe(sdca_evaluation_schedule *schedule, int64_t steps,
                                      double primal, double gap);

/* Is it time for an evaluation, or for an estimate? Local. */
bool sdca_evaluation_schedule_is_due(const sdca_evaluation_schedule *schedule,
                                     int64_t                         steps);
bool sdca_evaluation_schedule_estimate_is_due(const sdca_evaluation_schedule *schedule,
                                              int64_t                         steps);

/* The fraction of rows in an estimate. Local. */
double sdca_evaluation_schedule_sample_fraction(const sdca_evaluation_schedule *schedule);

/* An estimate was made and observed: does it call for an evaluation, and when is the
 * next? Local. */
void sdca_evaluation_schedule_after_estimate(sdca_evaluation_schedule        *schedule,
                                             const sdca_duality_gap_estimate *estimate,
                                             sdca_schedule_input              input);

/* An evaluation was made and observed: when is the next? Local. */
void sdca_evaluation_schedule_after_evaluation(sdca_evaluation_schedule *schedule,
                                               sdca_schedule_input       input);

/* Its part of a checkpoint. With another target the gap is estimated at once. Local. */
void sdca_evaluation_schedule_fields(sdca_evaluation_schedule *schedule,
                                     sdca_field_io            *io);

#endif
