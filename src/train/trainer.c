/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trainer.c - the training loop: rounds of a method until the gap is small enough.
 *
 * sdca_trainer_run() at the end is the table of contents; the functions before it are its
 * steps. */
#include "train/trainer.h"

#include <math.h>

#include "mpi/comm.h"
#include "solver/sgd/sgd.h"
#include "train/checkpoint.h"
#include "train/evaluation.h"
#include "train/training_run.h"

bool sdca_training_run_budget_exhausted(const sdca_training_run *r)
{
    return sdca_stopping_budget_exhausted(&r->stopping, &r->clock, r->iterate);
}

bool sdca_training_run_has_converged(const sdca_training_run *r)
{
    return r->last.round == r->iterate->round &&
           sdca_target_is_met(&r->stopping.target, &r->last.certificate) &&
           sdca_output_iterate_available(&r->output, r->iterate);
}

void sdca_training_run_report_progress(const sdca_training_run *r)
{
    const sdca_phase_seconds *times = &r->result->times;
    double spent = times->local + times->communicate + times->gap + times->checkpoint;
    double gap   = r->evaluations.forecast.gap;
    sdca_progress now = { .round = (double)r->iterate->round,
                          .epoch = sdca_iterate_epochs(r->training.objective, r->iterate),
                          .seconds         = sdca_clock_now(&r->clock),
                          .gap             = gap,
                          .gap_is_estimate = gap != r->last.certificate.gap,
                          .target_gap =
                              sdca_evaluation_schedule_target_gap(&r->evaluations),
                          .communication_fraction =
                              spent > 0.0 ? times->communicate / spent : 0.0 };

    if (r->callbacks->on_progress != NULL) {
        r->callbacks->on_progress(r->callbacks->context, &now);
    }
}

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

/* The average and the random iterate are of the steps after T0; the latter is drawn
 * beforehand, so that T must be known. Local. */
static sdca_status check_output_options(const sdca_train_options *options)
{
    bool random            = options->output == SDCA_OUTPUT_RANDOM;
    bool averages_or_draws = random || options->output == SDCA_OUTPUT_AVERAGE;

    return averages_or_draws && (random || options->epochs > 0) &&
                   options->average_from >= (double)options->epochs
               ? SDCA_FAIL(SDCA_USAGE,
                           "%lld epochs leave no iterate after %g to keep: plan more "
                           "epochs than average_from",
                           (long long)options->epochs, options->average_from)
               : SDCA_OK;
}

static sdca_solver_options solver_options(const sdca_train_options *options)
{
    return (sdca_solver_options){
        .order                = options->order,
        .aggregate            = options->aggregate,
        .deterministic        = options->deterministic,
        .local_steps          = options->local_steps,
        .sigma                = options->sigma,
        .seed                 = options->seed,
        .approximate_step     = options->approximate_step,
        .sgd_start            = options->sgd_start,
        .outputs_single_steps = options->output == SDCA_OUTPUT_AVERAGE ||
                                options->output == SDCA_OUTPUT_RANDOM,
        .epochs = options->epochs,
    };
}

/* Begin to work with a method. Estimates from samples need w = w(alpha), and an output
 * that is the iterate itself. Collective. */
static sdca_status start_solver(sdca_training_run *r, sdca_solver kind)
{
    const sdca_solver_ops *ops    = sdca_solver_find(kind);
    void                  *self   = NULL;
    sdca_status            status = ops->create(&r->training, r->iterate, &self);

    if (status != SDCA_OK) {
        return status;
    }
    r->solver                  = (sdca_active_solver){ kind, ops, self };
    r->stopping.rounding_level = fmax(r->stopping.rounding_level, ops->rounding_level);
    r->evaluations.each_round  = ops->evaluates_each_round;
    r->evaluations.estimates   = ops->w_of_alpha && r->evaluations.interval <= 0.0 &&
                               !r->training.options.outputs_single_steps;
    return SDCA_OK;
}

