/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_evaluation.c - evaluations and sampled estimates of the duality gap in a run. */
#include "train/gap_evaluation.h"

#include <math.h>

#include "data/standardization.h"
#include "mpi/comm.h"
#include "objective/iteration_bounds.h"
#include "objective/metrics.h"

static sdca_schedule_input schedule_input(const sdca_training_run *r,
                                          const sdca_model_run    *m)
{
    return (sdca_schedule_input){
        .steps          = m->iterate->steps,
        .adaptive_sigma = r->solver.ops->state(r->solver.self, m->number).adaptive_sigma,
        .at_rounding    = sdca_duality_gap_relative(&m->output.best_certificate) <=
                       m->stopping.rounding_level
    };
}

/* The models to estimate: if an estimate is due for any, all that do not wait for an
 * evaluation, as one of all takes hardly longer than that of one. */
static unsigned find_due_estimates(const sdca_training_run *r)
{
    unsigned active = 0;
    bool     is_due = false;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_model_run *m = &r->model[k];

        if (!m->finished && !m->evaluations.estimate_meets_target) {
            active |= 1U << k;
            is_due = is_due || sdca_evaluation_schedule_estimate_is_due(
                                   &m->evaluations, m->iterate->steps);
        }
    }
    return is_due ? active : 0;
}

static void estimate(sdca_training_run *r, unsigned due)
{
    const sdca_training *training = &r->training;
    double               start    = MPI_Wtime();
    double fraction = sdca_evaluation_schedule_sample_fraction(&r->model[0].evaluations);
    sdca_random stream = sdca_random_stream(r->options->seed, SDCA_STREAM_SUBSAMPLE,
                                            (uint64_t)sdca_training_run_rounds(r),
                                            (uint64_t)training->rank);
    sdca_duality_gap_estimate now[SDCA_MAX_LANES];

    sdca_duality_gap_sample(training->comm, training->objective, training->data,
                            r->model[0].iterate, due, fraction, stream, now);
    for (int k = 0; k < training->models; k++) {
        sdca_model_run *m = &r->model[k];

        if (due >> k & 1) {
            sdca_evaluation_schedule_observe(&m->evaluations, m->iterate->steps,
                                             now[k].primal, now[k].gap);
            sdca_evaluation_schedule_after_estimate(&m->evaluations, &now[k],
                                                    schedule_input(r, m));
        }
    }
    r->times.gap += MPI_Wtime() - start;
}

double sdca_gap_evaluation_test_error(const sdca_training_run *r, const double *w)
{
    const sdca_dataset *test = r->options->test;
    const sdca_dataset *data = r->training.data;

    return test != NULL ? sdca_metrics_test_error(r->training.comm, test, &data->classes,
                                                  w, sdca_dataset_intercept(data, w, 1))
                        : NAN;
}

/* Every D is a lower bound on the minimum, hence the greatest so far is: that of Newton's
 * present alpha may be far below it. The gap of a record is the one that it proves. */
static void use_best_dual(const sdca_history *history, double rounding,
                          sdca_history_record *record)
{
    double best =
        history->count > 0 ? history->records[history->count - 1].dual : record->dual;

    if (record->dual < best) {
        record->dual = best;
        record->gap  = fmin(record->gap, record->primal - best + rounding);
    }
}

static sdca_history_record make_record(const sdca_training_run *r,
                                       const sdca_model_run *m, const double *w)
{
    sdca_solver_state       state  = r->solver.ops->state(r->solver.self, m->number);
    const sdca_certificate *now    = &m->last.certificate;
    sdca_history_record     record = {
            .round       = (double)m->iterate->round,
            .epoch       = sdca_iterate_epochs(m->objective, m->iterate),
            .seconds     = sdca_clock_now(&r->clock),
            .primal      = now->primal,
            .dual        = now->dual,
            .gap         = now->gap,
            .test_error  = sdca_gap_evaluation_test_error(r, w),
            .eta         = m->iterate->round > 0 ? state.eta : NAN,
            .sigma       = state.sigma,
            .local_steps = state.local_steps,
            .bytes       = (double)(state.bytes + r->replaced_bytes),
            .bound       = r->options->record_bounds ? sdca_iteration_bounds_expected_gap(
                                                           m->objective, (double)m->iterate->steps)
                                                     : NAN,
    };

    use_best_dual(&m->result->history, now->rounding, &record);
    return record;
}

sdca_status sdca_gap_evaluation_certify(sdca_model_run           *m,
                                        const sdca_active_solver *solver)
{
    const sdca_gap_evaluation_request request = {
        .target      = m->stopping.target,
        .target_gap  = sdca_evaluation_schedule_target_gap(&m->evaluations),
        .may_be_last = true
    };

    m->last.certified = true;
    return solver->ops->certify(solver->self, m->number, sdca_iterate_point(m->iterate),
                                &request, &m->last.certificate);
}

/* What to evaluate of a model: certified if it may be the last. */
static sdca_model_evaluation evaluation_of(sdca_training_run *r, sdca_model_run *m)
{
    const sdca_training *training = &r->training;

    return (sdca_model_evaluation){
        .due   = true,
        .point = sdca_output_iterate_current(training->comm, m->objective, training->data,
                                             &m->output, m->iterate),
        .request = { .target      = m->stopping.target,
                     .target_gap  = sdca_evaluation_schedule_target_gap(&m->evaluations),
                     .may_be_last = m->iterate->round > 0 &&
                                    (m->evaluations.estimate_meets_target ||
                                     sdca_training_run_budget_exhausted(r, m)) }
    };
}

