/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluate.c - when the gap is looked at, and what comes of it. */
#include "evaluate.h"

#include <math.h>

#include "sdca/bound.h"
#include "sdca/comm.h"

/* May guesses from a sample of rows say when to look at all of them? */
static bool can_guess(const sdca_run *r)
{
    return r->solver == SDCA_SOLVER_SDCA && r->plan->evaluate <= 0.0 &&
           (r->plan->keep == SDCA_KEEP_BEST || r->plan->keep == SDCA_KEEP_LAST);
}

static int64_t steps_after(const sdca_run *r, double epochs)
{
    return r->state->steps + (int64_t)rint(epochs * (double)r->problem->rows);
}

/* The least epochs until the next guess; one takes about a fiftieth of an epoch. */
static const double least = 0.125;

static double least_wait(const sdca_run *r)
{
    return fmax(least, sdca_iterate_epochs(r->problem, r->state) / 40.0);
}

/* May a few careful rounds make all the difference? */
static bool can_settle(const sdca_run *r)
{
    return can_guess(r) && r->aggregate.adaptive &&
           r->forecast.gap <= r->within * sdca_run_target(r);
}

/* The next guess: while w settles it comes soon, else before the gap should be as near
 * the target as that takes, as forecasts err; in any case after a pause. */
static void schedule_guess(sdca_run *r, double pause)
{
    const double early  = 0.8;
    double       now    = sdca_iterate_epochs(r->problem, r->state);
    double       target = (r->aggregate.adaptive ? r->within : 1.0) * sdca_run_target(r);
    double       wait   = early * sdca_forecast_wait(&r->forecast, target);

    r->settles = can_settle(r);
    wait    = r->settles ? least : fmax(least_wait(r), fmin(wait, fmax(1.0, now / 8.0)));
    r->look = can_guess(r) ? steps_after(r, fmax(wait, pause)) : 0;
}

/* The epochs until the next evaluation: where guesses call for it there is no hurry
 * without, unless all that is left is to find that there is nothing left to gain. */
static double evaluation_wait(const sdca_run *r)
{
    const double patience = 25.0;
    double       now      = sdca_iterate_epochs(r->problem, r->state);
    double       wait     = sdca_forecast_wait(&r->forecast, sdca_run_target(r));
    bool         rounded  = sdca_duality_gap_relative(&r->keep.best) <= sdca_run_limit(r);

    if (r->solver == SDCA_SOLVER_NEWTON) {
        return 1.0; /* after every round */
    }
    if (r->plan->evaluate > 0.0) {
        return r->plan->evaluate;
    }
    if (can_guess(r)) {
        return fmin(fmax(8.0, now), rounded ? patience : INFINITY);
    }
    return isfinite(wait) ? fmax(1.0, fmin(wait, fmax(2.0, now / 2.0))) : 1.0;
}

/* After a look in vain the next is not to come at once, as each takes about an epoch. */
static void schedule(sdca_run *r, bool in_vain)
{
    double pause = fmax(2.0 * least, sdca_iterate_epochs(r->problem, r->state) / 12.0);

    r->due = steps_after(r, evaluation_wait(r));
    schedule_guess(r, in_vain ? pause : 0.0);
}

static void see(sdca_run *r, double primal, double gap)
{
    r->primal = primal;
    sdca_forecast_see(&r->forecast, sdca_iterate_epochs(r->problem, r->state), gap);
}

/* The share of rows that is looked at for a guess: enough for about a tenth of the gap's
 * size, and few of all. */
static double sample_share(const sdca_run *r)
{
    return fmin(0.25, 12.0 / sqrt((double)r->problem->rows));
}

/* How many standard deviations a guess has to be below the target. A look in vain costs
 * about a pass, to look a little later what is done until then: the wait and, for what
 * may be one more round, an exchange. */
static double caution(const sdca_run *r)
{
    return 1.8 * fmax(0.0, 1.0 - least_wait(r) -
                               r->pace.exchange_seconds / r->pace.pass_seconds);
}

