/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.c - checkpoints: when a run is saved, and how another goes on from there. */
#include "train/checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"
#include "train/checkpoint_fields.h"
#include "train/evaluation.h"

enum { SCHEDULE_SIZE = 256 };

/* The share of all time that writing may take where the interval is ours to choose. */
static const double max_time_fraction = 0.02;

/* All that decides how rounds follow each other, but for the data. */
static void describe_schedule(const sdca_training_run *r, char text[SCHEDULE_SIZE])
{
    const sdca_train_options *options = r->options;
    bool                      averages_or_draws =
        options->output == SDCA_OUTPUT_AVERAGE || options->output == SDCA_OUTPUT_RANDOM;

    snprintf(
        text, SCHEDULE_SIZE,
        "controllers 4 ranks %d seed %llu solver %d order %d aggregate %d sigma "
        "%.17g local-steps "
        "%.17g deterministic %d step %d output %d from %lld to %lld",
        sdca_comm_size(r->comm), (unsigned long long)options->seed,
        (int)sdca_train_options_resolve_solver(options, r->objective, r->data,
                                               sdca_comm_size(r->comm)),
        (int)options->order, (int)options->aggregate, options->sigma,
        options->local_steps, options->deterministic, options->approximate_step,
        (int)options->output, (long long)(averages_or_draws ? r->output.start_step : 0),
        (long long)(options->output == SDCA_OUTPUT_RANDOM ? r->output.selected_step : 0));
}

/* One byte for each of my rows, in whole groups. Collective. */
static sdca_status alloc_row_flags(const sdca_training_run *r, uint8_t **row_flags)
{
    *row_flags = calloc((size_t)r->data->x.count + SDCA_SHRINKING_GROUP_SIZE, 1);
    return sdca_comm_agree(r->comm,
                           *row_flags != NULL
                               ? SDCA_OK
                               : SDCA_FAIL(SDCA_MEMORY, "no memory for a checkpoint"));
}

/* The part of a checkpoint that is a model; rank 0's work. */
static sdca_status write_model(sdca_training_run *r, sdca_hdf5_file *hdf5)
{
    sdca_status               status = SDCA_OK;
    sdca_model                model  = *r->options->checkpoint.model;
    const sdca_phase_seconds *times  = &r->result->times;
    char                      schedule[SCHEDULE_SIZE];

    model.w           = r->iterate->w;
    model.column_map  = r->data->column_map;
    model.bias        = sdca_dataset_intercept(r->data, r->iterate->w);
    model.certificate = r->last_certificate;
    model.history     = r->result->history;
    model.interrupted = true;
    model.converged   = sdca_training_run_converged(r);
    model.seconds     = (sdca_model_seconds){ .total       = r->elapsed,
                                              .read        = model.seconds.read,
                                              .local       = times->local,
                                              .communicate = times->communicate,
                                              .gap         = times->gap,
                                              .checkpoint  = times->checkpoint };
    snprintf(model.solver, sizeof model.solver, "%s", sdca_solver_name(r->solver));
    describe_schedule(r, schedule);
    SDCA_TRY(sdca_model_file_write(&model, hdf5));
    SDCA_TRY(sdca_hdf5_write_string_attribute(hdf5, "/", "schedule", schedule));

done:
    return status;
}

static sdca_status write_checkpoint(sdca_training_run *r)
{
    const sdca_checkpoint_options *checkpoint = &r->options->checkpoint;
    sdca_status                    status     = SDCA_OK;
    int64_t                        solver     = r->solver;
    uint8_t                       *row_flags  = NULL;
    sdca_field_io                  io;

    SDCA_TRY(alloc_row_flags(r, &row_flags));
    SDCA_TRY(sdca_field_io_create(r->comm, r->data, checkpoint->path,
                                  checkpoint->older_generations, &io));
    if (io.hdf5 != NULL) {
        io.status = write_model(r, io.hdf5);
    }
    sdca_checkpoint_fields_iterate(r, &io, &solver);
    if (r->solver == SDCA_SOLVER_SGD) {
        sdca_checkpoint_fields_sgd(r, &io);
    } else if (r->solver == SDCA_SOLVER_NEWTON) {
        sdca_checkpoint_fields_newton(r, &io);
    }
    sdca_checkpoint_fields_output(r, &io);
    sdca_checkpoint_fields_controllers(r, &io);
    sdca_checkpoint_fields_row_order(r, &io, row_flags);
    status = sdca_field_io_close(&io);

done:
    free(row_flags);
    return status;
}

