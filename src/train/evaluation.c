/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluation.c - when the gap is looked at, and what comes of it. */
#include "train/evaluation.h"

#include <math.h>

#include "mpi/comm.h"
#include "objective/iteration_bounds.h"
#include "objective/metrics.h"

/* May guesses from a sample of rows say when to look at all of them? */
static bool can_estimate(const sdca_training_run *r)
{
    return r->solver == SDCA_SOLVER_SDCA && r->options->evaluation_interval <= 0.0 &&
           (r->options->output == SDCA_OUTPUT_BEST ||
            r->options->output == SDCA_OUTPUT_LAST);
}

static int64_t steps_after(const sdca_training_run *r, double epochs)
{
    return r->iterate->steps + (int64_t)rint(epochs * (double)r->objective->rows);
}

/* The least epochs until the next guess; one takes about a fiftieth of an epoch. */
static const double min_estimate_interval = 0.125;

static double min_estimate_wait(const sdca_training_run *r)
{
    return fmax(min_estimate_interval,
                sdca_iterate_epochs(r->objective, r->iterate) / 40.0);
}

/* May a few careful rounds make all the difference? */
static bool can_use_conservative_sigma(const sdca_training_run *r)
{
    return can_estimate(r) && r->aggregation.adaptive &&
           r->forecast.gap <=
               r->conservative_gap_ratio * sdca_training_run_target_less_rounding(r);
}

/* The next guess: while w settles it comes soon, else before the gap should be as near
 * the target as that takes, as forecasts err; in any case after a pause. */
static void schedule_estimate(sdca_training_run *r, double pause)
{
    const double early  = 0.8;
    double       now    = sdca_iterate_epochs(r->objective, r->iterate);
    double       target = (r->aggregation.adaptive ? r->conservative_gap_ratio : 1.0) *
                    sdca_training_run_target_less_rounding(r);
    double wait = early * sdca_gap_forecast_epochs_until(&r->forecast, target);

    r->conservative_sigma = can_use_conservative_sigma(r);
    wait                  = r->conservative_sigma
                                ? min_estimate_interval
                                : fmax(min_estimate_wait(r), fmin(wait, fmax(1.0, now / 8.0)));
    r->next_estimate_step = can_estimate(r) ? steps_after(r, fmax(wait, pause)) : 0;
}

/* The epochs until the next evaluation: where guesses call for it there is no hurry
 * without, unless all that is left is to find that there is nothing left to gain. */
static double epochs_to_evaluation(const sdca_training_run *r)
{
    const double patience = 25.0;
    double       now      = sdca_iterate_epochs(r->objective, r->iterate);
    double       wait     = sdca_gap_forecast_epochs_until(
                  &r->forecast, sdca_training_run_target_less_rounding(r));
    bool at_rounding = sdca_duality_gap_relative(&r->output.best_certificate) <=
                       sdca_training_run_rounding_level(r);

    if (r->solver == SDCA_SOLVER_NEWTON) {
        return 1.0; /* after every round */
    }
    if (r->options->evaluation_interval > 0.0) {
        return r->options->evaluation_interval;
    }
    if (can_estimate(r)) {
        return fmin(fmax(8.0, now), at_rounding ? patience : INFINITY);
    }
    return isfinite(wait) ? fmax(1.0, fmin(wait, fmax(2.0, now / 2.0))) : 1.0;
}

/* After a look in vain the next is not to come at once, as each takes about an epoch. */
static void schedule(sdca_training_run *r, bool missed_target)
{
    double pause = fmax(2.0 * min_estimate_interval,
                        sdca_iterate_epochs(r->objective, r->iterate) / 12.0);

    r->next_evaluation_step = steps_after(r, epochs_to_evaluation(r));
    schedule_estimate(r, missed_target ? pause : 0.0);
}

