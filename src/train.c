/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - the method: rounds of local steps until the gap is small enough.
 *
 * sdca_train() below reads as the method does; the functions before it are its
 * words. */
#include "sdca/train.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate.h"
#include "run.h"
#include "save.h"
#include "sdca/comm.h"
#include "sdca/memory.h"

/* The share of the mean gap below which a row rests: smaller where a row's term is 0
 * or not, than where all terms shrink together. */
static double choose_rest(const sdca_run *r)
{
    bool every_step_counts =
        r->plan->keep == SDCA_KEEP_AVERAGE || r->plan->keep == SDCA_KEEP_RANDOM;

    return r->plan->order != SDCA_ROW_ORDER_AUTO || r->solver == SDCA_SOLVER_SGD ||
                   every_step_counts
               ? 0.0
           : sdca_run_is_smooth(r) ? 0.3
                                   : 0.02;
}

static sdca_status begin_sgd(sdca_run *r, int rank, int ranks)
{
    return ranks == 1
               ? sdca_sgd_create(r->data, r->plan->seed, rank, &r->sgd)
               : SDCA_FAIL(SDCA_USAGE, "plain SGD runs on one rank, not on %d", ranks);
}

static sdca_status begin_newton(sdca_run *r)
{
    if (r->plan->keep == SDCA_KEEP_AVERAGE || r->plan->keep == SDCA_KEEP_RANDOM ||
        r->plan->sgd_start) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method has no average and no random iterate, and no "
                         "start with SGD");
    }
    if (r->data->columns > SDCA_NEWTON_MAX_COLUMNS) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method is for at most %d columns, not for %ld",
                         SDCA_NEWTON_MAX_COLUMNS, (long)r->data->columns);
    }
    return sdca_newton_create(r->data, &r->newton);
}

/* The average and the random iterate are of the steps after T0; the latter is drawn
 * beforehand, so that T must be known. */
static sdca_status check_kept(const sdca_plan *plan)
{
    bool random  = plan->keep == SDCA_KEEP_RANDOM;
    bool selects = random || plan->keep == SDCA_KEEP_AVERAGE;

    return selects && (random || plan->epochs > 0) &&
                   plan->average_from >= (double)plan->epochs
               ? SDCA_FAIL(SDCA_USAGE,
                           "%lld epochs leave no iterate after %g to keep: plan more "
                           "epochs than average_from",
                           (long long)plan->epochs, plan->average_from)
               : SDCA_OK;
}

static sdca_status begin(sdca_run *r)
{
    sdca_status status = SDCA_OK;
    int         rank   = sdca_comm_rank(r->comm);
    int         ranks  = sdca_comm_size(r->comm);
    double      n      = (double)r->problem->rows;
    bool        newton = r->solver == SDCA_SOLVER_NEWTON;

    r->began     = MPI_Wtime();
    r->rests     = choose_rest(r) > 0.0;
    r->evaluated = -1;
    r->highest   = -INFINITY;
    r->within    = 1.4;
    r->interval  = r->plan->saving.seconds;
    SDCA_TRY(check_kept(r->plan));
    SDCA_TRY(sdca_ascent_create(r->data, newton ? NULL : r->state, r->plan->order,
                                r->plan->seed, rank, ranks == 1, choose_rest(r),
                                !sdca_run_is_smooth(r), &r->local));
    SDCA_TRY(sdca_keep_create(r->plan->keep, (int64_t)(r->plan->average_from * n),
                              r->plan->epochs * r->problem->rows, r->plan->seed, r->data,
                              r->state, &r->keep));
    r->local.approximate =
        r->plan->guesses && r->problem->loss->kind == SDCA_LOSS_logistic;
    r->local.average =
        ranks == 1 && r->plan->keep == SDCA_KEEP_AVERAGE ? &r->keep.average : NULL;
    if (r->solver == SDCA_SOLVER_SGD || r->solver == SDCA_SOLVER_NEWTON) {
        r->dual_w = sdca_alloc_array((size_t)r->data->columns, sizeof *r->dual_w);
        SDCA_TRY(r->dual_w == NULL ? SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns",
                                               (long)r->data->columns)
                 : r->solver == SDCA_SOLVER_SGD ? begin_sgd(r, rank, ranks)
                                                : begin_newton(r));
    }

done:
    return status;
}

/* The part of the beginning in which ranks meet. Where rounds are long, they are few, and
 * a direction of its own for the mean row would not be worth finding it. Collective. */