/* Save the run, tell, and see what it cost. */
static sdca_status checkpoint_and_report(sdca_training_run *r)
{
    const sdca_checkpoint_options *checkpoint = &r->options->checkpoint;
    const sdca_train_callbacks    *callbacks  = r->callbacks;
    double                         start      = MPI_Wtime();
    sdca_status                    status     = write_checkpoint(r);
    double                         cost       = MPI_Wtime() - start;

    sdca_comm_allreduce_max(r->comm, &cost, 1);
    r->result->times.checkpoint += cost;
    r->result->checkpoint_failed = status != SDCA_OK;
    r->checkpoint_round          = r->iterate->round;
    r->checkpoint_converged      = sdca_training_run_converged(r);
    r->checkpoint_elapsed        = r->elapsed + cost;
    r->checkpoint_interval =
        checkpoint->adaptive_interval
            ? fmax(checkpoint->interval_seconds, cost / max_time_fraction - cost)
            : checkpoint->interval_seconds;
    if (callbacks->on_checkpoint != NULL) {
        callbacks->on_checkpoint(callbacks->context, status, cost);
    }
    return status;
}

static bool checkpoint_due(const sdca_training_run *r)
{
    const sdca_checkpoint_options *checkpoint = &r->options->checkpoint;

    return sdca_training_run_must_interrupt(r) || sdca_training_run_budget_exhausted(r) ||
           (checkpoint->interval_rounds > 0 &&
            r->iterate->round - r->checkpoint_round >= checkpoint->interval_rounds) ||
           (r->checkpoint_interval > 0.0 &&
            r->elapsed - r->checkpoint_elapsed >= r->checkpoint_interval);
}

sdca_status sdca_checkpoint_write_if_due(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    if (r->options->checkpoint.path == NULL || !checkpoint_due(r)) {
        return SDCA_OK;
    }
    status = checkpoint_and_report(r);
    if (!sdca_training_run_must_interrupt(r)) {
        return SDCA_OK; /* what was saved before is still there */
    }
    r->interrupted = status == SDCA_OK;
    return status;
}

void sdca_checkpoint_write_last(sdca_training_run *r)
{
    if (r->options->checkpoint.path != NULL &&
        (r->checkpoint_round != r->iterate->round || r->result->checkpoint_failed ||
         r->checkpoint_converged != sdca_training_run_converged(r))) {
        sdca_output_iterate_copy_best(&r->output, r->iterate);
        (void)checkpoint_and_report(r);
    }
}

static bool nearly_equal(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Is this the data, and the problem? */
static sdca_status check_identity(const sdca_training_run *r, const sdca_model *saved,
                                  const char *path)
{
    const sdca_objective *p = r->objective, *old = &saved->objective;
    const sdca_dataset   *data = r->data;

    if (!saved->interrupted) {
        return SDCA_FAIL(
            SDCA_DATA, "'%s' is a model, not a checkpoint: --warm-start begins with one",
            path);
    }
    if (saved->fingerprint != data->fingerprint || old->rows != data->rows ||
        saved->columns != sdca_dataset_feature_count(data) ||
        saved->nonzeros != data->nonzeros) {
        return SDCA_FAIL(
            SDCA_DATA,
            "'%s' is a checkpoint of other data: %lld rows, %ld columns and %lld "
            "non-zeros there, %lld, %ld and %lld here%s",
            path, (long long)old->rows, (long)saved->columns, (long long)saved->nonzeros,
            (long long)data->rows, (long)sdca_dataset_feature_count(data),
            (long long)data->nonzeros,
            saved->fingerprint != data->fingerprint ? ", and other values" : "");
    }
    if (saved->normalized != data->normalized) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --normalize %s",
                         path, saved->normalized ? "rows" : "none");
    }
    if (saved->bias_value != data->bias) {
        return SDCA_FAIL(SDCA_USAGE, "'%s' is a checkpoint of a run with --bias %g", path,
                         saved->bias_value);
    }
    if (old->loss != p->loss ||
        (p->loss->parameter != NULL && old->parameter != p->parameter) ||
        !nearly_equal(old->lambda, p->lambda)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' is a checkpoint of %s with lambda %.10g, not of %s with "
                         "lambda %.10g: --warm-start begins with its alpha instead",
                         path, old->loss->name, old->lambda, p->loss->name, p->lambda);
    }
    return SDCA_OK;
}

/* What is not among the fields: is this a checkpoint of this run, its history, and how
 * its rounds came about. */