static void observe_gap(sdca_training_run *r, double primal, double gap)
{
    r->primal_estimate = primal;
    sdca_gap_forecast_observe(&r->forecast, sdca_iterate_epochs(r->objective, r->iterate),
                              gap);
}

/* The share of rows that is looked at for a guess: enough for about a tenth of the gap's
 * size, and few of all. */
static double sample_fraction(const sdca_training_run *r)
{
    return fmin(0.25, 12.0 / sqrt((double)r->objective->rows));
}

/* How many standard deviations a guess has to be below the target. A look in vain costs
 * about a pass, to look a little later what is done until then: the wait and, for what
 * may be one more round, an exchange. */
static double safety_deviations(const sdca_training_run *r)
{
    return 1.8 *
           fmax(0.0, 1.0 - min_estimate_wait(r) -
                         r->round_length.exchange_seconds / r->round_length.pass_seconds);
}

/* The least P of all is between P and D of the last evaluation. */
void sdca_evaluation_estimate_if_due(sdca_training_run *r)
{
    double                    start = MPI_Wtime();
    uint64_t                  rank  = (uint64_t)sdca_comm_rank(r->comm);
    sdca_random               stream;
    sdca_duality_gap_estimate estimate;

    if (!can_estimate(r) ||
        r->iterate->steps + r->objective->rows / SDCA_ESTIMATE_EARLY_DIVISOR <
            r->next_estimate_step) {
        return;
    }
    stream   = sdca_random_stream(r->options->seed, SDCA_STREAM_SUBSAMPLE,
                                  (uint64_t)r->iterate->round, rank);
    estimate = sdca_duality_gap_sample(r->comm, r->objective, r->data, r->iterate,
                                       sample_fraction(r), stream);
    observe_gap(
        r,
        fmin(r->last_certificate.primal, fmax(r->last_certificate.dual, estimate.primal)),
        estimate.gap);
    r->estimate_meets_target =
        estimate.gap + safety_deviations(r) * estimate.standard_error <=
        sdca_training_run_target_less_rounding(r);
    if (r->conservative_sigma &&
        !r->estimate_meets_target) { /* it does less, or takes longer, than was hoped */
        r->conservative_gap_ratio = 1.0 + 0.7 * (r->conservative_gap_ratio - 1.0);
    }
    schedule_estimate(r, 0.0);
    r->result->times.gap += MPI_Wtime() - start;
}

/* P, D and gap of an iterate of SDCA, measured or certified. Collective. */
static sdca_status measure(sdca_training_run *r, sdca_point point, bool certify)
{
    float      *term = r->ascent.shrinking.rows > 0 ? r->ascent.shrinking.gap_term : NULL;
    sdca_status status =
        certify ? sdca_duality_gap_certify(r->comm, r->objective, r->data, point,
                                           sdca_training_run_target_gap(r), term,
                                           &r->last_certificate)
                : sdca_duality_gap_measure(r->comm, r->objective, r->data, point, term,
                                           &r->last_certificate);

    if (term != NULL) {
        sdca_shrinking_reactivate(&r->ascent.shrinking);
    }
    return status;
}

/* Only the line search makes every sigma safe, and plain SGD's first steps are as long as
 * lambda is small: say so where such a run is beyond measure. Local. */
static sdca_status explain_divergence(const sdca_training_run *r, sdca_status status)
{
    double enough = r->aggregation.eta * sdca_comm_size(r->comm);

    if (status == SDCA_DEFECT && r->solver == SDCA_SOLVER_SGD) {
        return SDCA_FAIL(SDCA_USAGE,
                         "plain SGD diverges: its first step is 1 / lambda, %.3g, too "
                         "long for the %s loss",
                         1.0 / r->objective->lambda, r->objective->loss->name);
    }
    if (status != SDCA_DEFECT || r->options->aggregate == SDCA_AGGREGATION_LINE_SEARCH ||
        r->aggregation.sigma.orthogonal >= enough) {
        return status;
    }
    return SDCA_FAIL(SDCA_USAGE,
                     "the run diverges: without a line search sigma must be at least %g",
                     enough);
}

