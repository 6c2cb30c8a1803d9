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

#include "sdca/bound.h"
#include "sdca/comm.h"
#include "sdca/local.h"
#include "sdca/newton.h"
#include "sdca/pace.h"
#include "sdca/sgd.h"

/* A relative gap so small that rounding is all there is, for SDCA and for Newton. */
static const double sdca_limit = 1e-12, newton_limit = 1e-10;

/* A run under way. What has the same value on every rank decides; what has not
 * (times) is only reported. */
typedef struct run {
    MPI_Comm            comm;
    const sdca_problem *problem;
    const sdca_dataset *data;
    const sdca_plan    *plan;
    const sdca_watcher *watcher;
    sdca_state         *state;
    sdca_result        *result;
    sdca_local          local;
    sdca_aggregate      aggregate;
    sdca_solver         solver; /* never AUTO */
    sdca_sgd            sgd;
    sdca_newton         newton;
    double             *dual_w; /* room for that of the alpha that certifies w */
    sdca_pace           pace;
    double              waited; /* seconds in the exchange of the last round */
    sdca_keep           keep;
    int64_t             made;      /* this rank's steps */
    sdca_certificate    now;       /* of the last evaluation */
    int64_t             evaluated; /* the round of the last evaluation, or -1 */
    int64_t             due;       /* the next evaluation, in steps */
    bool                hopeful;   /* ... may then find the target reached */
    bool                rests;     /* rows rest, on every rank that has any */
    double              terms;     /* of the gap, of all rows as last seen */
    double              trust;     /* gap / guess at the last evaluation */
    double              began;     /* MPI_Wtime() at the start */
    double              clock;     /* seconds on rank 0 after the last round */
} run;

static bool is_smooth(const run *r)
{
    return r->problem->loss->smoothness(r->problem->parameter) > 0.0;
}

/* The share of the mean gap below which a row rests: smaller where a row's term is 0
 * or not, than where all terms shrink together. */
static double choose_rest(const run *r)
{
    bool every_step_counts =
        r->plan->keep == SDCA_KEEP_AVERAGE || r->plan->keep == SDCA_KEEP_RANDOM;

    return r->plan->order != SDCA_ORDER_AUTO || r->solver == SDCA_SOLVER_SGD ||
                   every_step_counts
               ? 0.0
           : is_smooth(r) ? 0.3
                          : 0.02;
}

static sdca_status begin_sgd(run *r, int rank, int ranks)
{
    return ranks == 1
               ? sdca_sgd_create(r->data, r->plan->seed, rank, &r->sgd)
               : SDCA_FAIL(SDCA_USAGE, "plain SGD runs on one rank, not on %d", ranks);
}

static sdca_status begin_newton(run *r)
{
    if (r->plan->keep == SDCA_KEEP_AVERAGE || r->plan->keep == SDCA_KEEP_RANDOM ||
        r->plan->sgd_start) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method has no average and no random iterate, and no "
                         "start with SGD");
    }
    if (r->data->columns > SDCA_NEWTON_COLUMNS) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the Newton method is for at most %d columns, not for %ld",
                         SDCA_NEWTON_COLUMNS, (long)r->data->columns);
    }
    return sdca_newton_create(r->data, &r->newton);
}

static sdca_status begin(run *r)
{
    sdca_status status = SDCA_OK;
    int         rank   = sdca_comm_rank(r->comm);
    int         ranks  = sdca_comm_size(r->comm);
    double      n      = (double)r->problem->rows;

    r->began     = MPI_Wtime();
    r->rests     = choose_rest(r) > 0.0;
    r->evaluated = -1;
    SDCA_TRY(sdca_local_create(r->data, r->state, r->plan->order, r->plan->seed, rank,
                               ranks == 1, choose_rest(r), !is_smooth(r), &r->local));
    SDCA_TRY(sdca_keep_create(r->plan->keep, (int64_t)(r->plan->average_from * n),
                              r->plan->epochs * r->problem->rows, r->plan->seed,
                              r->problem, r->data, r->state, &r->keep));
    r->local.guesses = r->plan->guesses && r->problem->loss->kind == SDCA_LOSS_logistic;
    r->local.average =
        ranks == 1 && r->plan->keep == SDCA_KEEP_AVERAGE ? &r->keep.average : NULL;
    if (r->solver == SDCA_SOLVER_SGD || r->solver == SDCA_SOLVER_NEWTON) {
        r->dual_w = malloc(((size_t)r->data->columns + 1) * sizeof *r->dual_w);
        SDCA_TRY(r->dual_w == NULL ? SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns",
                                               (long)r->data->columns)
                 : r->solver == SDCA_SOLVER_SGD ? begin_sgd(r, rank, ranks)
                                                : begin_newton(r));
    }

