/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.c - writing checkpoints of a run, and resuming one. */
#include "train/checkpoint.h"

#include <math.h>
#include <stdio.h>

#include "mpi/comm.h"
#include "train/checkpoint_model.h"
#include "train/gap_evaluation.h"
#include "train/iterate_fields.h"
#include "train/run_settings.h"
#include "train/solver_choice.h"

static sdca_run_settings settings_of(const sdca_training_run *r)
{
    sdca_solver solver = sdca_solver_choice_for_fit(r->options, r->training.objective,
                                                    r->training.data, r->training.ranks);

    return sdca_run_settings_of(r->options, solver, r->training.ranks,
                                &r->model[0].output);
}

/* With several classes, those of this run, for sdca_checkpoint_read_classes(); and how
 * far it has come, for readers of the model. */
static void class_fields(const sdca_training_run *r, sdca_field_io *io)
{
    int64_t first = sdca_checkpoint_class_of(r, 0), rounds = sdca_training_run_rounds(r),
            steps = 0;

    for (int k = 0; k < r->training.models; k++) {
        steps += r->model[k].iterate->steps;
    }
    sdca_field_io_int64(io, "first-class", &first);
    sdca_field_io_int64(io, "round", &rounds);
    sdca_field_io_int64(io, "steps", &steps);
    if (first != sdca_checkpoint_class_of(r, 0)) {
        sdca_field_io_reject(io, "first-class");
    }
}

/* The clock, and what all models share. */
static void run_fields(sdca_training_run *r, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "/");
    sdca_field_io_int64(io, "replaced-bytes", &r->replaced_bytes);
    sdca_clock_fields(&r->clock, io);
    if (sdca_checkpoint_trains_classes(r)) {
        class_fields(r, io);
    }
}

/* The iterate of a model. With one model, w is that of the file's model. */
static void iterate_fields(const sdca_training_run *r, sdca_model_run *m,
                           sdca_field_io *io)
{
    bool own_w = sdca_checkpoint_has_own_w(r); /* that of the model is another */
    const sdca_point_names names = { .alpha = "alpha",
                                     .w     = own_w ? "iterate-w" : "w",
                                     .w_is_written =
                                         !own_w && !sdca_checkpoint_trains_classes(r) };

    sdca_field_io_set_group(io, "/");
    sdca_field_io_int64(io, "round", &m->iterate->round);
    sdca_field_io_int64(io, "steps", &m->iterate->steps);
    if (r->training.data->intercept) {
        sdca_field_io_double(io, "intercept-centre", &m->iterate->centre);
    }
    m->iterate->starts_at_zero = m->iterate->starts_at_zero && io->writing;
    sdca_point_fields(m->objective, sdca_iterate_point(m->iterate), names, io);
}

/* Fields that are used only if the settings are the same, besides those of the method. */
static void controller_fields(sdca_model_run *m, sdca_field_io *io)
{
    sdca_stopping_fields(&m->stopping, io);
    sdca_gap_evaluation_fields(m, io);
    sdca_field_io_bool(io, "finished", &m->finished);
    sdca_evaluation_schedule_fields(&m->evaluations, io);
    if (sdca_field_io_has_read(io)) { /* a larger budget continues what a budget ended */
        m->finished = m->finished && sdca_training_run_model_converged(m);
    }
    if (sdca_field_io_has_read(io)) { /* only certificates have a bound on rounding */
        m->last.certified = m->last.certificate.rounding > 0.0;
    }
    if (sdca_field_io_has_read(io) && m->finished) {
        m->last.certified              = true;
        m->result->certificate         = m->last.certificate;
        m->result->output_as_requested = true;
        m->result->test_error          = NAN;
    }
}

/* The following fields are those of a model, if there are several. */
static void select_model(const sdca_training_run *r, int k, sdca_field_io *io)
{
    sdca_field_io_set_model(io, sdca_checkpoint_trains_classes(r) ? k : -1);
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
    int64_t                        version    = SDCA_CHECKPOINT_VERSION;
    sdca_field_io                  io;

    SDCA_TRY(sdca_field_io_create(r->training.comm, r->training.data, checkpoint->path,
                                  checkpoint->older_generations, &io));
    if (io.hdf5 != NULL) {
        io.status = sdca_checkpoint_write_model(r, io.hdf5);
    }
    sdca_field_io_int64(&io, "checkpoint-version", &version);
    settings_fields(&settings, &solver, &io);
    run_fields(r, &io);
    for (int k = 0; k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        select_model(r, k, &io);
        iterate_fields(r, m, &io);
        (void)sdca_output_iterate_fields(&m->output, m->iterate, m->objective, &io);
        controller_fields(m, &io);
    }
    sdca_field_io_set_model(&io, -1);
    r->solver.ops->fields(r->solver.self, &io, true);
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
    r->times.checkpoint += cost;
    r->checkpoint_failed = status != SDCA_OK;
    sdca_checkpoint_schedule_after_write(
        &r->checkpoints, sdca_training_run_rounds(r), r->clock.elapsed, cost,
        sdca_training_run_has_converged(r), status != SDCA_OK);
    if (callbacks->on_checkpoint != NULL) {
        callbacks->on_checkpoint(callbacks->context, status, cost);
    }
    return status;
}

