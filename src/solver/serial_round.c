/* SPDX-License-Identifier: BSD-3-Clause
 *
 * serial_round.c - a round of a method that runs on one rank and makes a step per row. */
#include "solver/serial_round.h"

#include <math.h>

#include "base/tuning.h"

sdca_status sdca_serial_round_check_ranks(const sdca_training *training, const char *name)
{
    return training->ranks == 1 ? SDCA_OK
                                : SDCA_FAIL(SDCA_USAGE, "%s runs on one rank, not on %d",
                                            name, training->ranks);
}

sdca_status sdca_serial_round_check_options(const sdca_training *training,
                                            const char          *name)
{
    return !training->options.sgd_start && !training->options.outputs_single_steps
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "%s has no average and no random iterate, and no start with "
                           "SGD",
                           name);
}

double sdca_serial_round_fraction(const sdca_training *training)
{
    double given = training->options.local_steps;

    return given > 0.0 ? given : tuning_single_rank_round;
}

/* The lesser of steps and what is left until a number of steps, if that lies ahead. */
static int64_t limit_steps(int64_t done, int64_t steps, int64_t number)
{
    int64_t left = number - done;

    return left > 0 && left < steps ? left : steps;
}

int64_t sdca_serial_round_steps(const sdca_training      *training,
                                const sdca_iterate       *iterate,
                                const sdca_round_request *request)
{
    const sdca_solver_options *options = &training->options;
    int64_t                    rows    = training->data->x.count;
    double  share = sdca_serial_round_fraction(training) * (double)rows;
    int64_t steps = (int64_t)fmax(1.0, rint(share));
    int64_t left  = options->epochs * rows - iterate->steps;

    steps = options->epochs > 0 && left < steps ? left : steps;
    if (options->local_steps <= 0.0) {
        steps = limit_steps(iterate->steps, steps, request->evaluation_step);
    }
    return rows > 0 ? limit_steps(iterate->steps, steps, request->selected_step) : 0;
}

void sdca_serial_round_finish(const sdca_training *training, double start, int64_t steps,
                              sdca_iterate *iterate, sdca_round_report *out)
{
    const sdca_monitor *monitor = &training->monitor;

    iterate->steps += steps;
    iterate->round++;
    *out =
        (sdca_round_report){ .stop_requested = monitor->stop_requested(monitor->context),
                             .clock          = monitor->clock(monitor->context) };
    out->local_seconds = out->clock - start;
}

sdca_solver_state sdca_serial_round_state(const sdca_training *training)
{
    return (sdca_solver_state){ .eta         = 1.0,
                                .sigma       = 1.0,
                                .sigma_along = NAN,
                                .local_steps = sdca_serial_round_fraction(training) };
}