done:
    return status;
}

/* C |x|^2 of a mean row. Collective. */
static double mean_curvature(const run *r)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < r->data->x.count; i++) {
        sum += r->data->norm2[i];
    }
    sdca_comm_sum(r->comm, &sum, 1);
    return r->problem->C * sum / (double)r->data->rows;
}

/* The part of the beginning in which ranks meet. Collective. */
static sdca_status begin_together(run *r)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_aggregate_create(r->comm, r->plan->aggregate, r->plan->sigma,
                                   r->data->columns, r->local.u == NULL, &r->aggregate));
    SDCA_TRY(sdca_aggregate_deflate(r->comm, r->data, &r->local, &r->aggregate));
    r->pace = sdca_pace_start(r->plan->local_steps, !r->plan->deterministic,
                              (sdca_pace_sizes){ r->data->rows, r->data->nonzeros,
                                                 r->data->columns, r->aggregate.ranks,
                                                 r->aggregate.exchange.nodes,
                                                 mean_curvature(r) });
    r->result->local_steps = r->pace.share;

done:
    return status;
}

static void end(run *r)
{
    sdca_local_free(&r->local);
    sdca_aggregate_free(&r->aggregate);
    sdca_sgd_free(&r->sgd);
    sdca_newton_free(&r->newton);
    sdca_keep_free(&r->keep);
    free(r->dual_w);
}

/* The lesser of steps and what is left until a number of steps, if that lies ahead. */
static int64_t no_further(const run *r, int64_t steps, int64_t number)
{
    int64_t left = number - r->state->steps;

    return left > 0 && left < steps ? left : steps;
}

/* This rank's steps for the next round: its share, or what the budget of epochs
 * has left for it. Alone, a round also ends at the iterate drawn to be kept and,
 * if its length is ours to choose, where an evaluation is wanted. */
static int64_t round_steps(const run *r)
{
    int64_t rows  = r->data->x.count;
    int64_t sweep = r->pace.adapts ? sdca_order_sweep(&r->local.order) : rows;
    int64_t steps = (int64_t)fmax(1.0, rint(r->pace.share * (double)sweep));
    int64_t left  = r->plan->epochs * rows - r->made;

    steps = r->plan->epochs > 0 && left < steps ? left : steps;
    if (r->local.u == NULL && r->plan->local_steps <= 0.0) {
        steps = no_further(r, steps, r->due);
    }
    if (r->local.u == NULL && r->plan->keep == SDCA_KEEP_RANDOM) {
        steps = no_further(r, steps, r->keep.drawn);
    }
    return rows > 0 ? steps : 0;
}

static void sdca_round(run *r, int64_t steps)
{
    sdca_times *times = &r->result->times;
    double      start = MPI_Wtime();
    double      middle, ranks = (double)r->aggregate.ranks;
    double      shared[SDCA_AGGREGATE_SHARED];

    sdca_local_solve(r->problem, r->data, r->state, &r->local, r->aggregate.sigma, steps);
    middle    = MPI_Wtime();
    shared[0] = sdca_comm_rank(r->comm) == 0 ? middle - r->began : 0.0;
    shared[1] = middle - start;
    shared[2] = r->waited;
    shared[3] = r->local.rest.sum;
    sdca_aggregate_round(r->comm, r->problem, r->data, r->state, &r->local, &r->aggregate,
                         steps, shared);
    r->clock = shared[0];
    r->terms = shared[3];
    sdca_pace_round(&r->pace, r->aggregate.tight, r->aggregate.eta, shared[1] / ranks,
                    shared[2] / ranks);
    r->waited = MPI_Wtime() - middle;
    times->local += middle - start;
    times->communicate += r->waited;
}

