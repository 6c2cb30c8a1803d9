/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trainer.c - the method: rounds of local steps until the gap is small enough.
 *
 * sdca_trainer_run() below reads as the method does; the functions before it are its
 * words. */
#include "train/trainer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "train/checkpoint.h"
#include "train/evaluation.h"
#include "train/training_run.h"

/* The share of the mean gap below which a row rests: smaller where a row's term is 0
 * or not, than where all terms shrink together. */
static double choose_shrinking_threshold(const sdca_training_run *r)
{
    bool every_step_counts = r->options->output == SDCA_OUTPUT_AVERAGE ||
                             r->options->output == SDCA_OUTPUT_RANDOM;

    return r->options->order != SDCA_ROW_ORDER_AUTO || r->solver == SDCA_SOLVER_SGD ||
                   every_step_counts
               ? 0.0
           : sdca_training_run_loss_is_smooth(r) ? 0.3
                                                 : 0.02;
}

static sdca_status init_sgd(sdca_training_run *r, int rank, int ranks)
{
    return ranks == 1
               ? sdca_sgd_create(r->data, r->options->seed, rank, &r->sgd)
               : SDCA_FAIL(SDCA_USAGE, "plain SGD runs on one rank, not on %d", ranks);
}

static sdca_status init_newton(sdca_training_run *r)
{
    if (r->options->output == SDCA_OUTPUT_AVERAGE ||
        r->options->output == SDCA_OUTPUT_RANDOM || r->options->sgd_start) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method has no average and no random iterate, and no "
                         "start with SGD");
    }
    if (r->data->columns > SDCA_NEWTON_MAX_COLUMNS) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method is for at most %d columns, not for %ld",
                         SDCA_NEWTON_MAX_COLUMNS, (long)r->data->columns);
    }
    return sdca_newton_create(r->data, r->iterate, &r->newton);
}

/* The average and the random iterate are of the steps after T0; the latter is drawn
 * beforehand, so that T must be known. */
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

static sdca_status init_local(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;
    int         rank   = sdca_comm_rank(r->comm);
    int         ranks  = sdca_comm_size(r->comm);
    double      n      = (double)r->objective->rows;

    r->start_time             = MPI_Wtime();
    r->shrinking              = choose_shrinking_threshold(r) > 0.0;
    r->evaluated_round        = -1;
    r->best_dual              = -INFINITY;
    r->conservative_gap_ratio = 1.4;
    r->checkpoint_interval    = r->options->checkpoint.interval_seconds;
    SDCA_TRY(check_output_options(r->options));
    SDCA_TRY(sdca_ascent_create(r->data, r->options->order, r->options->seed, rank,
                                ranks == 1, choose_shrinking_threshold(r),
                                !sdca_training_run_loss_is_smooth(r), &r->ascent));
    SDCA_TRY(sdca_output_iterate_create(r->options->output,
                                        (int64_t)(r->options->average_from * n),
                                        r->options->epochs * r->objective->rows,
                                        r->options->seed, r->iterate, &r->output));
    r->ascent.approximate =
        r->options->approximate_step && r->objective->loss->approximate_step;
    r->ascent.average = ranks == 1 && r->options->output == SDCA_OUTPUT_AVERAGE
                            ? &r->output.average
                            : NULL;
    if (r->solver == SDCA_SOLVER_SGD || r->solver == SDCA_SOLVER_NEWTON) {
        r->dual_w = sdca_alloc_array((size_t)r->data->columns, sizeof *r->dual_w);
        SDCA_TRY(r->dual_w == NULL ? SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns",
                                               (long)r->data->columns)
                 : r->solver == SDCA_SOLVER_SGD ? init_sgd(r, rank, ranks)
                                                : init_newton(r));
    }

done:
    return status;
}

/* The part of the beginning in which ranks meet. Where rounds are long, they are few, and
 * a direction of its own for the mean row would not be worth finding it. Collective. */
static sdca_status init_collective(sdca_training_run *r)
{
    const double long_round = 0.7;
    sdca_status  status     = SDCA_OK;

    r->aggregation   = sdca_aggregation_start(r->options->aggregate, r->options->sigma,
                                              sdca_comm_size(r->comm));
    r->ascent.sigma  = r->aggregation.sigma;
    r->result->nodes = r->aggregation.ranks > 1 ? r->iterate->allreduce.nodes : 1;
    r->iterate->allreduce.bytes_sent = 0; /* those of this run */
    r->round_length                  = sdca_round_length_start(
                         r->options->local_steps, !r->options->deterministic,
                         sdca_round_length_input_of(r->objective, r->data, r->aggregation.ranks,
                                                    r->result->nodes));
    if (!r->round_length.adaptive || r->round_length.fraction < long_round) {
        SDCA_TRY(sdca_aggregation_deflate(r->comm, r->data, &r->ascent, &r->aggregation));
    }
    r->result->local_steps = r->round_length.fraction;

done:
    return status;
}