static sdca_status begin_together(sdca_run *r)
{
    const double long_round = 0.7;
    sdca_status  status     = SDCA_OK;

    SDCA_TRY(sdca_aggregation_create(r->comm, r->plan->aggregate, r->plan->sigma,
                                     r->state, &r->local, &r->aggregate));
    r->local.sigma   = r->aggregate.sigma;
    r->result->nodes = r->aggregate.ranks > 1 ? r->aggregate.allreduce.nodes : 1;
    r->pace = sdca_round_length_start(r->plan->local_steps, !r->plan->deterministic,
                                      sdca_round_length_input_of(r->problem, r->data,
                                                                 r->aggregate.ranks,
                                                                 r->result->nodes));
    if (!r->pace.adaptive || r->pace.fraction < long_round) {
        SDCA_TRY(sdca_aggregation_deflate(r->comm, r->data, &r->local, &r->aggregate));
    }
    r->result->local_steps = r->pace.fraction;

done:
    return status;
}

static void end(sdca_run *r)
{
    sdca_ascent_free(&r->local);
    sdca_aggregation_free(&r->aggregate);
    sdca_sgd_free(&r->sgd);
    sdca_newton_free(&r->newton);
    sdca_keep_free(&r->keep);
    free(r->dual_w);
}

static bool is_asked_to_stop(const sdca_run *r)
{
    const sdca_watcher *watcher = r->watcher;

    return watcher->is_asked_to_stop != NULL &&
           watcher->is_asked_to_stop(watcher->context);
}

static void log_round(sdca_run *r)
{
    const sdca_sigma *sigma = &r->local.sigma;

    sdca_rounds_add(
        &r->result->history.rounds,
        &(sdca_round_entry){
            .round       = (double)r->state->round,
            .epoch       = sdca_iterate_epochs(r->problem, r->state),
            .seconds     = r->clock,
            .eta         = r->aggregate.eta,
            .sigma       = sigma->orthogonal,
            .local_steps = r->pace.fraction,
            .sigma_along = r->local.mean_projection != NULL ? sigma->mean_direction : NAN,
        });
}

static void sdca_round(sdca_run *r, int64_t steps)
{
    sdca_times *times = &r->result->times;
    double      start = MPI_Wtime();
    double      middle, ranks = (double)r->aggregate.ranks;
    int64_t     before = r->state->steps;
    double      shared[SDCA_AGGREGATION_CALLER_SCALARS];

    sdca_ascent_run(r->problem, r->data, r->state, &r->local, sdca_run_sigma(r), steps);
    middle    = MPI_Wtime();
    shared[0] = sdca_comm_rank(r->comm) == 0 ? middle - r->began : 0.0;
    shared[1] = middle - start;
    shared[2] = r->waited;
    shared[3] = is_asked_to_stop(r);
    shared[4] = r->local.order.count - r->local.order.position;
    shared[5] = r->local.order.count;
    sdca_aggregation_round(r->comm, r->problem, r->state, &r->local, &r->aggregate, steps,
                           shared);
    r->clock = shared[0];
    r->asked = shared[3] > 0.0;
    r->ahead = shared[5] > 0.0 ? shared[4] / shared[5] : 0.0;
    sdca_round_length_update(
        &r->pace, (double)(r->state->steps - before) / (double)r->problem->rows,
        r->aggregate.tight_sigma, r->aggregate.eta, shared[1] / ranks, shared[2] / ranks);
    log_round(r);
    r->waited = MPI_Wtime() - middle;
    times->local += middle - start;
    times->communicate += r->waited;
}

static void sgd_round(sdca_run *r, int64_t steps)
{
    double start = MPI_Wtime();

    sdca_sgd_run(r->problem, r->data, &r->sgd, steps);
    r->state->steps += steps;
    r->state->round++;
    r->clock = MPI_Wtime() - r->began;
    r->asked = is_asked_to_stop(r);
    r->result->times.local += MPI_Wtime() - start;
}

/* A round of Newton's may take minutes: who watches is told meanwhile, and every rank may
 * stop it. */
static sdca_newton_votes vote(void *context)
{
    const sdca_run *r     = context;
    double          clock = MPI_Wtime() - r->began;
    double          limit = r->plan->seconds;

    sdca_evaluate_between(r);
    return (sdca_newton_votes){ .clock = sdca_comm_rank(r->comm) == 0 ? clock : 0.0,
                                .stop_requested = is_asked_to_stop(r),
                                .out_of_time = limit > 0.0 && clock - r->gone >= limit };
}