static void sgd_round(run *r, int64_t steps)
{
    double start = MPI_Wtime();

    sdca_sgd_walk(r->problem, r->data, &r->sgd, steps);
    r->state->steps += steps;
    r->state->round++;
    r->clock = MPI_Wtime() - r->began;
    r->result->times.local += MPI_Wtime() - start;
}

/* While rounds go on, alpha is with the local steps. */
static void bring_alpha(run *r)
{
    if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_local_give(&r->local, r->state->alpha);
    }
}

static double target_gap(const run *r)
{
    return r->plan->gap > 0.0 ? r->plan->gap : r->plan->rel_gap * r->now.primal;
}

/* What is found is also what an evaluation would find. */
static void newton_round(run *r)
{
    sdca_times *times  = &r->result->times;
    double      start  = MPI_Wtime();
    double      before = r->newton.exchange;

    r->clock = sdca_comm_rank(r->comm) == 0 ? start - r->began : 0.0;
    sdca_newton_round(r->comm, r->problem, r->data, &r->newton, target_gap(r), r->state,
                      &r->clock);
    times->communicate += r->newton.exchange - before;
    times->local += MPI_Wtime() - start - (r->newton.exchange - before);
}

/* Newton's method has no proof of its own, but SDCA has: it takes over at the best
 * alpha. */
static void give_up_newton(run *r)
{
    r->solver = SDCA_SOLVER_SDCA;
    if (r->plan->keep == SDCA_KEEP_BEST) {
        memcpy(r->state->alpha, r->keep.kept.alpha,
               r->data->x.count * sizeof *r->state->alpha);
    }
    sdca_state_rebuild(r->comm, r->problem, r->data, r->state);
    sdca_local_take(&r->local, r->state);
}

static void one_round(run *r)
{
    int64_t steps  = round_steps(r);
    int64_t before = r->state->steps;

    if (r->solver == SDCA_SOLVER_NEWTON && sdca_newton_is_lost(&r->newton) &&
        sdca_gap_relative(&r->keep.best) > newton_limit) {
        give_up_newton(r);
    }
    r->made += r->solver == SDCA_SOLVER_NEWTON ? r->data->x.count : steps;
    if (r->solver == SDCA_SOLVER_NEWTON) {
        newton_round(r);
    } else if (r->solver == SDCA_SOLVER_SGD) {
        sgd_round(r, steps);
    } else {
        sdca_round(r, steps);
    }
    if (r->plan->keep == SDCA_KEEP_RANDOM) {
        bring_alpha(r);
    }
    sdca_keep_round(&r->keep, r->data, &r->local, r->state, before);
}

static bool reached(const run *r, const sdca_certificate *certificate)
{
    return r->plan->gap > 0.0 ? certificate->gap <= r->plan->gap
                              : sdca_gap_relative(certificate) <= r->plan->rel_gap;
}

static bool budget_is_spent(const run *r)
{
    const sdca_plan *plan = r->plan;

    return (plan->epochs > 0 && r->state->steps >= plan->epochs * r->problem->rows) ||
           (plan->rounds > 0 && r->state->round >= plan->rounds) ||
           (plan->seconds > 0.0 && r->clock >= plan->seconds);
}

/* With rows that rest, their terms of the gap as last seen are a guess of it. */
static bool can_guess(const run *r)
{
    return r->solver == SDCA_SOLVER_SDCA && r->rests;
}

static double guess_gap(const run *r)
{
    return fmax(0.0, r->terms) / (double)r->problem->rows;
}

/* When to look next: ln(gap) falls nearly linearly with the epochs, so the last
 * two evaluations tell when the target may be reached. At least one epoch from now, and
 * never further than half of what is behind us. */