/* Collective. */
double sdca_evaluation_test_error(const sdca_training_run *r, const double *w)
{
    const sdca_dataset *test = r->options->test;

    return test != NULL ? sdca_metrics_measure(r->comm, test, &r->data->classes, w,
                                               sdca_dataset_intercept(r->data, w))
                              .error
                        : NAN;
}

static sdca_history_record make_record(const sdca_training_run *r, const double *w)
{
    bool aggregates = r->solver != SDCA_SOLVER_NEWTON;

    return (sdca_history_record){
        .round       = (double)r->iterate->round,
        .epoch       = sdca_iterate_epochs(r->objective, r->iterate),
        .seconds     = MPI_Wtime() - r->start_time,
        .primal      = r->last_certificate.primal,
        .dual        = r->last_certificate.dual,
        .gap         = r->last_certificate.gap,
        .test_error  = sdca_evaluation_test_error(r, w),
        .eta         = r->iterate->round > 0 && aggregates ? r->aggregation.eta : NAN,
        .sigma       = aggregates ? r->ascent.sigma.orthogonal : NAN,
        .local_steps = aggregates ? r->round_length.fraction : NAN,
        .bytes       = (double)(r->iterate->allreduce.bytes_sent + r->newton.bytes),
        .bound       = r->options->record_bounds ? sdca_iteration_bounds_expected_gap(
                                                       r->objective, (double)r->iterate->steps)
                                                 : NAN,
    };
}

/* May this evaluation be the last? */
static bool may_be_last(const sdca_training_run *r)
{
    return r->iterate->round > 0 &&
           (r->estimate_meets_target || sdca_training_run_budget_exhausted(r));
}

sdca_status sdca_evaluation_certify_output(sdca_training_run *r, sdca_point point,
                                           bool from_newton)
{
    sdca_status status;

    if (from_newton) {
        status = sdca_duality_gap_certify_pair(r->comm, r->objective, r->data, point,
                                               sdca_training_run_target_gap(r), r->dual_w,
                                               &r->last_certificate);
    } else {
        sdca_point_recompute_w(r->comm, r->objective, r->data, point);
        sdca_iterate_w_changed(r->iterate); /* if the point is the iterate */
        status = explain_divergence(r, measure(r, point, true));
    }
    r->last_is_certified = true;
    return status;
}

/* What may be kept is certified, with w rebuilt from alpha; else the gap is measured. */
static sdca_status evaluate_sdca(sdca_training_run *r, sdca_point point)
{
    sdca_status status = SDCA_OK;

    if (!may_be_last(r)) {
        SDCA_TRY(explain_divergence(r, measure(r, point, false)));
    }
    if (may_be_last(r) || sdca_training_run_meets_target(r, &r->last_certificate)) {
        SDCA_TRY(sdca_evaluation_certify_output(r, point, false));
    }

done:
    return status;
}

/* Newton's rounds end with P, D and gap of all rows, without a bound on rounding errors.
 * A state that earlier rounds have led to may be Newton's too, whose w is not that of
 * alpha. */
static sdca_status evaluate_newton(sdca_training_run *r, sdca_point point)
{
    if (!sdca_newton_has_started(&r->newton)) {
        return r->iterate->round > 0 ? sdca_evaluation_certify_output(r, point, true)
                                     : measure(r, point, false);
    }
    r->last_certificate = r->newton.certificate;
    if (!sdca_training_run_meets_target(r, &r->last_certificate) &&
        !sdca_training_run_budget_exhausted(r)) {
        return SDCA_OK;
    }
    r->last_is_certified =
        sdca_newton_certify(r->objective, r->data, &r->newton, point.w,
                            sdca_comm_size(r->comm), &r->last_certificate) &&
        !sdca_duality_gap_rounding_dominates(&r->last_certificate,
                                             sdca_training_run_target_gap(r));
    return r->last_is_certified ? SDCA_OK
                                : sdca_evaluation_certify_output(r, point, true);
}

