/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluation_schedule.c - when the gap is evaluated on all rows, and when it is estimated
 * from a sample of them. */
#include "train/evaluation_schedule.h"

#include <math.h>

#include "base/tuning.h"
#include "solver/solver.h"

sdca_evaluation_schedule sdca_evaluation_schedule_start(sdca_target target, int64_t rows,
                                                        double interval)
{
    return (
        sdca_evaluation_schedule){ .target = target, .rows = rows, .interval = interval };
}

double sdca_evaluation_schedule_target_gap(const sdca_evaluation_schedule *schedule)
{
    return sdca_target_gap(&schedule->target, schedule->primal);
}

double sdca_evaluation_schedule_target_less_rounding(
    const sdca_evaluation_schedule *schedule)
{
    double wanted = sdca_evaluation_schedule_target_gap(schedule);

    return schedule->rounding_bound < wanted ? wanted - schedule->rounding_bound : wanted;
}

static double epochs_of(const sdca_evaluation_schedule *schedule, int64_t steps)
{
    return (double)steps / (double)schedule->rows;
}

static int64_t steps_after(const sdca_evaluation_schedule *schedule, int64_t steps,
                           double epochs)
{
    return steps + (int64_t)rint(epochs * (double)schedule->rows);
}

static double min_estimate_wait(double epochs)
{
    return fmax(tuning_estimate_min_epochs, epochs / tuning_estimate_min_divisor);
}

void sdca_evaluation_schedule_observe(sdca_evaluation_schedule *schedule, int64_t steps,
                                      double primal, double gap)
{
    schedule->primal = primal;
    sdca_gap_forecast_observe(&schedule->forecast, epochs_of(schedule, steps), gap);
}

bool sdca_evaluation_schedule_is_due(const sdca_evaluation_schedule *schedule,
                                     int64_t                         steps)
{
    return steps >= schedule->next_evaluation_step || schedule->estimate_meets_target;
}

bool sdca_evaluation_schedule_estimate_is_due(const sdca_evaluation_schedule *schedule,
                                              int64_t                         steps)
{
    return schedule->estimates &&
           steps + schedule->rows / TUNING_ESTIMATE_EARLY_DIVISOR >=
               schedule->next_estimate_step;
}

/* Enough rows for an error of about a tenth of the gap, and few of all. */
double sdca_evaluation_schedule_sample_fraction(const sdca_evaluation_schedule *schedule)
{
    return fmin(tuning_sample_max_fraction,
                tuning_sample_rows / sqrt((double)schedule->rows));
}

/* In the final phase, with a conservative sigma, the next estimate comes soon; before it,
 * ahead of its forecast beginning, since forecasts err. */
static void schedule_estimate(sdca_evaluation_schedule *schedule,
                              sdca_schedule_input       input)
{
    double now = epochs_of(schedule, input.steps);
    double final_phase_gap =
        (input.adaptive_sigma ? tuning_conservative_gap_ratio : 1.0) *
        sdca_evaluation_schedule_target_less_rounding(schedule);
    double wait = tuning_estimate_early *
                  sdca_gap_forecast_epochs_until(&schedule->forecast, final_phase_gap);

    schedule->conservative_sigma = schedule->estimates && input.adaptive_sigma &&
                                   schedule->forecast.gap <= final_phase_gap;
    wait = schedule->conservative_sigma
               ? tuning_estimate_min_epochs
               : fmax(min_estimate_wait(now),
                      fmin(wait, fmax(1.0, now / tuning_estimate_max_divisor)));
    schedule->next_estimate_step =
        schedule->estimates ? steps_after(schedule, input.steps, wait) : 0;
}

/* An estimate must be below the target by some standard deviations, as an evaluation that
 * misses the target costs about half an epoch. */
void sdca_evaluation_schedule_after_estimate(sdca_evaluation_schedule        *schedule,
                                             const sdca_duality_gap_estimate *estimate,
                                             sdca_schedule_input              input)
{
    schedule->estimate_meets_target =
        estimate->gap + tuning_safety_deviations * estimate->standard_error <=
        sdca_evaluation_schedule_target_less_rounding(schedule);
    schedule_estimate(schedule, input);
}

/* Epochs until the next evaluation. Where estimates call for evaluations there is no need
 * for others, except to find out that nothing is left to gain. */
static double epochs_to_evaluation(const sdca_evaluation_schedule *schedule,
                                   sdca_schedule_input             input)
{
    double now  = epochs_of(schedule, input.steps);
    double wait = sdca_gap_forecast_epochs_until(
        &schedule->forecast, sdca_evaluation_schedule_target_less_rounding(schedule));

    if (schedule->each_round) {
        return 1.0;
    }
    if (schedule->interval > 0.0) {
        return schedule->interval;
    }
    if (schedule->estimates) {
        return fmin(fmax(tuning_evaluation_min_epochs, now),
                    input.at_rounding ? tuning_evaluation_rounding_epochs : INFINITY);
    }
    return isfinite(wait)
               ? fmax(1.0, fmin(wait, fmax(tuning_evaluation_max_epochs,
                                           now / tuning_evaluation_max_divisor)))
               : 1.0;
}

void sdca_evaluation_schedule_after_evaluation(sdca_evaluation_schedule *schedule,
                                               sdca_schedule_input       input)
{
    schedule->next_evaluation_step =
        steps_after(schedule, input.steps, epochs_to_evaluation(schedule, input));
    schedule_estimate(schedule, input);
    schedule->estimate_meets_target = false;
}

void sdca_evaluation_schedule_fields(sdca_evaluation_schedule *schedule,
                                     sdca_field_io            *io)
{
    sdca_target target = schedule->target;

    sdca_field_io_set_group(io, "evaluation-schedule");
    sdca_field_io_int64(io, "next-evaluation-step", &schedule->next_evaluation_step);
    sdca_field_io_int64(io, "next-estimate-step", &schedule->next_estimate_step);
    sdca_field_io_double(io, "primal", &schedule->primal);
    sdca_field_io_double(io, "forecast-gap", &schedule->forecast.gap);
    sdca_field_io_double(io, "forecast-epoch", &schedule->forecast.epoch);
    sdca_field_io_double(io, "forecast-decay-rate", &schedule->forecast.decay_rate);
    sdca_field_io_double(io, "rounding-bound", &schedule->rounding_bound);
    sdca_field_io_bool(io, "conservative-sigma", &schedule->conservative_sigma);
    sdca_field_io_bool(io, "estimate-meets-target", &schedule->estimate_meets_target);
    sdca_field_io_double(io, "target-gap", &target.gap);
    sdca_field_io_double(io, "target-relative-gap", &target.rel_gap);
    if (target.gap != schedule->target.gap ||
        target.rel_gap != schedule->target.rel_gap) {
        schedule->next_estimate_step    = 0;
        schedule->conservative_sigma    = false;
        schedule->estimate_meets_target = false;
    }
}
