/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_schedule.c - when a checkpoint is written. */
#include "train/checkpoint_schedule.h"

#include <math.h>

#include "base/tuning.h"

sdca_checkpoint_schedule sdca_checkpoint_schedule_start(
    const sdca_checkpoint_options *options)
{
    return (sdca_checkpoint_schedule){ .options  = options,
                                       .interval = options->interval_seconds };
}

bool sdca_checkpoint_schedule_is_due(const sdca_checkpoint_schedule *schedule,
                                     int64_t round, double elapsed)
{
    int64_t rounds = schedule->options->interval_rounds;

    return (rounds > 0 && round - schedule->round >= rounds) ||
           (schedule->interval > 0.0 &&
            elapsed - schedule->elapsed >= schedule->interval);
}

bool sdca_checkpoint_schedule_is_current(const sdca_checkpoint_schedule *schedule,
                                         int64_t round, bool converged)
{
    return schedule->round == round && !schedule->failed &&
           schedule->converged == converged;
}

void sdca_checkpoint_schedule_after_write(sdca_checkpoint_schedule *schedule,
                                          int64_t round, double elapsed, double cost,
                                          bool converged, bool failed)
{
    const sdca_checkpoint_options *options = schedule->options;

    schedule->round     = round;
    schedule->elapsed   = elapsed + cost;
    schedule->converged = converged;
    schedule->failed    = failed;
    schedule->interval  = options->adaptive_interval
                              ? fmax(options->interval_seconds,
                                     cost / tuning_checkpoint_max_fraction - cost)
                              : options->interval_seconds;
}
