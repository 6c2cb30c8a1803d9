/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.c - writing checkpoints of a run, and resuming one. */
#include "train/checkpoint.h"

#include <math.h>
#include <stdio.h>

#include "mpi/comm.h"
#include "train/evaluation.h"
#include "train/point_fields.h"
#include "train/run_settings.h"

/* The layout of the fields below. Checkpoints of version 1 had other fields. */
enum { CHECKPOINT_VERSION = 2 };

static sdca_run_settings settings_of(const sdca_training_run *r)
{
    sdca_solver solver = sdca_train_options_resolve_solver(
        r->options, r->training.objective, r->training.data, r->training.ranks);

    return sdca_run_settings_of(r->options, solver, r->training.ranks, &r->output);
}

/* The part of a checkpoint that is a model. Called on rank 0. */
static sdca_status write_model(const sdca_training_run *r, sdca_hdf5_file *hdf5)
{
    sdca_model model = *r->options->checkpoint.model;
    double     read  = model.seconds.read;

    model.w             = r->iterate->w;
    model.column_map    = r->training.data->column_map;
    model.bias          = sdca_dataset_intercept(r->training.data, r->iterate->w);
    model.certificate   = r->last.certificate;
    model.history       = r->result->history;
    model.interrupted   = true;
    model.converged     = sdca_training_run_has_converged(r);
    model.seconds       = r->result->times;
    model.seconds.total = r->clock.elapsed;
    model.seconds.read  = read;
    snprintf(model.solver, sizeof model.solver, "%s", r->solver.ops->name);
    return sdca_model_file_write(&model, hdf5);
}

/* The iterate, rounds, steps and clock. */
static void iterate_fields(sdca_training_run *r, sdca_field_io *io)
{
    const sdca_point_names names = { .alpha = "alpha", .w = "w", .w_is_written = true };

    sdca_field_io_set_group(io, "/");
    sdca_field_io_int64(io, "round", &r->iterate->round);
    sdca_field_io_int64(io, "steps", &r->iterate->steps);
    sdca_field_io_int64(io, "replaced-bytes", &r->replaced_bytes);
    sdca_clock_fields(&r->clock, io);
    sdca_point_fields(r->training.objective, sdca_iterate_point(r->iterate), names, io);
    if (!io->writing) {
        sdca_iterate_w_changed(r->iterate);
    }
}

/* Fields that are used only if the settings are the same, besides those of the method. */
static void controller_fields(sdca_training_run *r, sdca_field_io *io)
{
    sdca_stopping_fields(&r->stopping, io);
    sdca_evaluation_fields(r, io);
    sdca_evaluation_schedule_fields(&r->evaluations, io);
}

/* The settings of a run, and its current method. */
static void settings_fields(sdca_run_settings *settings, int *solver, sdca_field_io *io)
{
    sdca_run_settings_fields(settings, io);
    sdca_field_io_set_group(io, "/");
    sdca_field_io_enum(io, "solver", sdca_solver_names, SDCA_SOLVER_COUNT, solver);
}

static sdca_status write_checkpoint(sdca_training_run *r)
{
    const sdca_checkpoint_options *checkpoint = &r->options->checkpoint;
    sdca_run_settings              settings   = settings_of(r);
    sdca_status                    status     = SDCA_OK;
    int                            solver     = (int)r->solver.kind;
    int64_t                        version    = CHECKPOINT_VERSION;
    sdca_field_io                  io;

    SDCA_TRY(sdca_field_io_create(r->training.comm, r->training.data, checkpoint->path,
                                  checkpoint->older_generations, &io));
    if (io.hdf5 != NULL) {
        io.status = write_model(r, io.hdf5);
    }
    sdca_field_io_int64(&io, "checkpoint-version", &version);
    settings_fields(&settings, &solver, &io);
    iterate_fields(r, &io);
    r->solver.ops->fields(r->solver.self, &io, true);
    (void)sdca_output_iterate_fields(&r->output, r->iterate, r->training.objective, &io);
    controller_fields(r, &io);
    status = sdca_field_io_close(&io);

done:
    return status;
}