sdca_status sdca_training_run_replace_solver(sdca_training_run *r)
{
    const sdca_training     *training = &r->training;
    const sdca_active_solver old      = r->solver;
    sdca_status              status   = SDCA_OK;

    SDCA_TRY(start_solver(r, SDCA_SOLVER_SDCA));
    r->replaced       = old;
    r->replaced_bytes = old.ops->state(old.self).bytes;
    if (r->options->output == SDCA_OUTPUT_BEST) {
        sdca_snapshot_restore_alpha(&r->output.snapshot, r->iterate);
    }
    sdca_iterate_recompute_w(training->comm, training->objective, training->data,
                             r->iterate);

done:
    return status;
}

/* The parts of a run, before its method. Local. */
static sdca_status init_parts(sdca_training_run *r)
{
    const sdca_train_options *options = r->options;
    int64_t                   rows    = r->training.objective->rows;
    sdca_status               status  = SDCA_OK;

    r->training.options = solver_options(options);
    r->clock            = sdca_clock_start(options->seconds);
    r->stopping         = (sdca_stopping){ .target     = { options->gap, options->rel_gap },
                                           .max_epochs = options->epochs,
                                           .max_rounds = options->rounds,
                                           .rows       = rows,
                                           .saves_runs = options->checkpoint.path != NULL,
                                           .best_dual  = -INFINITY };
    r->evaluations      = sdca_evaluation_schedule_start(r->stopping.target, rows,
                                                         options->evaluation_interval);
    r->checkpoints      = sdca_checkpoint_schedule_start(&options->checkpoint);
    r->last.round       = -1;
    SDCA_TRY(check_output_options(options));
    SDCA_TRY(sdca_output_iterate_create(
        options->output, (int64_t)(options->average_from * (double)rows),
        options->epochs * rows, options->seed, r->iterate, &r->output));
    r->training.average =
        options->output == SDCA_OUTPUT_AVERAGE ? &r->output.average : NULL;

done:
    return status;
}

/* Collective. */
static sdca_status init(sdca_training_run *r)
{
    sdca_status       status = SDCA_OK;
    sdca_solver_state state;

    SDCA_TRY(sdca_comm_agree(r->training.comm, init_parts(r)));
    r->iterate->allreduce.bytes_sent = 0; /* those of this run */
    SDCA_TRY(start_solver(
        r, sdca_train_options_resolve_solver(r->options, r->training.objective,
                                             r->training.data, r->training.ranks)));
    state                  = r->solver.ops->state(r->solver.self);
    r->result->nodes       = r->training.ranks > 1 ? r->iterate->allreduce.nodes : 1;
    r->result->local_steps = isnan(state.local_steps) ? 1.0 : state.local_steps;

done:
    return status;
}

static void free_run(sdca_training_run *r)
{
    if (r->solver.self != NULL) {
        r->solver.ops->destroy(r->solver.self);
    }
    if (r->replaced.self != NULL) {
        r->replaced.ops->destroy(r->replaced.self);
    }
    sdca_output_iterate_free(&r->output);
}

static void log_round(sdca_training_run *r)
{
    sdca_solver_state    state = r->solver.ops->state(r->solver.self);
    sdca_round_log_entry entry = {
        .round       = (double)r->iterate->round,
        .epoch       = sdca_iterate_epochs(r->training.objective, r->iterate),
        .seconds     = r->clock.elapsed,
        .eta         = state.eta,
        .sigma       = state.sigma,
        .local_steps = state.local_steps,
        .sigma_along = state.sigma_along,
    };

    if (state.logs_rounds) {
        sdca_round_log_append(&r->result->history.round_log, &entry);
    }
}

/* Has the method failed, before rounding errors were all that was left? */
static bool needs_replacement(const sdca_training_run *r)
{
    return r->solver.ops->has_failed != NULL &&
           r->solver.ops->has_failed(r->solver.self) &&
           sdca_duality_gap_relative(&r->output.best_certificate) >
               r->stopping.rounding_level;
}

