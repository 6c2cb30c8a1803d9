/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluate.c - when the gap is looked at, and what comes of it. */
#include "evaluate.h"

#include <math.h>

#include "sdca/bound.h"
#include "sdca/comm.h"

/* With rows that rest, their terms of the gap as last seen are a guess of it. */
static bool can_guess(const sdca_run *r)
{
    return r->solver == SDCA_SOLVER_SDCA && r->rests;
}

static double guess_gap(const sdca_run *r)
{
    return fmax(0.0, r->terms) / (double)r->problem->rows;
}

/* When to look next: ln(gap) falls nearly linearly with the epochs, so the last
 * two evaluations tell when the target may be reached. At least one epoch from now, and
 * never further than half of what is behind us. */
static void schedule(sdca_run *r, const sdca_certificate *before, double epochs_between)
{
    double now = sdca_state_epochs(r->problem, r->state);
    double rate =
        epochs_between > 0.0 ? log(before->gap / r->now.gap) / epochs_between : 0.0;
    double wait = rate > 0.0 ? log(r->now.gap / sdca_run_target(r)) / rate : 1.0;
    double most = fmax(can_guess(r) ? 5.0 : 2.0, now / 2.0);

    r->hopeful = !can_guess(r) && rate > 0.0 && wait <= most;
    wait       = can_guess(r) ? most : fmax(1.0, fmin(wait, most));
    wait       = r->solver == SDCA_SOLVER_NEWTON ? 1.0 : wait; /* after every round */
    wait       = r->plan->evaluate > 0.0 ? r->plan->evaluate : wait;
    r->due     = r->state->steps + (int64_t)rint(wait * (double)r->problem->rows);
}

/* P, D and gap of an iterate. Collective. */
static sdca_status measure(sdca_run *r, sdca_state *iterate)
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
static sdca_status explain(const sdca_run *r, sdca_status status)
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
double sdca_evaluate_test(const sdca_run *r, const sdca_state *iterate)
{
    const sdca_watcher *watcher = r->watcher;

    return watcher->test_error != NULL ? watcher->test_error(watcher->context, iterate->w)
                                       : NAN;
}

static sdca_record record_of(const sdca_run *r, const sdca_state *iterate)
{
    bool aggregates = r->solver != SDCA_SOLVER_NEWTON;

    return (sdca_record){
        .round       = (double)r->state->round,
        .epoch       = sdca_state_epochs(r->problem, r->state),
        .seconds     = MPI_Wtime() - r->began,
        .primal      = r->now.primal,
        .dual        = r->now.dual,
        .gap         = r->now.gap,
        .test_error  = sdca_evaluate_test(r, iterate),
        .eta         = r->state->round > 0 && aggregates ? r->aggregate.eta : NAN,
        .sigma       = aggregates ? r->aggregate.sigma.across : NAN,
        .local_steps = aggregates ? r->pace.share : NAN,
        .bytes       = (double)(r->aggregate.exchange.bytes + r->newton.bytes),
        .bound =
            r->plan->bounds ? sdca_bound_gap(r->problem, (double)r->state->steps) : NAN,
    };
}

/* Epochs since the last evaluation. */
static double epochs_gone(const sdca_run *r)
{
    const sdca_history *history = &r->result->history;
    double              now     = sdca_state_epochs(r->problem, r->state);

    return history->count > 0 ? now - history->record[history->count - 1].epoch : 0.0;
}

/* A guess that the target is reached is worth a look, if the last look is at least a
 * twelfth of all work ago: looking costs half an epoch. */
static bool guess_is_worth_a_look(const sdca_run *r)
{
    return can_guess(r) && r->plan->evaluate <= 0.0 &&
           guess_gap(r) * r->trust <= sdca_run_target(r) &&
           epochs_gone(r) >= sdca_state_epochs(r->problem, r->state) / 12.0;
}

/* May this evaluation be the last? */
static bool may_be_the_end(const sdca_run *r)
{
    return r->state->round > 0 &&
           (r->hopeful || guess_is_worth_a_look(r) || sdca_run_is_spent(r));
}

/* P, D and gap of SDCA's iterate, with w made of alpha once more if it may be kept. */
sdca_status sdca_evaluate_sdca(sdca_run *r, sdca_state *iterate, bool afresh)
{
    sdca_status status = SDCA_OK;

    if (afresh) {
        sdca_state_rebuild(r->comm, r->problem, r->data, iterate);
        sdca_local_take_w(&r->local, r->state);
    }
    SDCA_TRY(explain(r, measure(r, iterate)));
    if (!afresh && sdca_run_reached(r, &r->now)) {
        SDCA_TRY(sdca_evaluate_sdca(r, iterate, true));
    }

done:
    return status;
}

/* Newton's rounds end with a certificate, made of all rows afresh. A state that earlier
 * rounds have led to may be Newton's too, whose w is not that of alpha. */
static sdca_status certify_newton(sdca_run *r, sdca_state *iterate)
{
    if (sdca_newton_has_begun(&r->newton)) {
        r->now = r->newton.certificate;
        return SDCA_OK;
    }
    return iterate->round > 0 ? sdca_gap_measure_pair(r->comm, r->problem, r->data,
                                                      iterate, r->dual_w, &r->now)
                              : measure(r, iterate);
}

static sdca_status certify(sdca_run *r, sdca_state *iterate)
{
    return r->solver == SDCA_SOLVER_NEWTON ? certify_newton(r, iterate)
           : r->solver == SDCA_SOLVER_SDCA
               ? sdca_evaluate_sdca(r, iterate, may_be_the_end(r))
               : measure(r, iterate);
}

/* Certify the present iterate, remember it if it is the best, and tell. */
sdca_status sdca_evaluate(sdca_run *r)
{
    sdca_status      status = SDCA_OK;
    sdca_certificate before = r->now;
    double           start  = MPI_Wtime();
    double           gone   = epochs_gone(r);
    double           guess  = guess_gap(r);
    double           stale =
        sdca_run_is_smooth(r) ? 0.35 : 1.0; /* terms are older than their rows' steps */
    sdca_state *iterate;
    sdca_record record;

    sdca_run_bring_state(r);
    iterate = sdca_keep_candidate(r->comm, r->problem, r->data, &r->keep, r->state);
    SDCA_TRY(certify(r, iterate));
    r->trust = guess > 0.0 ? fmin(3.0, fmax(0.3, r->now.gap / guess)) : stale;
    sdca_keep_evaluated(&r->keep, r->state, &r->now);
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

bool sdca_evaluate_is_due(const sdca_run *r)
{
    return r->state->steps >= r->due || sdca_run_is_spent(r) || guess_is_worth_a_look(r);
}

void sdca_evaluate_between(const sdca_run *r)
{
    const sdca_times *times = &r->result->times;
    double            guess = can_guess(r) ? guess_gap(r) * r->trust : 0.0;
    double spent    = times->local + times->communicate + times->gap + times->checkpoint;
    sdca_moment now = { .round    = (double)r->state->round,
                        .epoch    = sdca_state_epochs(r->problem, r->state),
                        .seconds  = MPI_Wtime() - r->began,
                        .gap      = guess > 0.0 ? guess : r->now.gap,
                        .target   = sdca_run_target(r),
                        .exchange = spent > 0.0 ? times->communicate / spent : 0.0 };

    if (r->watcher->went_on != NULL) {
        r->watcher->went_on(r->watcher->context, &now);
    }
}