/* What is found is also what an evaluation would find. False: the round is abandoned. */
static bool newton_round(sdca_run *r)
{
    sdca_times              *times  = &r->result->times;
    const sdca_newton_votes *votes  = &r->newton.total_votes;
    double                   start  = MPI_Wtime();
    double                   before = r->newton.mpi_seconds;
    bool                     done =
        sdca_newton_round(r->comm, r->problem, r->data, &r->newton, sdca_run_target(r),
                          r->state, (sdca_newton_callback){ .context = r, .vote = vote });

    r->clock = votes->clock;
    if (votes->out_of_time > 0.0) { /* rank 0's clock may be a little behind */
        r->clock = fmax(r->clock, r->gone + r->plan->seconds);
    }
    r->asked = votes->stop_requested > 0.0;
    times->communicate += r->newton.mpi_seconds - before;
    times->local += MPI_Wtime() - start - (r->newton.mpi_seconds - before);
    return done;
}

/* Newton's method has no proof of its own, but SDCA has: it takes over at the best alpha,
 * and with the counts of what was done so far. */
static void give_up_newton(sdca_run *r)
{
    r->solver = SDCA_SOLVER_SDCA;
    r->made   = sdca_run_part_of_steps(r);
    r->aggregate.allreduce.bytes_sent += r->newton.bytes;
    r->newton.bytes = 0;
    if (r->plan->keep == SDCA_KEEP_BEST) {
        memcpy(r->state->alpha, r->keep.kept.alpha,
               r->data->x.count * sizeof *r->state->alpha);
    }
    sdca_iterate_recompute_w(r->comm, r->problem, r->data, r->state);
    sdca_ascent_load(&r->local, r->state);
}

static void one_round(sdca_run *r)
{
    int64_t before = r->state->steps;
    int64_t steps  = r->data->x.count;

    sdca_keep_settle(&r->keep, r->data, r->state);
    if (r->solver == SDCA_SOLVER_NEWTON && sdca_newton_has_stalled(&r->newton) &&
        sdca_duality_gap_relative(&r->keep.best) > sdca_run_limit(r)) {
        give_up_newton(r);
    }
    if (r->solver == SDCA_SOLVER_NEWTON) {
        r->abandoned = !newton_round(r);
        if (r->abandoned) {
            return;
        }
    } else {
        steps = sdca_run_next_steps(r);
        (r->solver == SDCA_SOLVER_SGD ? sgd_round : sdca_round)(r, steps);
    }
    r->made += steps;
    if (r->plan->keep == SDCA_KEEP_RANDOM) {
        sdca_run_bring_state(r);
    }
    sdca_keep_round(&r->keep, r->data, &r->local, r->state, before);
}

static bool finished(const sdca_run *r)
{
    return r->interrupted || sdca_run_is_at_target(r) ||
           (r->evaluated == r->state->round &&
            (sdca_run_is_spent(r) || sdca_run_is_unprovable(r) || sdca_run_is_stuck(r)));
}

static sdca_ending find_ending(const sdca_run *r)
{
    return sdca_run_reached(r, &r->now) ? SDCA_ENDED_AT_TARGET
           : sdca_run_is_unprovable(r)  ? SDCA_ENDED_ROUNDING
           : r->asked                   ? SDCA_ENDED_ASKED
           : sdca_run_is_spent(r)       ? SDCA_ENDED_SPENT
                                        : SDCA_ENDED_STUCK;
}

/* Is what is kept to be fetched back? The best, unless the last one will do. */
static bool is_fetched(const sdca_run *r)
{
    return r->plan->keep == SDCA_KEEP_BEST
               ? r->keep.best.gap < r->now.gap && !sdca_run_reached(r, &r->now)
               : r->plan->keep != SDCA_KEEP_LAST &&
                     sdca_keep_is_ready(&r->keep, r->state);
}

/* What the last evaluation says, unless it is of an earlier run, whose test set may have
 * been another. Collective. */
static double last_test_error(const sdca_run *r)
{
    const sdca_history *history = &r->result->history;

    return r->looked ? history->record[history->count - 1].test_error
                     : sdca_evaluate_test(r, r->state);
}

/* Keep the iterate that was asked for, with its certificate, which is made afresh for one
 * that is fetched back or was not certified in this run. */
static sdca_status keep(sdca_run *r)
{
    bool        fetched = is_fetched(r);
    sdca_status status  = SDCA_OK;

    r->result->kept_as_asked = sdca_keep_is_ready(&r->keep, r->state);
    if (fetched) { /* an average is made anew: a run that goes on has none yet */
        (void)sdca_keep_candidate(r->comm, r->problem, r->data, &r->keep, r->state);
        r->keep.kept.round = r->state->round;
        r->keep.kept.steps = r->state->steps;
        sdca_iterate_copy(r->data, &r->keep.kept, r->state);
        if (r->solver == SDCA_SOLVER_SGD) {
            r->now = r->keep.best;
        } else { /* Newton's, also if SDCA has taken over since */
            SDCA_TRY(sdca_evaluate_kept(r, r->state, r->newton.step != NULL));
        }
    } else if (!r->certified && r->solver != SDCA_SOLVER_SGD) {
        SDCA_TRY(sdca_evaluate_kept(r, r->state, r->solver == SDCA_SOLVER_NEWTON));
    }
    r->result->certificate = r->now;
    r->result->test_error =
        fetched ? sdca_evaluate_test(r, r->state) : last_test_error(r);

done:
    return status;
}