static sdca_status read_model(sdca_training_run *r, sdca_hdf5_file *hdf5,
                              char schedule[SCHEDULE_SIZE])
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_file_read(hdf5, &model));
    SDCA_TRY(check_identity(r, &model, sdca_hdf5_path(hdf5)));
    SDCA_TRY(
        sdca_hdf5_read_string_attribute(hdf5, "/", "schedule", schedule, SCHEDULE_SIZE));
    r->checkpoint_converged = model.converged;
    r->result->history      = model.history;
    r->result->times        = (sdca_phase_seconds){ .local       = model.seconds.local,
                                                    .communicate = model.seconds.communicate,
                                                    .gap         = model.seconds.gap,
                                                    .checkpoint  = model.seconds.checkpoint };
    model.history           = (sdca_history){ 0 }; /* now the run's */

done:
    sdca_model_clear(&model);
    return status;
}

/* The clock goes on from where it was. */
static void resume_clock(sdca_training_run *r)
{
    r->elapsed_at_resume  = r->elapsed;
    r->start_time         = MPI_Wtime() - r->elapsed;
    r->checkpoint_elapsed = r->elapsed;
    r->checkpoint_round   = r->iterate->round;
}

/* With other ranks or settings: w is made of alpha once more, and nothing is known of how
 * rounds go. */
static sdca_status restart_controllers(sdca_training_run *r, bool output_restored)
{
    sdca_output_iterate *output = &r->output;

    if (!output_restored && output->kind != SDCA_OUTPUT_BEST &&
        sdca_output_iterate_available(output, r->iterate) &&
        output->kind != SDCA_OUTPUT_LAST) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' has come too far for this --output, whose iterates begin "
                         "after %.4g epochs",
                         r->options->checkpoint.resume_from,
                         (double)output->start_step / (double)r->data->rows);
    }
    if (!output_restored) {
        sdca_snapshot_save(r->iterate, &output->snapshot);
        output->best_step = r->iterate->steps;
    }
    r->rank_steps = sdca_training_run_estimate_rank_steps(r);
    if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_iterate_recompute_w(r->comm, r->objective, r->data, r->iterate);
    }
    return sdca_evaluation_perform(r);
}

/* The fields of a checkpoint that this run can use: all, if it has the same schedule. */
static void read_fields(sdca_training_run *r, sdca_field_io *io, uint8_t *row_flags,
                        bool same_schedule, bool *output_restored)
{
    int64_t solver = SDCA_SOLVER_AUTO;
    bool    sgd    = r->solver == SDCA_SOLVER_SGD;

    sdca_checkpoint_fields_iterate(r, io, &solver);
    if (io->status == SDCA_OK && (solver == SDCA_SOLVER_SGD) != sgd) {
        io->status = SDCA_FAIL(
            SDCA_USAGE,
            "'%s' is a checkpoint of a run %s --solver sgd, and so must this be",
            r->options->checkpoint.resume_from, sgd ? "without" : "with");
    } else if (sgd) {
        sdca_checkpoint_fields_sgd(r, io);
    } else if (r->solver == SDCA_SOLVER_NEWTON && solver == SDCA_SOLVER_NEWTON) {
        sdca_checkpoint_fields_newton(r, io);
    } else if (same_schedule && solver == SDCA_SOLVER_SDCA) {
        r->solver = SDCA_SOLVER_SDCA; /* Newton was lost */
    }
    *output_restored = sdca_checkpoint_fields_output(r, io);
    if (same_schedule) {
        sdca_checkpoint_fields_controllers(r, io);
        sdca_checkpoint_fields_row_order(r, io, row_flags);
    }
}

sdca_status sdca_checkpoint_resume(sdca_training_run *r)
{
    sdca_status   status        = SDCA_OK;
    uint8_t      *row_flags     = NULL;
    bool          same_schedule = false, output_restored        = false;
    char          schedule[SCHEDULE_SIZE], saved[SCHEDULE_SIZE] = "";
    sdca_field_io io;

    describe_schedule(r, schedule);
    SDCA_TRY(alloc_row_flags(r, &row_flags));
    SDCA_TRY(
        sdca_field_io_open(r->comm, r->data, r->options->checkpoint.resume_from, &io));
    io.status     = sdca_comm_agree(r->comm, read_model(r, io.hdf5, saved));
    same_schedule = strcmp(schedule, saved) == 0;
    if (io.status == SDCA_OK) {
        read_fields(r, &io, row_flags, same_schedule, &output_restored);
    }
    SDCA_TRY(sdca_field_io_close(&io));
    resume_clock(r);
    if (!same_schedule) {
        SDCA_TRY(restart_controllers(r, output_restored));
    }

done:
    free(row_flags);
    return status;
}
