/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trainer.c - the training loop: rounds of a method until the gap is small enough.
 *
 * sdca_trainer_run_models() is the table of contents; the functions before it are its
 * steps. */
#include "train/trainer.h"

#include "mpi/comm.h"
#include "solver/sgd/sgd.h"
#include "train/checkpoint.h"
#include "train/gap_evaluation.h"
#include "train/training_run.h"

/* What methods may ask in the course of a round. */
static double clock_now(void *context)
{
    const sdca_training_run *r = context;

    return sdca_clock_now(&r->clock);
}

static bool stop_requested(void *context)
{
    const sdca_training_run    *r         = context;
    const sdca_train_callbacks *callbacks = r->callbacks;

    return callbacks->stop_requested != NULL &&
           callbacks->stop_requested(callbacks->context);
}

static bool out_of_time(void *context)
{
    const sdca_training_run *r = context;

    return sdca_clock_is_over(&r->clock, sdca_clock_now(&r->clock));
}

static void report_progress(void *context)
{
    sdca_training_run_report_progress(context);
}

static void log_round(const sdca_training_run *r, const sdca_model_run *m)
{
    sdca_solver_state    state = r->solver.ops->state(r->solver.self, m->number);
    sdca_round_log_entry entry = {
        .round       = (double)m->iterate->round,
        .epoch       = sdca_iterate_epochs(m->objective, m->iterate),
        .seconds     = r->clock.elapsed,
        .eta         = state.eta,
        .sigma       = state.sigma,
        .local_steps = state.local_steps,
        .sigma_along = state.sigma_along,
    };

    if (state.logs_rounds) {
        sdca_round_log_append(&m->result->history.round_log, &entry);
    }
}

/* Has the method failed, before rounding errors were all that was left? */
static bool needs_replacement(const sdca_training_run *r)
{
    const sdca_model_run *m = &r->model[0];

    return r->solver.ops->has_failed != NULL &&
           r->solver.ops->has_failed(r->solver.self) &&
           sdca_duality_gap_relative(&m->output.best_certificate) >
               m->stopping.rounding_level;
}

/* A model whose estimated gap meets the target waits for its evaluation. */
static sdca_round_request request_of(const sdca_training_run *r, const sdca_model_run *m)
{
    return (sdca_round_request){
        .active     = !m->finished && !m->evaluations.estimate_meets_target,
        .target_gap = sdca_evaluation_schedule_target_less_rounding(&m->evaluations),
        .conservative_sigma = m->evaluations.conservative_sigma,
        .estimate_step      = m->evaluations.next_estimate_step,
        .evaluation_step    = m->evaluations.next_evaluation_step,
        .selected_step =
            r->options->output == SDCA_OUTPUT_RANDOM ? m->output.selected_step : 0
    };
}

/* The end of a round for one model that took part in it. */
static void finish_round(sdca_training_run *r, sdca_model_run *m, int64_t steps_before)
{
    log_round(r, m);
    sdca_output_iterate_after_round(&m->output, m->iterate, steps_before);
}

static sdca_status run_round(sdca_training_run *r)
{
    int                models = r->training.models;
    sdca_status        status = SDCA_OK;
    sdca_round_request request[SDCA_MAX_LANES];
    int64_t            before[SDCA_MAX_LANES];
    sdca_round_report  report;

    for (int k = 0; k < models; k++) {
        before[k] = r->model[k].iterate->steps;
        if (!r->model[k].finished) {
            sdca_output_iterate_copy_best(&r->model[k].output, r->model[k].iterate);
        }
    }
    if (needs_replacement(r)) {
        SDCA_TRY(sdca_training_run_replace_solver(r));
    }
    for (int k = 0; k < models; k++) {
        request[k] = request_of(r, &r->model[k]);
    }
    r->solver.ops->round(r->solver.self, request, &report);
    sdca_clock_after_round(&r->clock, report.clock, report.out_of_time);
    r->round_abandoned = report.abandoned;
    r->times.local += report.local_seconds;
    r->times.communicate += report.communicate_seconds;
    for (int k = 0; k < models; k++) {
        r->model[k].stopping.stop_requested = report.stop_requested;
        if (!report.abandoned && request[k].active) {
            finish_round(r, &r->model[k], before[k]);
        }
    }

done:
    return status;
}

/* Have all models come to their end? */
static bool all_have_ended(const sdca_training_run *r)
{
    bool all = true;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_model_run *m = &r->model[k];

        all = all && (m->finished || sdca_training_run_model_has_ended(r, m));
    }
    return all;
}

/* Keep the results of the models that have ended. all: all have, or the run was
 * interrupted. Collective. */