static void free_run(sdca_training_run *r)
{
    sdca_ascent_free(&r->ascent);
    sdca_sgd_free(&r->sgd);
    sdca_newton_free(&r->newton);
    sdca_output_iterate_free(&r->output);
    free(r->dual_w);
}

static bool stop_requested(const sdca_training_run *r)
{
    const sdca_train_callbacks *callbacks = r->callbacks;

    return callbacks->stop_requested != NULL &&
           callbacks->stop_requested(callbacks->context);
}

static void log_round(sdca_training_run *r)
{
    const sdca_sigma *sigma = &r->ascent.sigma;

    sdca_round_log_append(&r->result->history.round_log,
                          &(sdca_round_log_entry){
                              .round   = (double)r->iterate->round,
                              .epoch   = sdca_iterate_epochs(r->objective, r->iterate),
                              .seconds = r->elapsed,
                              .eta     = r->aggregation.eta,
                              .sigma   = sigma->orthogonal,
                              .local_steps = r->round_length.fraction,
                              .sigma_along = r->ascent.mean_projection != NULL
                                                 ? sigma->mean_direction
                                                 : NAN,
                          });
}

static void sdca_round(sdca_training_run *r, int64_t steps)
{
    sdca_phase_seconds *times = &r->result->times;
    double              start = MPI_Wtime();
    double              middle, ranks = (double)r->aggregation.ranks;
    int64_t             before = r->iterate->steps;
    sdca_round_totals   totals;

    sdca_ascent_run(r->objective, r->data, r->iterate, &r->ascent,
                    sdca_training_run_sigma(r), steps);
    middle = MPI_Wtime();
    totals = (sdca_round_totals){
        .clock            = sdca_comm_rank(r->comm) == 0 ? middle - r->start_time : 0.0,
        .compute_seconds  = middle - start,
        .exchange_seconds = r->allreduce_seconds,
        .stop_requests    = stop_requested(r),
        .sweep_rows_left  = r->ascent.order.count - r->ascent.order.position,
        .sweep_rows       = r->ascent.order.count
    };
    sdca_aggregation_round(r->comm, r->objective, r->iterate, &r->ascent, &r->aggregation,
                           steps, &totals);
    r->elapsed        = totals.clock;
    r->stop_requested = totals.stop_requests > 0.0;
    r->sweep_fraction_left =
        totals.sweep_rows > 0.0 ? totals.sweep_rows_left / totals.sweep_rows : 0.0;
    sdca_round_length_update(
        &r->round_length,
        (double)(r->iterate->steps - before) / (double)r->objective->rows,
        r->aggregation.tight_sigma, r->aggregation.eta, totals.compute_seconds / ranks,
        totals.exchange_seconds / ranks);
    log_round(r);
    r->allreduce_seconds = MPI_Wtime() - middle;
    times->local += middle - start;
    times->communicate += r->allreduce_seconds;
}

static void sgd_round(sdca_training_run *r, int64_t steps)
{
    double start = MPI_Wtime();

    sdca_sgd_run(r->objective, r->data, &r->sgd, steps);
    r->iterate->steps += steps;
    r->iterate->round++;
    r->elapsed        = MPI_Wtime() - r->start_time;
    r->stop_requested = stop_requested(r);
    r->result->times.local += MPI_Wtime() - start;
}

/* A round of Newton's may take minutes: who watches is told meanwhile, and every rank may
 * stop it. */
static sdca_newton_votes vote(void *context)
{
    const sdca_training_run *r     = context;
    double                   clock = MPI_Wtime() - r->start_time;
    double                   limit = r->options->seconds;

    sdca_evaluation_report_progress(r);
    return (sdca_newton_votes){ .clock = sdca_comm_rank(r->comm) == 0 ? clock : 0.0,
                                .stop_requested = stop_requested(r),
                                .out_of_time    = limit > 0.0 &&
                                               clock - r->elapsed_at_resume >= limit };
}