static void schedule(run *r, const sdca_certificate *before, double epochs_between)
{
    double now = sdca_state_epochs(r->problem, r->state);
    double rate =
        epochs_between > 0.0 ? log(before->gap / r->now.gap) / epochs_between : 0.0;
    double wait = rate > 0.0 ? log(r->now.gap / target_gap(r)) / rate : 1.0;
    double most = fmax(can_guess(r) ? 5.0 : 2.0, now / 2.0);

    r->hopeful = !can_guess(r) && rate > 0.0 && wait <= most;
    wait       = can_guess(r) ? most : fmax(1.0, fmin(wait, most));
    wait       = r->solver == SDCA_SOLVER_NEWTON ? 1.0 : wait; /* after every round */
    wait       = r->plan->evaluate > 0.0 ? r->plan->evaluate : wait;
    r->due     = r->state->steps + (int64_t)rint(wait * (double)r->problem->rows);
}

/* P, D and gap of an iterate. Collective. */
static sdca_status measure(run *r, sdca_state *iterate)
{
    if (r->solver == SDCA_SOLVER_SGD) {
        sdca_sgd_weights(r->problem, r->data, &r->sgd, iterate->w);
        return sdca_gap_measure_primal(r->comm, r->problem, r->data, iterate, r->dual_w,
                                       &r->now);
    }
    if (r->local.rest.rows > 0) {
        sdca_status status = sdca_gap_measure(r->comm, r->problem, r->data, iterate,
                                              r->local.rest.term, &r->now);

        sdca_rest_refresh(&r->local.rest);
        return status;
    }
    return sdca_gap_measure(r->comm, r->problem, r->data, iterate, NULL, &r->now);
}

/* Only the line search makes every sigma safe: say so where a run without it is
 * beyond measure. Local. */
static sdca_status explain(const run *r, sdca_status status)
{
    double least = r->aggregate.eta * sdca_comm_size(r->comm);

    if (status != SDCA_DEFECT || r->plan->aggregate == SDCA_AGGREGATE_LINE_SEARCH ||
        r->aggregate.sigma.across >= least) {
        return status;
    }
    return SDCA_FAIL(SDCA_USAGE,
                     "the run diverges: without a line search sigma must be at least %g",
                     least);
}

/* Collective. */
static double test_error(const run *r, const sdca_state *iterate)
{
    const sdca_watcher *watcher = r->watcher;

    return watcher->test_error != NULL ? watcher->test_error(watcher->context, iterate->w)
                                       : NAN;
}

static sdca_record record_of(const run *r, const sdca_state *iterate)
{
    bool aggregates = r->solver != SDCA_SOLVER_NEWTON;

    return (sdca_record){
        .round       = (double)r->state->round,
        .epoch       = sdca_state_epochs(r->problem, r->state),
        .seconds     = MPI_Wtime() - r->began,
        .primal      = r->now.primal,
        .dual        = r->now.dual,
        .gap         = r->now.gap,
        .test_error  = test_error(r, iterate),
        .eta         = r->state->round > 0 && aggregates ? r->aggregate.eta : NAN,
        .sigma       = aggregates ? r->aggregate.sigma.across : NAN,
        .local_steps = aggregates ? r->pace.share : NAN,
        .bytes       = (double)(r->aggregate.exchange.bytes + r->newton.bytes),
        .bound =
            r->plan->bounds ? sdca_bound_gap(r->problem, (double)r->state->steps) : NAN,
    };
}

/* Epochs since the last evaluation. */
static double epochs_gone(const run *r)
{
    const sdca_history *history = &r->result->history;
    double              now     = sdca_state_epochs(r->problem, r->state);

    return history->count > 0 ? now - history->record[history->count - 1].epoch : 0.0;
}

/* A guess that the target is reached is worth a look, if the last look is at least a
 * twelfth of all work ago: looking costs half an epoch. */
static bool guess_is_worth_a_look(const run *r)
{
    return can_guess(r) && r->plan->evaluate <= 0.0 &&
           guess_gap(r) * r->trust <= target_gap(r) &&
           epochs_gone(r) >= sdca_state_epochs(r->problem, r->state) / 12.0;
}

/* May this evaluation be the last? */
static bool may_be_the_end(const run *r)
{
    return r->state->round > 0 &&
           (r->hopeful || guess_is_worth_a_look(r) || budget_is_spent(r));
}