/* Save the run, call the callback, and account for the cost. */
static sdca_status checkpoint_and_report(sdca_training_run *r)
{
    const sdca_train_callbacks *callbacks = r->callbacks;
    double                      start     = MPI_Wtime();
    sdca_status                 status    = write_checkpoint(r);
    double                      cost      = MPI_Wtime() - start;

    sdca_comm_allreduce_max(r->training.comm, &cost, 1);
    r->result->times.checkpoint += cost;
    r->result->checkpoint_failed = status != SDCA_OK;
    sdca_checkpoint_schedule_after_write(
        &r->checkpoints, r->iterate->round, r->clock.elapsed, cost,
        sdca_training_run_has_converged(r), status != SDCA_OK);
    if (callbacks->on_checkpoint != NULL) {
        callbacks->on_checkpoint(callbacks->context, status, cost);
    }
    return status;
}

sdca_status sdca_checkpoint_write_if_due(sdca_training_run *r)
{
    bool        interrupts = sdca_stopping_must_interrupt(&r->stopping, &r->clock);
    sdca_status status     = SDCA_OK;

    if (r->options->checkpoint.path == NULL ||
        !(interrupts || sdca_training_run_budget_exhausted(r) ||
          sdca_checkpoint_schedule_is_due(&r->checkpoints, r->iterate->round,
                                          r->clock.elapsed))) {
        return SDCA_OK;
    }
    status = checkpoint_and_report(r);
    if (!interrupts) {
        return SDCA_OK; /* an earlier checkpoint is still there */
    }
    r->interrupted = status == SDCA_OK;
    return status;
}

void sdca_checkpoint_write_last(sdca_training_run *r)
{
    if (r->options->checkpoint.path != NULL &&
        !sdca_checkpoint_schedule_is_current(&r->checkpoints, r->iterate->round,
                                             sdca_training_run_has_converged(r))) {
        sdca_output_iterate_copy_best(&r->output, r->iterate);
        (void)checkpoint_and_report(r);
    }
}

static bool nearly_equal(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Is it a checkpoint of this data, and of this objective? */
static sdca_status check_identity(const sdca_training_run *r, const sdca_model *saved,
                                  const char *path)
{
    const sdca_objective *p = r->training.objective, *old = &saved->objective;
    const sdca_dataset   *data = r->training.data;

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

/* Only version 1 wrote checkpoints without a version number. */
static sdca_status check_version(sdca_hdf5_file *hdf5)
{
    int64_t     version = 0;
    sdca_status status  = SDCA_OK;

    if (sdca_hdf5_has_attribute(hdf5, "/", "checkpoint-version")) {
        status = sdca_hdf5_read_attribute(hdf5, "/", "checkpoint-version", SDCA_INT64, 1,
                                          &version);
    }
    return status != SDCA_OK || version == CHECKPOINT_VERSION
               ? status
               : SDCA_FAIL(
                     SDCA_DATA,
                     "'%s' is a checkpoint of %s version of sdca: finish the run with "
                     "that version, or begin with its alpha by --warm-start",
                     sdca_hdf5_path(hdf5),
                     version < CHECKPOINT_VERSION ? "an earlier" : "a later");
}

/* Read the part of a checkpoint that is a model: check that it is of this run, and take
 * its history. */
static sdca_status read_model(sdca_training_run *r, sdca_hdf5_file *hdf5)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_file_read(hdf5, &model));
    SDCA_TRY(check_identity(r, &model, sdca_hdf5_path(hdf5)));
    SDCA_TRY(check_version(hdf5));
    r->checkpoints.converged = model.converged;
    r->result->history       = model.history;
    r->result->times         = model.seconds;
    model.history            = (sdca_history){ 0 }; /* now the run's */

done:
    sdca_model_clear(&model);
    return status;
}