/* Remember the evaluation of a model, call the callback, and schedule the next one.
 * Collective. */
static sdca_status record_evaluation(sdca_training_run *r, sdca_model_run *m,
                                     const sdca_model_evaluation *evaluation)
{
    const sdca_certificate *now    = &m->last.certificate;
    sdca_status             status = SDCA_OK;
    sdca_history_record     record;

    m->last = (sdca_last_evaluation){ .certificate  = evaluation->certificate,
                                      .round        = m->iterate->round,
                                      .certified    = evaluation->certified,
                                      .since_resume = true };
    if (evaluation->certified) {
        m->evaluations.rounding_bound = now->rounding;
    }
    sdca_stopping_observe(&m->stopping, now, m->output.best_certificate.gap,
                          m->iterate->steps);
    sdca_output_iterate_after_evaluation(&m->output, m->iterate, now);
    record = make_record(r, m, evaluation->point.w);
    SDCA_TRY(sdca_comm_agree(r->training.comm,
                             sdca_history_append(&m->result->history, &record)));
    if (r->callbacks->on_class != NULL && m->objective->one_against_rest > 0) {
        r->callbacks->on_class(r->callbacks->context, m->objective->one_against_rest - 1);
    }
    if (r->callbacks->on_evaluation != NULL) {
        r->callbacks->on_evaluation(r->callbacks->context, &record);
    }
    sdca_evaluation_schedule_observe(&m->evaluations, m->iterate->steps, now->primal,
                                     now->gap);
    sdca_evaluation_schedule_after_evaluation(&m->evaluations, schedule_input(r, m));

done:
    return status;
}

/* Evaluate the models whose bits are set, in one pass. Collective. */
static sdca_status evaluate(sdca_training_run *r, unsigned due)
{
    sdca_status           status                     = SDCA_OK;
    double                start                      = MPI_Wtime();
    sdca_model_evaluation evaluation[SDCA_MAX_LANES] = { { .due = false } };

    for (int k = 0; k < r->training.models; k++) {
        if (due >> k & 1) {
            evaluation[k] = evaluation_of(r, &r->model[k]);
        }
    }
    SDCA_TRY(r->solver.ops->evaluate(r->solver.self, evaluation));
    r->times.gap += MPI_Wtime() - start;
    for (int k = 0; k < r->training.models; k++) {
        if (due >> k & 1) {
            SDCA_TRY(record_evaluation(r, &r->model[k], &evaluation[k]));
        }
    }

done:
    return status;
}

sdca_status sdca_gap_evaluation_perform(sdca_training_run *r)
{
    return evaluate(r, (1U << r->training.models) - 1);
}

/* The models to be evaluated now. Those whose estimate meets the target wait for each
 * other, as an evaluation of all takes hardly longer than that of one. */
static unsigned find_due_evaluations(const sdca_training_run *r)
{
    unsigned waiting = 0, due = 0;
    bool     active = false;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_model_run *m = &r->model[k];

        if (m->finished) {
            continue;
        }
        if (m->evaluations.estimate_meets_target) {
            waiting |= 1U << k;
        } else {
            active = true;
        }
        if (sdca_training_run_budget_exhausted(r, m) ||
            (!m->evaluations.estimate_meets_target &&
             sdca_evaluation_schedule_is_due(&m->evaluations, m->iterate->steps))) {
            due |= 1U << k;
        }
    }
    return due != 0 || !active ? due | waiting : 0;
}

/* Has every model been evaluated where it is? Then a round was stopped, or the run is
 * resumed from its end. */
static bool is_evaluated(const sdca_training_run *r)
{
    bool all = true;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_model_run *m = &r->model[k];

        all = all && (m->finished || m->last.round == m->iterate->round);
    }
    return all && (r->round_abandoned || r->model[0].last.certified);
}

sdca_status sdca_gap_evaluation_if_due(sdca_training_run *r)
{
    unsigned due = 0;

    if (r->interrupted || is_evaluated(r)) {
        return SDCA_OK;
    }
    due = find_due_estimates(r);
    if (due != 0) {
        estimate(r, due);
    }
    due = find_due_evaluations(r);
    return due != 0 ? evaluate(r, due) : SDCA_OK;
}

void sdca_gap_evaluation_fields(sdca_model_run *m, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "evaluation");
    sdca_field_io_certificate(io, &m->last.certificate);
    sdca_field_io_double(io, "rounding", &m->last.certificate.rounding);
    sdca_field_io_double(io, "distance", &m->last.certificate.distance);
    sdca_field_io_int64(io, "round", &m->last.round);
    if (io->data->intercept) { /* known once the model is finished */
        sdca_field_io_int64(io, "bounds-intercept",
                            &m->last.certificate.bounds_intercept);
        sdca_field_io_double(io, "intercept-low", &m->last.certificate.intercept_low);
        sdca_field_io_double(io, "intercept-high", &m->last.certificate.intercept_high);
    }
}