/* The least P of all is between P and D of the last evaluation. */
void sdca_evaluate_guess(sdca_run *r)
{
    double                    start = MPI_Wtime();
    const double             *w     = r->local.u != NULL ? r->local.u : r->state->w;
    uint64_t                  rank  = (uint64_t)sdca_comm_rank(r->comm);
    sdca_random               stream;
    sdca_duality_gap_estimate guess;

    if (!can_guess(r) || r->state->steps + r->problem->rows / SDCA_RUN_NEAR < r->look) {
        return;
    }
    stream = sdca_random_stream(r->plan->seed, SDCA_STREAM_SUBSAMPLE,
                                (uint64_t)r->state->round, rank);
    guess =
        sdca_duality_gap_sample(r->comm, r->problem, r->data, w, sample_share(r), stream);
    see(r, fmin(r->now.primal, fmax(r->now.dual, guess.primal)), guess.gap);
    r->promising = guess.gap + caution(r) * guess.standard_error <= sdca_run_target(r);
    if (r->settles && !r->promising) { /* it does less, or takes longer, than was hoped */
        r->within = 1.0 + 0.7 * (r->within - 1.0);
    }
    schedule_guess(r, 0.0);
    r->result->times.gap += MPI_Wtime() - start;
}

/* P, D and gap of an iterate of SDCA, measured or certified. Collective. */
static sdca_status measure(sdca_run *r, sdca_iterate *iterate, bool certifies)
{
    float      *term = r->local.shrinking.rows > 0 ? r->local.shrinking.gap_term : NULL;
    sdca_status status =
        certifies ? sdca_duality_gap_certify(r->comm, r->problem, r->data, iterate,
                                             sdca_run_wanted(r), term, &r->now)
                  : sdca_duality_gap_measure(r->comm, r->problem, r->data, iterate, term,
                                             &r->now);

    if (term != NULL) {
        sdca_shrinking_reactivate(&r->local.shrinking);
    }
    return status;
}

/* Only the line search makes every sigma safe, and plain SGD's first steps are as long as
 * lambda is small: say so where such a run is beyond measure. Local. */
static sdca_status explain(const sdca_run *r, sdca_status status)
{
    double enough = r->aggregate.eta * sdca_comm_size(r->comm);

    if (status == SDCA_DEFECT && r->solver == SDCA_SOLVER_SGD) {
        return SDCA_FAIL(SDCA_USAGE,
                         "plain SGD diverges: its first step is 1 / lambda, %.3g, too "
                         "long for the %s loss",
                         1.0 / r->problem->lambda, r->problem->loss->name);
    }
    if (status != SDCA_DEFECT || r->plan->aggregate == SDCA_AGGREGATION_LINE_SEARCH ||
        r->aggregate.sigma.orthogonal >= enough) {
        return status;
    }
    return SDCA_FAIL(SDCA_USAGE,
                     "the run diverges: without a line search sigma must be at least %g",
                     enough);
}

/* Collective. */
double sdca_evaluate_test(const sdca_run *r, const sdca_iterate *iterate)
{
    const sdca_watcher *watcher = r->watcher;

    return watcher->test_error != NULL ? watcher->test_error(watcher->context, iterate->w)
                                       : NAN;
}

static sdca_record record_of(const sdca_run *r, const sdca_iterate *iterate)
{
    bool aggregates = r->solver != SDCA_SOLVER_NEWTON;

    return (sdca_record){
        .round       = (double)r->state->round,
        .epoch       = sdca_iterate_epochs(r->problem, r->state),
        .seconds     = MPI_Wtime() - r->began,
        .primal      = r->now.primal,
        .dual        = r->now.dual,
        .gap         = r->now.gap,
        .test_error  = sdca_evaluate_test(r, iterate),
        .eta         = r->state->round > 0 && aggregates ? r->aggregate.eta : NAN,
        .sigma       = aggregates ? r->local.sigma.orthogonal : NAN,
        .local_steps = aggregates ? r->pace.fraction : NAN,
        .bytes       = (double)(r->aggregate.allreduce.bytes_sent + r->newton.bytes),
        .bound       = r->plan->bounds ? sdca_iteration_bounds_expected_gap(
                                             r->problem, (double)r->state->steps)
                                       : NAN,
    };
}

/* May this evaluation be the last? */
static bool may_be_the_end(const sdca_run *r)
{
    return r->state->round > 0 && (r->promising || sdca_run_is_spent(r));
}

sdca_status sdca_evaluate_kept(sdca_run *r, sdca_iterate *iterate, bool is_newtons)
{
    sdca_status status;

    if (is_newtons) {
        status = sdca_duality_gap_certify_pair(r->comm, r->problem, r->data, iterate,
                                               sdca_run_wanted(r), r->dual_w, &r->now);
    } else {
        sdca_iterate_recompute_w(r->comm, r->problem, r->data, iterate);
        sdca_ascent_load_w(&r->local, r->state);
        status = explain(r, measure(r, iterate, true));
    }
    r->certified = true;
    return status;
}