/* P, D and gap of SDCA's iterate, with w made of alpha once more if it may be kept. */
static sdca_status certify_sdca(run *r, sdca_state *iterate, bool afresh)
{
    sdca_status status = SDCA_OK;

    if (afresh) {
        sdca_state_rebuild(r->comm, r->problem, r->data, iterate);
        sdca_local_take(&r->local, r->state);
    }
    SDCA_TRY(explain(r, measure(r, iterate)));
    if (!afresh && reached(r, &r->now)) {
        SDCA_TRY(certify_sdca(r, iterate, true));
    }

done:
    return status;
}

/* Newton's rounds end with a certificate; what may be kept is certified afresh. */
static sdca_status certify_newton(run *r, sdca_state *iterate)
{
    r->now = r->newton.certificate;
    return reached(r, &r->now) || budget_is_spent(r)
               ? sdca_gap_measure_pair(r->comm, r->problem, r->data, iterate, r->dual_w,
                                       &r->now)
               : SDCA_OK;
}

static sdca_status certify(run *r, sdca_state *iterate)
{
    if (r->solver == SDCA_SOLVER_NEWTON && r->state->round > 0) {
        return certify_newton(r, iterate);
    }
    return r->solver == SDCA_SOLVER_SDCA ? certify_sdca(r, iterate, may_be_the_end(r))
                                         : measure(r, iterate);
}

/* Certify the present iterate, remember it if it is the best, and tell. */
static sdca_status evaluate(run *r)
{
    sdca_status      status = SDCA_OK;
    sdca_certificate before = r->now;
    double           start  = MPI_Wtime();
    double           gone   = epochs_gone(r);
    double           guess  = guess_gap(r);
    double stale = is_smooth(r) ? 0.5 : 1.0; /* terms are older than their rows' steps */
    sdca_state *iterate;
    sdca_record record;

    bring_alpha(r);
    iterate = sdca_keep_candidate(r->comm, r->problem, r->data, &r->keep, r->state);
    SDCA_TRY(certify(r, iterate));
    r->trust = guess > 0.0 ? fmin(3.0, fmax(0.3, r->now.gap / guess)) : stale;
    sdca_keep_evaluated(&r->keep, r->data, iterate, r->state, &r->now);
    r->evaluated = r->state->round;
    r->result->times.gap += MPI_Wtime() - start;
    record = record_of(r, iterate);
    SDCA_TRY(sdca_comm_agree(r->comm, sdca_history_add(&r->result->history, &record)));
    if (r->watcher->evaluated != NULL) {
        r->watcher->evaluated(r->watcher->context, &record);
    }
    schedule(r, &before, gone);

done:
    return status;
}

static bool evaluation_is_due(const run *r)
{
    return r->state->steps >= r->due || budget_is_spent(r) || guess_is_worth_a_look(r);
}

/* So near the optimum that rounding is all there is, no target may be in reach: a run
 * ends that has found nothing better for a long time. */
static bool is_stuck(const run *r)
{
    const double patience = 50.0; /* epochs */
    double       since =
        (double)(r->state->steps - r->keep.improved) / (double)r->problem->rows;

    return sdca_keep_is_ready(&r->keep, r->state) && since > patience &&
           sdca_gap_relative(&r->keep.best) <=
               (r->newton.z != NULL ? newton_limit : sdca_limit);
}

static bool finished(const run *r)
{
    return r->evaluated == r->state->round &&
           ((reached(r, &r->now) && sdca_keep_is_ready(&r->keep, r->state)) ||
            budget_is_spent(r) || is_stuck(r));
}

/* Is what is kept to be fetched back? The best, unless the last one will do. */
static bool is_fetched(const run *r)
{
    return r->plan->keep == SDCA_KEEP_BEST
               ? r->keep.best.gap < r->now.gap && !reached(r, &r->now)
               : r->plan->keep != SDCA_KEEP_LAST &&
                     sdca_keep_is_ready(&r->keep, r->state);
}

/* Keep the iterate that was asked for, with its certificate; one that is fetched
 * back is rebuilt and certified afresh. */