/* Where the time went, and of an interrupted run what was last known of it. */
static void report(sdca_run *r)
{
    sdca_times *times = &r->result->times;
    double      most[5], sum = times->local;

    most[0] = MPI_Wtime() - r->began;
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    most[4] = times->checkpoint;
    if (r->interrupted) {
        r->result->certificate = r->now;
        r->result->test_error  = last_test_error(r);
    }
    sdca_comm_allreduce_max(r->comm, most, 5);
    sdca_comm_allreduce_sum(r->comm, &sum, 1);
    *times = (sdca_times){ .total       = most[0],
                           .local       = most[1],
                           .communicate = most[2],
                           .gap         = most[3],
                           .checkpoint  = most[4],
                           .mean_local  = sum / sdca_comm_size(r->comm) };
}

/* An epoch of Modified-SGD on each rank by itself; w of all their alpha. */
static sdca_status start_with_sgd(sdca_run *r)
{
    int         rank   = sdca_comm_rank(r->comm);
    sdca_status status = SDCA_OK;

    sdca_keep_settle(&r->keep, r->data, r->state);
    SDCA_TRY(sdca_comm_agree(r->comm,
                             sdca_sgd_initial_alpha(r->problem, r->data, r->plan->seed,
                                                    rank, r->state->alpha)));
    sdca_iterate_recompute_w(r->comm, r->problem, r->data, r->state);
    sdca_ascent_load(&r->local, r->state);
    r->state->steps += r->problem->rows;
    r->state->round++;
    r->made += r->data->x.count;
    sdca_keep_start(&r->keep, r->data, r->state);
    SDCA_TRY(sdca_evaluate(r));

done:
    return status;
}

/* The first evaluation is that of w = 0, or of a state that is given; with a start by
 * SGD there is another after it. */
static sdca_status start(sdca_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(r->comm, sdca_rounds_create(&r->result->history.rounds)));
    SDCA_TRY(sdca_evaluate(r));
    if (r->plan->sgd_start) {
        SDCA_TRY(start_with_sgd(r));
    }

done:
    return status;
}

static sdca_status evaluate_if_due(sdca_run *r)
{
    if (r->interrupted || (r->abandoned && r->evaluated == r->state->round)) {
        return SDCA_OK;
    }
    sdca_evaluate_guess(r);
    return sdca_evaluate_is_due(r) ? sdca_evaluate(r) : SDCA_OK;
}

static sdca_status resume(sdca_run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_save_resume(r));
    SDCA_TRY(evaluate_if_due(r));

done:
    return status;
}

sdca_status sdca_train(MPI_Comm comm, const sdca_objective *objective,
                       const sdca_dataset *data, const sdca_plan *plan,
                       const sdca_watcher *watcher, sdca_iterate *iterate,
                       sdca_result *result)
{
    sdca_status status = SDCA_OK;
    sdca_run    r      = { .comm    = comm,
                           .problem = objective,
                           .data    = data,
                           .plan    = plan,
                           .watcher = watcher,
                           .state   = iterate,
                           .result  = result };

    r.solver = sdca_plan_solver(plan, objective, data, sdca_comm_size(comm));
    SDCA_TRY(sdca_comm_agree(comm, begin(&r)));
    SDCA_TRY(begin_together(&r));
    SDCA_TRY(plan->saving.from != NULL ? resume(&r) : start(&r));
    while (!finished(&r)) {
        one_round(&r);
        sdca_evaluate_between(&r);
        SDCA_TRY(sdca_save_if_due(&r));
        SDCA_TRY(evaluate_if_due(&r));
    }
    if (!r.interrupted) {
        sdca_save_last(&r);
        SDCA_TRY(keep(&r));
    }
    report(&r);
    result->ended  = find_ending(&r);
    result->solver = r.solver;
    status         = r.interrupted                           ? SDCA_INTERRUPTED
                     : result->ended == SDCA_ENDED_AT_TARGET ? SDCA_OK
                                                             : SDCA_BUDGET;

done:
    end(&r);
    return status;
}