/* What may be kept is certified, with w rebuilt from alpha; else the gap is measured. */
static sdca_status evaluate_sdca(sdca_run *r, sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;

    if (!may_be_the_end(r)) {
        SDCA_TRY(explain(r, measure(r, iterate, false)));
    }
    if (may_be_the_end(r) || sdca_run_reached(r, &r->now)) {
        SDCA_TRY(sdca_evaluate_kept(r, iterate, false));
    }

done:
    return status;
}

/* Newton's rounds end with P, D and gap of all rows, without a bound on rounding errors.
 * A state that earlier rounds have led to may be Newton's too, whose w is not that of
 * alpha. */
static sdca_status evaluate_newton(sdca_run *r, sdca_iterate *iterate)
{
    if (!sdca_newton_has_started(&r->newton)) {
        return iterate->round > 0 ? sdca_evaluate_kept(r, iterate, true)
                                  : measure(r, iterate, false);
    }
    r->now = r->newton.certificate;
    if (!sdca_run_reached(r, &r->now) && !sdca_run_is_spent(r)) {
        return SDCA_OK;
    }
    r->certified = sdca_newton_certify(r->problem, r->data, &r->newton, iterate->w,
                                       sdca_comm_size(r->comm), &r->now) &&
                   !sdca_duality_gap_rounding_dominates(&r->now, sdca_run_wanted(r));
    return r->certified ? SDCA_OK : sdca_evaluate_kept(r, iterate, true);
}

static sdca_status evaluate_sgd(sdca_run *r, sdca_iterate *iterate)
{
    sdca_sgd_weights(r->problem, r->data, &r->sgd, iterate->w);
    r->certified = true;
    return explain(r, sdca_duality_gap_certify_primal(r->comm, r->problem, r->data,
                                                      iterate, sdca_run_wanted(r),
                                                      r->dual_w, &r->now));
}

/* P, D and gap of an iterate, certified if it may be the last. Collective. */
static sdca_status evaluate_iterate(sdca_run *r, sdca_iterate *iterate)
{
    sdca_status status;

    r->certified = false;
    status       = r->solver == SDCA_SOLVER_NEWTON ? evaluate_newton(r, iterate)
                   : r->solver == SDCA_SOLVER_SGD  ? evaluate_sgd(r, iterate)
                                                   : evaluate_sdca(r, iterate);
    r->rounding  = r->certified ? r->now.rounding : r->rounding;
    return status;
}

/* Has D risen by more than a trifle of what is missing? Where it takes half of all steps
 * to rise by less, a million times as many would be needed. */
static void see_dual(sdca_run *r)
{
    const double trifle = 1e-6;

    if (r->now.dual > r->highest + trifle * r->keep.best.gap) {
        r->highest = r->now.dual;
        r->risen   = r->state->steps;
    }
}

/* Certify the present iterate, remember it if it is the best, and tell. */
sdca_status sdca_evaluate(sdca_run *r)
{
    sdca_status   status = SDCA_OK;
    double        start  = MPI_Wtime();
    sdca_iterate *iterate;
    sdca_record   record;

    sdca_run_bring_state(r);
    iterate = sdca_keep_candidate(r->comm, r->problem, r->data, &r->keep, r->state);
    SDCA_TRY(evaluate_iterate(r, iterate));
    sdca_keep_evaluated(&r->keep, r->state, &r->now);
    see_dual(r);
    r->evaluated = r->state->round;
    r->looked    = true;
    r->result->times.gap += MPI_Wtime() - start;
    record = record_of(r, iterate);
    SDCA_TRY(sdca_comm_agree(r->comm, sdca_history_add(&r->result->history, &record)));
    if (r->watcher->evaluated != NULL) {
        r->watcher->evaluated(r->watcher->context, &record);
    }
    see(r, r->now.primal, r->now.gap);
    schedule(r, r->promising);
    r->promising = false;

done:
    return status;
}

bool sdca_evaluate_is_due(const sdca_run *r)
{
    return r->state->steps >= r->due || sdca_run_is_spent(r) || r->promising;
}

void sdca_evaluate_between(const sdca_run *r)
{
    const sdca_times *times = &r->result->times;
    double spent    = times->local + times->communicate + times->gap + times->checkpoint;
    sdca_moment now = { .round    = (double)r->state->round,
                        .epoch    = sdca_iterate_epochs(r->problem, r->state),
                        .seconds  = MPI_Wtime() - r->began,
                        .gap      = r->forecast.gap,
                        .sampled  = r->forecast.gap != r->now.gap,
                        .target   = sdca_run_wanted(r),
                        .exchange = spent > 0.0 ? times->communicate / spent : 0.0 };

    if (r->watcher->went_on != NULL) {
        r->watcher->went_on(r->watcher->context, &now);
    }
}