/* What is found is also what an evaluation would find. False: the round is abandoned. */
static bool newton_round(sdca_training_run *r)
{
    sdca_phase_seconds      *times  = &r->result->times;
    const sdca_newton_votes *votes  = &r->newton.total_votes;
    double                   start  = MPI_Wtime();
    double                   before = r->newton.mpi_seconds;
    bool done = sdca_newton_round(r->comm, r->objective, r->data, &r->newton,
                                  sdca_training_run_target_less_rounding(r), r->iterate,
                                  (sdca_newton_callback){ .context = r, .vote = vote });

    r->elapsed = votes->clock;
    if (votes->out_of_time > 0.0) { /* rank 0's clock may be a little behind */
        r->elapsed = fmax(r->elapsed, r->elapsed_at_resume + r->options->seconds);
    }
    r->stop_requested = votes->stop_requested > 0.0;
    times->communicate += r->newton.mpi_seconds - before;
    times->local += MPI_Wtime() - start - (r->newton.mpi_seconds - before);
    return done;
}

/* Newton's method has no proof of its own, but SDCA has: it takes over at the best alpha,
 * and with the counts of what was done so far. */
static void switch_to_sdca(sdca_training_run *r)
{
    r->solver     = SDCA_SOLVER_SDCA;
    r->rank_steps = sdca_training_run_estimate_rank_steps(r);
    r->iterate->allreduce.bytes_sent += r->newton.bytes;
    r->newton.bytes = 0;
    if (r->options->output == SDCA_OUTPUT_BEST) {
        sdca_snapshot_restore_alpha(&r->output.snapshot, r->iterate);
    }
    sdca_iterate_recompute_w(r->comm, r->objective, r->data, r->iterate);
}

static void run_round(sdca_training_run *r)
{
    int64_t before = r->iterate->steps;
    int64_t steps  = r->data->x.count;

    sdca_output_iterate_copy_best(&r->output, r->iterate);
    if (r->solver == SDCA_SOLVER_NEWTON && sdca_newton_has_stalled(&r->newton) &&
        sdca_duality_gap_relative(&r->output.best_certificate) >
            sdca_training_run_rounding_level(r)) {
        switch_to_sdca(r);
    }
    if (r->solver == SDCA_SOLVER_NEWTON) {
        r->round_abandoned = !newton_round(r);
        if (r->round_abandoned) {
            return;
        }
    } else {
        steps = sdca_training_run_next_round_steps(r);
        (r->solver == SDCA_SOLVER_SGD ? sgd_round : sdca_round)(r, steps);
    }
    r->rank_steps += steps;
    sdca_output_iterate_after_round(&r->output, &r->ascent, r->iterate, before);
}

static bool finished(const sdca_training_run *r)
{
    return r->interrupted || sdca_training_run_converged(r) ||
           (r->evaluated_round == r->iterate->round &&
            (sdca_training_run_budget_exhausted(r) ||
             sdca_training_run_target_below_rounding(r) || sdca_training_run_stalled(r)));
}

static sdca_stop_reason find_stop_reason(const sdca_training_run *r)
{
    return sdca_training_run_meets_target(r, &r->last_certificate) ? SDCA_STOP_CONVERGED
           : sdca_training_run_target_below_rounding(r)            ? SDCA_STOP_ROUNDING
           : r->stop_requested                                     ? SDCA_STOP_REQUESTED
           : sdca_training_run_budget_exhausted(r)                 ? SDCA_STOP_BUDGET
                                                                   : SDCA_STOP_STALLED;
}

/* Is what is kept to be fetched back? The best, unless the last one will do. */
static bool restores_output(const sdca_training_run *r)
{
    return r->options->output == SDCA_OUTPUT_BEST
               ? r->output.best_certificate.gap < r->last_certificate.gap &&
                     !sdca_training_run_meets_target(r, &r->last_certificate)
               : r->options->output != SDCA_OUTPUT_LAST &&
                     sdca_output_iterate_available(&r->output, r->iterate);
}

/* What the last evaluation says, unless it is of an earlier run, whose test set may have
 * been another. Collective. */
static double last_test_error(const sdca_training_run *r)
{
    const sdca_history *history = &r->result->history;

    return r->evaluated_since_resume ? history->records[history->count - 1].test_error
                                     : sdca_evaluation_test_error(r, r->iterate->w);
}

/* Keep the iterate that was asked for, with its certificate, which is made afresh for one
 * that is fetched back or was not certified in this run. */