static sdca_status run_round(sdca_training_run *r)
{
    sdca_phase_seconds *times  = &r->result->times;
    int64_t             before = r->iterate->steps;
    sdca_status         status = SDCA_OK;
    sdca_round_request  request;
    sdca_round_report   report;

    sdca_output_iterate_copy_best(&r->output, r->iterate);
    if (needs_replacement(r)) {
        SDCA_TRY(sdca_training_run_replace_solver(r));
    }
    request = (sdca_round_request){
        .target_gap = sdca_evaluation_schedule_target_less_rounding(&r->evaluations),
        .conservative_sigma = r->evaluations.conservative_sigma,
        .estimate_step      = r->evaluations.next_estimate_step,
        .evaluation_step    = r->evaluations.next_evaluation_step,
        .selected_step =
            r->options->output == SDCA_OUTPUT_RANDOM ? r->output.selected_step : 0
    };
    r->solver.ops->round(r->solver.self, &request, &report);
    sdca_clock_after_round(&r->clock, report.clock, report.out_of_time);
    r->stopping.stop_requested = report.stop_requested;
    r->round_abandoned         = report.abandoned;
    times->local += report.local_seconds;
    times->communicate += report.communicate_seconds;
    if (!report.abandoned) {
        log_round(r);
        sdca_output_iterate_after_round(&r->output, r->iterate, before);
    }

done:
    return status;
}

static bool target_below_rounding(const sdca_training_run *r)
{
    return r->last.certified && sdca_stopping_target_below_rounding(
                                    &r->last.certificate,
                                    sdca_evaluation_schedule_target_gap(&r->evaluations));
}

static bool has_stalled(const sdca_training_run *r)
{
    sdca_run_progress progress = { .steps             = r->iterate->steps,
                                   .round             = r->iterate->round,
                                   .best_step         = r->output.best_step,
                                   .best_relative_gap = sdca_duality_gap_relative(
                                       &r->output.best_certificate) };

    return sdca_output_iterate_available(&r->output, r->iterate) &&
           sdca_stopping_has_stalled(&r->stopping, &progress);
}

static bool has_finished(const sdca_training_run *r)
{
    return r->interrupted || sdca_training_run_has_converged(r) ||
           (r->last.round == r->iterate->round &&
            (sdca_training_run_budget_exhausted(r) || target_below_rounding(r) ||
             has_stalled(r)));
}

static sdca_stop_reason find_stop_reason(const sdca_training_run *r)
{
    return sdca_target_is_met(&r->stopping.target, &r->last.certificate)
               ? SDCA_STOP_CONVERGED
           : target_below_rounding(r)              ? SDCA_STOP_ROUNDING
           : r->stopping.stop_requested            ? SDCA_STOP_REQUESTED
           : sdca_training_run_budget_exhausted(r) ? SDCA_STOP_BUDGET
                                                   : SDCA_STOP_STALLED;
}

/* Is the output a snapshot? The best iterate is, unless the last one will do. */
static bool output_is_snapshot(const sdca_training_run *r)
{
    return r->options->output == SDCA_OUTPUT_BEST
               ? r->output.best_certificate.gap < r->last.certificate.gap &&
                     !sdca_target_is_met(&r->stopping.target, &r->last.certificate)
               : r->options->output != SDCA_OUTPUT_LAST &&
                     sdca_output_iterate_available(&r->output, r->iterate);
}

/* That of the last evaluation, unless that was made by an earlier call, whose test set
 * may have been another. Collective. */
static double last_test_error(const sdca_training_run *r)
{
    const sdca_history *history = &r->result->history;

    return r->last.since_resume ? history->records[history->count - 1].test_error
                                : sdca_evaluation_test_error(r, r->iterate->w);
}

/* The iterate becomes the snapshot that is kept. A snapshot is made by the method that
 * the run began with. */
static sdca_status restore_snapshot(sdca_training_run *r)
{
    const sdca_training      *training = &r->training;
    const sdca_active_solver *first =
        r->replaced.self != NULL ? &r->replaced : &r->solver;

    /* An average is computed anew: a resumed run has none yet. */
    (void)sdca_output_iterate_current(training->comm, training->objective, training->data,
                                      &r->output, r->iterate);
    r->output.snapshot.round = r->iterate->round;
    r->output.snapshot.steps = r->iterate->steps;
    sdca_snapshot_restore(&r->output.snapshot, r->iterate);
    if (first->ops->always_certifies) {
        r->last.certificate = r->output.best_certificate;
        return SDCA_OK;
    }
    return sdca_evaluation_certify(r, first);
}

