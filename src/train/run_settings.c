/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_settings.c - the settings that determine the iterates of a run, with the data
 * and the objective. */
#include "train/run_settings.h"

#include "solver/solvers.h"

/* Increased when a controller changes, as a checkpoint of earlier rules cannot be resumed
 * with the same bits. */
enum { CONTROLLERS = 5 };

sdca_run_settings sdca_run_settings_of(const sdca_train_options *options,
                                       sdca_solver solver, int ranks,
                                       const sdca_output_iterate *output)
{
    bool random     = options->output == SDCA_OUTPUT_RANDOM;
    bool has_window = random || options->output == SDCA_OUTPUT_AVERAGE;

    return (sdca_run_settings){ .controllers      = CONTROLLERS,
                                .ranks            = ranks,
                                .seed             = (int64_t)options->seed,
                                .solver           = (int)solver,
                                .order            = (int)options->order,
                                .aggregate        = (int)options->aggregate,
                                .sigma            = options->sigma,
                                .local_steps      = options->local_steps,
                                .deterministic    = options->deterministic,
                                .approximate_step = options->approximate_step,
                                .output           = (int)options->output,
                                .output_start     = has_window ? output->start_step : 0,
                                .output_selected  = random ? output->selected_step : 0 };
}

bool sdca_run_settings_equal(const sdca_run_settings *a, const sdca_run_settings *b)
{
    return a->controllers == b->controllers && a->ranks == b->ranks &&
           a->seed == b->seed && a->solver == b->solver && a->order == b->order &&
           a->aggregate == b->aggregate && a->sigma == b->sigma &&
           a->local_steps == b->local_steps && a->deterministic == b->deterministic &&
           a->approximate_step == b->approximate_step && a->output == b->output &&
           a->output_start == b->output_start && a->output_selected == b->output_selected;
}

void sdca_run_settings_fields(sdca_run_settings *settings, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "settings");
    sdca_field_io_int64(io, "controllers", &settings->controllers);
    sdca_field_io_int64(io, "ranks", &settings->ranks);
    sdca_field_io_int64(io, "seed", &settings->seed);
    sdca_field_io_enum(io, "solver", sdca_solver_names, SDCA_SOLVER_COUNT,
                       &settings->solver);
    sdca_field_io_enum(io, "order", sdca_row_order_names, SDCA_ROW_ORDER_COUNT,
                       &settings->order);
    sdca_field_io_enum(io, "aggregate", sdca_aggregation_names, SDCA_AGGREGATION_COUNT,
                       &settings->aggregate);
    sdca_field_io_double(io, "sigma", &settings->sigma);
    sdca_field_io_double(io, "local-steps", &settings->local_steps);
    sdca_field_io_bool(io, "deterministic", &settings->deterministic);
    sdca_field_io_bool(io, "approximate-step", &settings->approximate_step);
    sdca_field_io_enum(io, "output", sdca_output_names, SDCA_OUTPUT_COUNT,
                       &settings->output);
    sdca_field_io_int64(io, "output-start", &settings->output_start);
    sdca_field_io_int64(io, "output-selected", &settings->output_selected);
}
