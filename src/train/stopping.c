/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stopping.c - when a run ends: target reached, budget used up, or no more progress. */
#include "train/stopping.h"

#include <math.h>

#include "base/tuning.h"

bool sdca_stopping_must_stop(const sdca_stopping *stopping, const sdca_clock *clock)
{
    return stopping->stop_requested || sdca_clock_is_over(clock, clock->elapsed);
}

bool sdca_stopping_budget_exhausted(const sdca_stopping *stopping,
                                    const sdca_clock *clock, const sdca_iterate *iterate)
{
    return (stopping->max_epochs > 0 &&
            iterate->steps >= stopping->max_epochs * stopping->rows) ||
           (stopping->max_rounds > 0 && iterate->round >= stopping->max_rounds) ||
           (!stopping->saves_runs && sdca_stopping_must_stop(stopping, clock));
}

bool sdca_stopping_must_interrupt(const sdca_stopping *stopping, const sdca_clock *clock)
{
    return stopping->saves_runs && sdca_stopping_must_stop(stopping, clock);
}

bool sdca_stopping_target_below_rounding(const sdca_certificate *certificate,
                                         double                  target_gap)
{
    return certificate->rounding >= target_gap &&
           !(certificate->gap - certificate->rounding > target_gap);
}

/* So near the optimum that only rounding errors are left, the target may be out of
 * reach. */
static bool stalled_at_rounding(const sdca_stopping     *stopping,
                                const sdca_run_progress *progress,
                                double                   epochs_since_best)
{
    return epochs_since_best > tuning_rounding_patience &&
           progress->best_relative_gap <= stopping->rounding_level;
}

/* Where lambda is very small or columns differ greatly in scale, a run may make hardly
 * any progress far from the optimum: neither a smaller gap nor a larger D in half of all
 * steps. It would not end in any useful time. */
static bool stalled_far_from_optimum(const sdca_stopping     *stopping,
                                     const sdca_run_progress *progress)
{
    double n       = (double)stopping->rows;
    double stalled = (double)(progress->steps - stopping->progress_step) / n;

    return stopping->max_epochs == 0 && stopping->max_rounds == 0 &&
           stalled >= fmax(tuning_stall_patience,
                           (double)progress->steps / n / tuning_stall_divisor);
}

bool sdca_stopping_has_stalled(const sdca_stopping     *stopping,
                               const sdca_run_progress *progress)
{
    double epochs_since_best =
        (double)(progress->steps - progress->best_step) / (double)stopping->rows;

    return stalled_at_rounding(stopping, progress, epochs_since_best) ||
           stalled_far_from_optimum(stopping, progress);
}

/* A gain is negligible below this fraction of the gap: if half of all steps gain less, a
 * million times as many would be needed. */
void sdca_stopping_observe(sdca_stopping *stopping, const sdca_certificate *certificate,
                           double best_gap, int64_t steps)
{
    double negligible = tuning_negligible_gain * fmin(best_gap, certificate->gap);
    bool   dual_rose  = certificate->dual > stopping->best_dual + negligible;

    if (dual_rose) {
        stopping->best_dual = certificate->dual;
    }
    if (dual_rose || best_gap - certificate->gap > negligible) {
        stopping->progress_step = steps;
    }
}

void sdca_stopping_fields(sdca_stopping *stopping, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "stopping");
    sdca_field_io_double(io, "best-dual", &stopping->best_dual);
    sdca_field_io_int64(io, "progress-step", &stopping->progress_step);
}