/* Keep the iterate that was asked for, with a certificate of this call. */
static sdca_status select_output(sdca_training_run *r)
{
    bool        restored = output_is_snapshot(r);
    sdca_status status   = SDCA_OK;

    r->result->output_as_requested =
        sdca_output_iterate_available(&r->output, r->iterate);
    if (restored) {
        SDCA_TRY(restore_snapshot(r));
    } else if (!r->last.certified && !r->solver.ops->always_certifies) {
        SDCA_TRY(sdca_evaluation_certify(r, &r->solver));
    }
    r->result->certificate = r->last.certificate;
    r->result->test_error =
        restored ? sdca_evaluation_test_error(r, r->iterate->w) : last_test_error(r);

done:
    return status;
}

/* Where the time went, and of an interrupted run what was last known of it. */
static void report_times(sdca_training_run *r)
{
    sdca_phase_seconds *times = &r->result->times;
    double              most[5], sum = times->local;

    most[0] = sdca_clock_now(&r->clock);
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    most[4] = times->checkpoint;
    if (r->interrupted) {
        r->result->certificate = r->last.certificate;
        r->result->test_error  = last_test_error(r);
    }
    sdca_comm_allreduce_max(r->training.comm, most, 5);
    sdca_comm_allreduce_sum(r->training.comm, &sum, 1);
    *times = (sdca_phase_seconds){ .total       = most[0],
                                   .local       = most[1],
                                   .communicate = most[2],
                                   .gap         = most[3],
                                   .checkpoint  = most[4],
                                   .mean_local = sum / sdca_comm_size(r->training.comm) };
}

/* An epoch of Modified-SGD on each rank by itself; w of all their alpha. */
static sdca_status run_sgd_start(sdca_training_run *r)
{
    const sdca_training *training = &r->training;
    sdca_status          status   = SDCA_OK;

    sdca_output_iterate_copy_best(&r->output, r->iterate);
    SDCA_TRY(sdca_comm_agree(training->comm,
                             sdca_sgd_initial_alpha(training->objective, training->data,
                                                    training->options.seed,
                                                    training->rank, r->iterate)));
    sdca_iterate_recompute_w(training->comm, training->objective, training->data,
                             r->iterate);
    r->iterate->steps += training->objective->rows;
    r->iterate->round++;
    sdca_output_iterate_after_sgd_start(&r->output, r->iterate);
    SDCA_TRY(sdca_evaluation_perform(r));

done:
    return status;
}

/* The first evaluation is of w = 0, or of the given iterate; with an SGD start there is
 * another after it. */
static sdca_status start(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(r->training.comm,
                             sdca_round_log_create(&r->result->history.round_log)));
    SDCA_TRY(sdca_evaluation_perform(r));
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
    SDCA_TRY(sdca_evaluation_if_due(r));

done:
    return status;
}

sdca_status sdca_trainer_run(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, const sdca_train_options *options,
                             const sdca_train_callbacks *callbacks, sdca_iterate *iterate,
                             sdca_train_result *result)
{
    sdca_status       status = SDCA_OK;
    sdca_training_run r      = { .training  = { .comm      = comm,
                                                .rank      = sdca_comm_rank(comm),
                                                .ranks     = sdca_comm_size(comm),
                                                .objective = objective,
                                                .data      = data },
                                 .options   = options,
                                 .callbacks = callbacks,
                                 .iterate   = iterate,
                                 .result    = result };

    r.training.monitor =
        (sdca_monitor){ &r, clock_now, stop_requested, out_of_time, report_progress };
    SDCA_TRY(init(&r));
    SDCA_TRY(options->checkpoint.resume_from != NULL ? resume(&r) : start(&r));
    while (!has_finished(&r)) {
        SDCA_TRY(run_round(&r));
        sdca_training_run_report_progress(&r);
        SDCA_TRY(sdca_checkpoint_write_if_due(&r));
        SDCA_TRY(sdca_evaluation_if_due(&r));
    }
    if (!r.interrupted) {
        sdca_checkpoint_write_last(&r);
        SDCA_TRY(select_output(&r));
    }
    report_times(&r);
    result->stop_reason = find_stop_reason(&r);
    result->solver      = r.solver.kind;
    status              = r.interrupted                                ? SDCA_INTERRUPTED
                          : result->stop_reason == SDCA_STOP_CONVERGED ? SDCA_OK
                                                                       : SDCA_BUDGET;

done:
    free_run(&r);
    return status;
}