static sdca_status select_output(sdca_training_run *r)
{
    bool        restored = restores_output(r);
    sdca_status status   = SDCA_OK;

    r->result->output_as_requested =
        sdca_output_iterate_available(&r->output, r->iterate);
    if (restored) { /* an average is made anew: a run that goes on has none yet */
        (void)sdca_output_iterate_current(r->comm, r->objective, r->data, &r->output,
                                          r->iterate);
        r->output.snapshot.round = r->iterate->round;
        r->output.snapshot.steps = r->iterate->steps;
        sdca_snapshot_restore(&r->output.snapshot, r->iterate);
        if (r->solver == SDCA_SOLVER_SGD) {
            r->last_certificate = r->output.best_certificate;
        } else { /* Newton's, also if SDCA has taken over since */
            SDCA_TRY(sdca_evaluation_certify_output(r, sdca_iterate_point(r->iterate),
                                                    r->newton.step != NULL));
        }
    } else if (!r->last_is_certified && r->solver != SDCA_SOLVER_SGD) {
        SDCA_TRY(sdca_evaluation_certify_output(r, sdca_iterate_point(r->iterate),
                                                r->solver == SDCA_SOLVER_NEWTON));
    }
    r->result->certificate = r->last_certificate;
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

    most[0] = MPI_Wtime() - r->start_time;
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    most[4] = times->checkpoint;
    if (r->interrupted) {
        r->result->certificate = r->last_certificate;
        r->result->test_error  = last_test_error(r);
    }
    sdca_comm_allreduce_max(r->comm, most, 5);
    sdca_comm_allreduce_sum(r->comm, &sum, 1);
    *times = (sdca_phase_seconds){ .total       = most[0],
                                   .local       = most[1],
                                   .communicate = most[2],
                                   .gap         = most[3],
                                   .checkpoint  = most[4],
                                   .mean_local  = sum / sdca_comm_size(r->comm) };
}

/* An epoch of Modified-SGD on each rank by itself; w of all their alpha. */
static sdca_status run_sgd_start(sdca_training_run *r)
{
    int         rank   = sdca_comm_rank(r->comm);
    sdca_status status = SDCA_OK;

    sdca_output_iterate_copy_best(&r->output, r->iterate);
    SDCA_TRY(sdca_comm_agree(r->comm,
                             sdca_sgd_initial_alpha(r->objective, r->data,
                                                    r->options->seed, rank, r->iterate)));
    sdca_iterate_recompute_w(r->comm, r->objective, r->data, r->iterate);
    r->iterate->steps += r->objective->rows;
    r->iterate->round++;
    r->rank_steps += r->data->x.count;
    sdca_output_iterate_after_sgd_start(&r->output, r->iterate);
    SDCA_TRY(sdca_evaluation_perform(r));

done:
    return status;
}

/* The first evaluation is that of w = 0, or of a state that is given; with a start by
 * SGD there is another after it. */
static sdca_status start(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(
        sdca_comm_agree(r->comm, sdca_round_log_create(&r->result->history.round_log)));
    SDCA_TRY(sdca_evaluation_perform(r));
    if (r->options->sgd_start) {
        SDCA_TRY(run_sgd_start(r));
    }

done:
    return status;
}

static sdca_status evaluate_if_due(sdca_training_run *r)
{
    if (r->interrupted ||
        (r->round_abandoned && r->evaluated_round == r->iterate->round)) {
        return SDCA_OK;
    }
    sdca_evaluation_estimate_if_due(r);
    return sdca_evaluation_due(r) ? sdca_evaluation_perform(r) : SDCA_OK;
}

static sdca_status resume(sdca_training_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_checkpoint_resume(r));
    SDCA_TRY(evaluate_if_due(r));

done:
    return status;
}

sdca_status sdca_trainer_run(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, const sdca_train_options *options,
                             const sdca_train_callbacks *callbacks, sdca_iterate *iterate,
                             sdca_train_result *result)
{
    sdca_status       status = SDCA_OK;
    sdca_training_run r      = { .comm      = comm,
                                 .objective = objective,
                                 .data      = data,
                                 .options   = options,
                                 .callbacks = callbacks,
                                 .iterate   = iterate,
                                 .result    = result };

    r.solver =
        sdca_train_options_resolve_solver(options, objective, data, sdca_comm_size(comm));
    SDCA_TRY(sdca_comm_agree(comm, init_local(&r)));
    SDCA_TRY(init_collective(&r));
    SDCA_TRY(options->checkpoint.resume_from != NULL ? resume(&r) : start(&r));
    while (!finished(&r)) {
        run_round(&r);
        sdca_evaluation_report_progress(&r);
        SDCA_TRY(sdca_checkpoint_write_if_due(&r));
        SDCA_TRY(evaluate_if_due(&r));
    }
    if (!r.interrupted) {
        sdca_checkpoint_write_last(&r);
        SDCA_TRY(select_output(&r));
    }
    report_times(&r);
    result->stop_reason = find_stop_reason(&r);
    result->solver      = r.solver;
    status              = r.interrupted                                ? SDCA_INTERRUPTED
                          : result->stop_reason == SDCA_STOP_CONVERGED ? SDCA_OK
                                                                       : SDCA_BUDGET;

done:
    free_run(&r);
    return status;
}