/* Can the method of this run continue from the checkpoint of another? Local. */
static sdca_status check_solver(const sdca_training_run *r, sdca_solver saved)
{
    const sdca_solver_ops *before = sdca_solver_find(saved), *now = r->solver.ops;

    if (before == now || (!before->resumes_alone && !now->resumes_alone)) {
        return SDCA_OK;
    }
    return SDCA_FAIL(
        SDCA_USAGE, "'%s' is a checkpoint of a run %s --solver %s, and so must this be",
        r->options->checkpoint.resume_from, before->resumes_alone ? "with" : "without",
        before->resumes_alone ? before->name : now->name);
}

/* Read the settings of a checkpoint, and choose the method: if that of the same run was
 * replaced, it is replaced here too. Collective. */
static sdca_status read_settings(sdca_training_run *r, sdca_field_io *io,
                                 sdca_solver *saved, bool *same)
{
    sdca_run_settings mine = settings_of(r), theirs = { 0 };
    int               solver = (int)r->solver.kind;
    sdca_status       status = SDCA_OK;

    settings_fields(&theirs, &solver, io);
    *saved = (sdca_solver)solver;
    *same  = sdca_run_settings_equal(&mine, &theirs);
    SDCA_TRY(sdca_comm_agree(r->training.comm, io->status));
    SDCA_TRY(check_solver(r, *saved));
    if (*same && *saved != r->solver.kind && r->solver.ops->has_failed != NULL) {
        SDCA_TRY(sdca_training_run_replace_solver(r));
    }

done:
    return status;
}

/* With other ranks or settings, recompute w and restart the controllers. */
static sdca_status restart_controllers(sdca_training_run *r, bool output_restored)
{
    const sdca_training *training = &r->training;
    sdca_output_iterate *output   = &r->output;

    if (!output_restored && output->kind != SDCA_OUTPUT_BEST &&
        sdca_output_iterate_available(output, r->iterate) &&
        output->kind != SDCA_OUTPUT_LAST) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' has come too far for this --output, whose iterates begin "
                         "after %.4g epochs",
                         r->options->checkpoint.resume_from,
                         (double)output->start_step / (double)training->data->rows);
    }
    if (!output_restored) {
        sdca_snapshot_save(r->iterate, &output->snapshot);
        output->best_step = r->iterate->steps;
    }
    if (r->solver.ops->w_of_alpha) {
        sdca_iterate_recompute_w(training->comm, training->objective, training->data,
                                 r->iterate);
    }
    return sdca_evaluation_perform(r);
}

/* Read the fields of a checkpoint that this run can use: all, if it has the same
 * settings. Returns whether the output is among them. Collective. */
static bool read_fields(sdca_training_run *r, sdca_field_io *io, sdca_solver saved,
                        bool same_settings)
{
    bool output_restored = false;

    iterate_fields(r, io);
    if (saved == r->solver.kind) {
        r->solver.ops->fields(r->solver.self, io, same_settings);
    }
    output_restored =
        sdca_output_iterate_fields(&r->output, r->iterate, r->training.objective, io);
    if (same_settings) {
        controller_fields(r, io);
    }
    r->checkpoints.elapsed = r->clock.elapsed;
    r->checkpoints.round   = r->iterate->round;
    return output_restored;
}

sdca_status sdca_checkpoint_resume(sdca_training_run *r)
{
    const sdca_training *training      = &r->training;
    sdca_status          status        = SDCA_OK;
    bool                 same_settings = false, output_restored = false;
    sdca_solver          saved = r->solver.kind;
    sdca_field_io        io;

    SDCA_TRY(sdca_field_io_open(training->comm, training->data,
                                r->options->checkpoint.resume_from, &io));
    io.status = sdca_comm_agree(training->comm, read_model(r, io.hdf5));
    if (io.status == SDCA_OK) {
        io.status = read_settings(r, &io, &saved, &same_settings);
    }
    if (io.status == SDCA_OK) {
        output_restored = read_fields(r, &io, saved, same_settings);
    }
    SDCA_TRY(sdca_field_io_close(&io));
    if (!same_settings) {
        SDCA_TRY(restart_controllers(r, output_restored));
    }

done:
    return status;
}