static sdca_status evaluate_sgd(sdca_training_run *r, sdca_point point)
{
    sdca_sgd_weights(r->objective, r->data, &r->sgd, point.w);
    r->last_is_certified = true;
    return explain_divergence(
        r, sdca_duality_gap_certify_primal(r->comm, r->objective, r->data, point,
                                           sdca_training_run_target_gap(r), r->dual_w,
                                           &r->last_certificate));
}

/* P, D and gap of an iterate, certified if it may be the last. Collective. */
static sdca_status evaluate_point(sdca_training_run *r, sdca_point point)
{
    sdca_status status;

    r->last_is_certified = false;
    status               = r->solver == SDCA_SOLVER_NEWTON ? evaluate_newton(r, point)
                           : r->solver == SDCA_SOLVER_SGD  ? evaluate_sgd(r, point)
                                                           : evaluate_sdca(r, point);
    r->rounding_bound =
        r->last_is_certified ? r->last_certificate.rounding : r->rounding_bound;
    return status;
}

/* Has D risen by more than a trifle of what is missing? Where it takes half of all steps
 * to rise by less, a million times as many would be needed. */
static void track_best_dual(sdca_training_run *r)
{
    const double trifle = 1e-6;

    if (r->last_certificate.dual >
        r->best_dual + trifle * r->output.best_certificate.gap) {
        r->best_dual      = r->last_certificate.dual;
        r->best_dual_step = r->iterate->steps;
    }
}

/* Certify the present iterate, remember it if it is the best, and tell. */
sdca_status sdca_evaluation_perform(sdca_training_run *r)
{
    sdca_status         status = SDCA_OK;
    double              start  = MPI_Wtime();
    sdca_point          point;
    sdca_history_record record;

    point = sdca_output_iterate_current(r->comm, r->objective, r->data, &r->output,
                                        r->iterate);
    SDCA_TRY(evaluate_point(r, point));
    sdca_output_iterate_after_evaluation(&r->output, r->iterate, &r->last_certificate);
    track_best_dual(r);
    r->evaluated_round        = r->iterate->round;
    r->evaluated_since_resume = true;
    r->result->times.gap += MPI_Wtime() - start;
    record = make_record(r, point.w);
    SDCA_TRY(sdca_comm_agree(r->comm, sdca_history_append(&r->result->history, &record)));
    if (r->callbacks->on_evaluation != NULL) {
        r->callbacks->on_evaluation(r->callbacks->context, &record);
    }
    observe_gap(r, r->last_certificate.primal, r->last_certificate.gap);
    schedule(r, r->estimate_meets_target);
    r->estimate_meets_target = false;

done:
    return status;
}

bool sdca_evaluation_due(const sdca_training_run *r)
{
    return r->iterate->steps >= r->next_evaluation_step ||
           sdca_training_run_budget_exhausted(r) || r->estimate_meets_target;
}

void sdca_evaluation_report_progress(const sdca_training_run *r)
{
    const sdca_phase_seconds *times = &r->result->times;
    double spent = times->local + times->communicate + times->gap + times->checkpoint;
    sdca_progress now = { .round   = (double)r->iterate->round,
                          .epoch   = sdca_iterate_epochs(r->objective, r->iterate),
                          .seconds = MPI_Wtime() - r->start_time,
                          .gap     = r->forecast.gap,
                          .gap_is_estimate = r->forecast.gap != r->last_certificate.gap,
                          .target_gap      = sdca_training_run_target_gap(r),
                          .communication_fraction =
                              spent > 0.0 ? times->communicate / spent : 0.0 };

    if (r->callbacks->on_progress != NULL) {
        r->callbacks->on_progress(r->callbacks->context, &now);
    }
}