static sdca_status keep(run *r)
{
    bool                fetched = is_fetched(r);
    sdca_status         status  = SDCA_OK;
    const sdca_history *history = &r->result->history;

    r->result->kept_as_asked = sdca_keep_is_ready(&r->keep, r->state);
    if (fetched) {
        r->keep.kept.round = r->state->round;
        r->keep.kept.steps = r->state->steps;
        sdca_state_copy(r->data, &r->keep.kept, r->state);
        if (r->newton.z != NULL) { /* Newton's, also if SDCA has taken over since */
            SDCA_TRY(sdca_gap_measure_pair(r->comm, r->problem, r->data, r->state,
                                           r->dual_w, &r->now));
        } else if (r->solver == SDCA_SOLVER_SDCA) {
            SDCA_TRY(certify_sdca(r, r->state, true));
        } else {
            r->now = r->keep.best;
        }
    }
    r->result->certificate = r->now;
    r->result->test_error  = fetched ? test_error(r, r->state)
                                     : history->record[history->count - 1].test_error;

done:
    return status;
}

static void report_times(run *r)
{
    sdca_times *times = &r->result->times;
    double      most[4], sum = times->local;

    most[0] = MPI_Wtime() - r->began;
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    sdca_comm_max(r->comm, most, 4);
    sdca_comm_sum(r->comm, &sum, 1);
    *times = (sdca_times){ .total       = most[0],
                           .local       = most[1],
                           .communicate = most[2],
                           .gap         = most[3],
                           .mean_local  = sum / sdca_comm_size(r->comm) };
}

/* An epoch of Modified-SGD on each rank by itself; w of all their alpha. */
static sdca_status start_with_sgd(run *r)
{
    int         rank   = sdca_comm_rank(r->comm);
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(r->comm, sdca_sgd_start(r->problem, r->data, r->plan->seed,
                                                     rank, r->state->alpha)));
    sdca_state_rebuild(r->comm, r->problem, r->data, r->state);
    sdca_local_take(&r->local, r->state);
    r->state->steps += r->problem->rows;
    r->state->round++;
    r->made += r->data->x.count;
    sdca_keep_start(&r->keep, r->data, r->state);
    SDCA_TRY(evaluate(r));

done:
    return status;
}

sdca_solver sdca_train_solver(const sdca_plan *plan, const sdca_problem *problem,
                              const sdca_dataset *data, int ranks)
{
    bool   plain = plan->keep == SDCA_KEEP_BEST && !plan->sgd_start;
    double target =
        plan->gap > 0.0 ? plan->gap : plan->rel_gap; /* P is at most about 1 */

    if (plan->solver != SDCA_SOLVER_AUTO) {
        return plan->solver;
    }
    return plain &&
                   sdca_newton_pays(problem, data->columns, data->nonzeros, target, ranks)
               ? SDCA_SOLVER_NEWTON
               : SDCA_SOLVER_SDCA;
}

sdca_status sdca_train(MPI_Comm comm, const sdca_problem *problem,
                       const sdca_dataset *data, const sdca_plan *plan,
                       const sdca_watcher *watcher, sdca_state *state,
                       sdca_result *result)
{
    sdca_status status = SDCA_OK;
    run         r      = { .comm    = comm,
                           .problem = problem,
                           .data    = data,
                           .plan    = plan,
                           .watcher = watcher,
                           .state   = state,
                           .result  = result };

    r.solver = sdca_train_solver(plan, problem, data, sdca_comm_size(comm));
    SDCA_TRY(sdca_comm_agree(comm, begin(&r)));
    SDCA_TRY(begin_together(&r));
    SDCA_TRY(evaluate(&r)); /* w = 0 ... */
    if (plan->sgd_start) {  /* ... or an epoch later */
        SDCA_TRY(start_with_sgd(&r));
    }
    while (!finished(&r)) {
        one_round(&r);
        if (evaluation_is_due(&r)) {
            SDCA_TRY(evaluate(&r));
        }
    }
    SDCA_TRY(keep(&r));
    report_times(&r);
    status = reached(&r, &r.now) ? SDCA_OK : SDCA_BUDGET;

done:
    end(&r);
    return status;
}