static sdca_status finish_models(sdca_training_run *r, bool *all)
{
    sdca_status status = SDCA_OK;

    *all = r->interrupted || all_have_ended(r);
    if (r->interrupted) {
        return SDCA_OK;
    }
    if (*all) {
        sdca_checkpoint_write_last(r);
    }
    for (int k = 0; k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        if (!m->finished && sdca_training_run_model_has_ended(r, m)) {
            SDCA_TRY(sdca_training_run_finish_model(r, m));
        }
    }

done:
    return status;
}

/* An epoch of Modified-SGD on each rank by itself; w of all their alpha. */
static sdca_status run_sgd_start(sdca_training_run *r)
{
    const sdca_training *training = &r->training;
    sdca_model_run      *m        = &r->model[0];
    sdca_status          status   = SDCA_OK;

    sdca_output_iterate_copy_best(&m->output, m->iterate);
    SDCA_TRY(sdca_comm_agree(training->comm,
                             sdca_sgd_initial_alpha(m->objective, training->data,
                                                    training->options.seed,
                                                    training->rank, m->iterate)));
    sdca_iterate_recompute_w(training->comm, m->objective, training->data, 1, m->iterate);
    m->iterate->steps += m->objective->rows;
    m->iterate->round++;
    sdca_output_iterate_after_sgd_start(&m->output, m->iterate);
    SDCA_TRY(sdca_gap_evaluation_perform(r));

done:
    return status;
}

/* Logs of rounds, where there are none: for several classes, checkpoints have none. */
static sdca_status create_logs(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k < r->training.models && status == SDCA_OK; k++) {
        sdca_round_log *log = &r->model[k].result->history.round_log;

        status = log->entries == NULL ? sdca_round_log_create(log) : SDCA_OK;
    }
    return sdca_comm_agree(r->training.comm, status);
}

/* The first evaluation is of w = 0, or of the given iterate; with an SGD start there is
 * another after it. */
static sdca_status start(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(create_logs(r));
    SDCA_TRY(sdca_gap_evaluation_perform(r));
    if (r->options->sgd_start) {
        SDCA_TRY(run_sgd_start(r));
    }

done:
    return status;
}

static sdca_status resume(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_checkpoint_resume(r));
    SDCA_TRY(create_logs(r));
    SDCA_TRY(sdca_gap_evaluation_if_due(r));

done:
    return status;
}

/* The status of a run that has come to its end: that of the worst model. */
static sdca_status final_status(const sdca_training_run *r)
{
    sdca_status worst = SDCA_OK;

    for (int k = 0; k < r->training.models; k++) {
        if (r->model[k].result->stop_reason != SDCA_STOP_CONVERGED) {
            worst = SDCA_BUDGET;
        }
    }
    return r->interrupted ? SDCA_INTERRUPTED : worst;
}

sdca_status sdca_trainer_run_models(const sdca_train_setup *setup, int models,
                                    const sdca_objective *objective,
                                    const sdca_model *description, sdca_iterate *iterate,
                                    sdca_train_result *result)
{
    sdca_status       status   = SDCA_OK;
    bool              finished = false;
    sdca_training_run r        = { .training    = { .comm      = setup->comm,
                                                    .rank      = sdca_comm_rank(setup->comm),
                                                    .ranks     = sdca_comm_size(setup->comm),
                                                    .models    = models,
                                                    .objective = objective,
                                                    .data      = setup->data },
                                   .options     = setup->options,
                                   .callbacks   = setup->callbacks,
                                   .description = description,
                                   .times       = setup->earlier };

    for (int k = 0; k < models; k++) {
        r.model[k] = (sdca_model_run){ .number    = k,
                                       .objective = &objective[k],
                                       .iterate   = &iterate[k],
                                       .result    = &result[k] };
    }
    r.training.monitor =
        (sdca_monitor){ &r, clock_now, stop_requested, out_of_time, report_progress };
    SDCA_TRY(sdca_training_run_init(&r));
    SDCA_TRY(setup->options->checkpoint.resume_from != NULL ? resume(&r) : start(&r));
    SDCA_TRY(finish_models(&r, &finished));
    while (!finished) {
        SDCA_TRY(run_round(&r));
        sdca_training_run_report_progress(&r);
        SDCA_TRY(sdca_checkpoint_write_if_due(&r));
        SDCA_TRY(sdca_gap_evaluation_if_due(&r));
        SDCA_TRY(finish_models(&r, &finished));
    }
    sdca_training_run_report(&r);
    status = final_status(&r);

done:
    sdca_training_run_free(&r);
    return status;
}

sdca_status sdca_trainer_run(const sdca_train_setup *setup,
                             const sdca_objective   *objective,
                             const sdca_model *description, sdca_iterate *iterate,
                             sdca_train_result *result)
{
    return sdca_trainer_run_models(setup, 1, objective, description, iterate, result);
}