/* Is there no budget left for another round? Models that wait for their evaluation make
 * none. */
static bool budgets_exhausted(const sdca_training_run *r)
{
    bool any = false, all = true;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_model_run *m = &r->model[k];
        bool exhausted = sdca_training_run_budget_exhausted(r, m) && !m->finished;

        any = any || exhausted;
        all = all && (exhausted || m->finished || m->evaluations.estimate_meets_target);
    }
    return any && all;
}

sdca_status sdca_checkpoint_write_if_due(sdca_training_run *r)
{
    bool interrupts    = sdca_stopping_must_interrupt(&r->model[0].stopping, &r->clock);
    sdca_status status = SDCA_OK;

    if (r->options->checkpoint.path == NULL ||
        !(interrupts || budgets_exhausted(r) ||
          sdca_checkpoint_schedule_is_due(&r->checkpoints, sdca_training_run_rounds(r),
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
        !sdca_checkpoint_schedule_is_current(&r->checkpoints, sdca_training_run_rounds(r),
                                             sdca_training_run_has_converged(r))) {
        for (int k = 0; k < r->training.models; k++) {
            sdca_output_iterate_copy_best(&r->model[k].output, r->model[k].iterate);
        }
        (void)checkpoint_and_report(r);
    }
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

/* The output of a model could not be restored: start again with it. */
static sdca_status restart_output(const sdca_training_run *r, sdca_model_run *m)
{
    sdca_output_iterate *output = &m->output;

    if (output->kind != SDCA_OUTPUT_BEST &&
        sdca_output_iterate_available(output, m->iterate) &&
        output->kind != SDCA_OUTPUT_LAST) {
        return SDCA_FAIL(SDCA_USAGE,
                         "'%s' is too far along for this --output, whose iterates begin "
                         "after %.4g epochs",
                         r->options->checkpoint.resume_from,
                         (double)output->start_step / (double)r->training.data->rows);
    }
    sdca_snapshot_save(m->iterate, &output->snapshot);
    output->best_step = m->iterate->steps;
    return SDCA_OK;
}

/* With other ranks or settings, recompute w and restart the controllers. */
static sdca_status restart_controllers(sdca_training_run *r, unsigned outputs_restored)
{
    const sdca_training *training = &r->training;
    sdca_status          status   = SDCA_OK;

    for (int k = 0; k < training->models; k++) {
        if ((outputs_restored >> k & 1) == 0) {
            SDCA_TRY(restart_output(r, &r->model[k]));
        }
    }
    if (r->solver.ops->w_of_alpha) {
        sdca_iterate_recompute_w(training->comm, training->objective, training->data,
                                 training->models, r->model[0].iterate);
    }
    SDCA_TRY(sdca_gap_evaluation_perform(r));

done:
    return status;
}

/* Read the fields of a checkpoint that this run can use: all, if it has the same
 * settings. Returns the models whose outputs are among them, as bits. Collective. */
static unsigned read_fields(sdca_training_run *r, sdca_field_io *io, sdca_solver saved,
                            bool same_settings)
{
    unsigned outputs_restored = 0;

    run_fields(r, io);
    for (int k = 0; k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        select_model(r, k, io);
        iterate_fields(r, m, io);
        outputs_restored |=
            (unsigned)sdca_output_iterate_fields(&m->output, m->iterate, m->objective, io)
            << k;
        if (same_settings) {
            controller_fields(m, io);
        }
    }
    sdca_field_io_set_model(io, -1);
    sdca_iterate_w_changed(r->model[0].iterate);
    if (saved == r->solver.kind) {
        r->solver.ops->fields(r->solver.self, io, same_settings);
    }
    r->checkpoints.elapsed = r->clock.elapsed;
    r->checkpoints.round   = sdca_training_run_rounds(r);
    return outputs_restored;
}

sdca_status sdca_checkpoint_resume(sdca_training_run *r)
{
    const sdca_training *training         = &r->training;
    sdca_status          status           = SDCA_OK;
    bool                 same_settings    = false;
    unsigned             outputs_restored = 0;
    sdca_solver          saved            = r->solver.kind;
    sdca_field_io        io;

    SDCA_TRY(sdca_field_io_open(training->comm, training->data,
                                r->options->checkpoint.resume_from, &io));
    io.status = sdca_comm_agree(training->comm, sdca_checkpoint_read_model(r, io.hdf5));
    if (io.status == SDCA_OK) {
        io.status = read_settings(r, &io, &saved, &same_settings);
    }
    if (io.status == SDCA_OK) {
        outputs_restored = read_fields(r, &io, saved, same_settings);
    }
    SDCA_TRY(sdca_field_io_close(&io));
    if (!same_settings) {
        SDCA_TRY(restart_controllers(r, outputs_restored));
    }

done:
    return status;
}
