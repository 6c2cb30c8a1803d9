/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluation.c - evaluations and sampled estimates of the duality gap in a run. */
#include "train/evaluation.h"

#include <math.h>

#include "mpi/comm.h"
#include "objective/iteration_bounds.h"
#include "objective/metrics.h"

static double epochs_of(const sdca_training_run *r)
{
    return sdca_iterate_epochs(r->training.objective, r->iterate);
}

static sdca_schedule_input schedule_input(const sdca_training_run *r)
{
    return (sdca_schedule_input){
        .steps          = r->iterate->steps,
        .adaptive_sigma = r->solver.ops->state(r->solver.self).adaptive_sigma,
        .at_rounding    = sdca_duality_gap_relative(&r->output.best_certificate) <=
                       r->stopping.rounding_level
    };
}

static void estimate(sdca_training_run *r)
{
    const sdca_training *training = &r->training;
    double               start    = MPI_Wtime();
    double      fraction = sdca_evaluation_schedule_sample_fraction(&r->evaluations);
    sdca_random stream =
        sdca_random_stream(r->options->seed, SDCA_STREAM_SUBSAMPLE,
                           (uint64_t)r->iterate->round, (uint64_t)training->rank);
    sdca_duality_gap_estimate now =
        sdca_duality_gap_sample(training->comm, training->objective, training->data,
                                r->iterate, fraction, stream);

    sdca_evaluation_schedule_observe(&r->evaluations, r->iterate->steps, now.primal,
                                     now.gap);
    sdca_evaluation_schedule_after_estimate(&r->evaluations, &now, schedule_input(r));
    r->result->times.gap += MPI_Wtime() - start;
}

double sdca_evaluation_test_error(const sdca_training_run *r, const double *w)
{
    const sdca_dataset *test = r->options->test;
    const sdca_dataset *data = r->training.data;

    return test != NULL ? sdca_metrics_measure(r->training.comm, test, &data->classes, w,
                                               sdca_dataset_intercept(data, w))
                              .error
                        : NAN;
}

static sdca_history_record make_record(const sdca_training_run *r, const double *w)
{
    sdca_solver_state       state = r->solver.ops->state(r->solver.self);
    const sdca_certificate *now   = &r->last.certificate;

    return (sdca_history_record){
        .round       = (double)r->iterate->round,
        .epoch       = epochs_of(r),
        .seconds     = sdca_clock_now(&r->clock),
        .primal      = now->primal,
        .dual        = now->dual,
        .gap         = now->gap,
        .test_error  = sdca_evaluation_test_error(r, w),
        .eta         = r->iterate->round > 0 ? state.eta : NAN,
        .sigma       = state.sigma,
        .local_steps = state.local_steps,
        .bytes       = (double)(state.bytes + r->replaced_bytes),
        .bound       = r->options->record_bounds
                           ? sdca_iteration_bounds_expected_gap(r->training.objective,
                                                                (double)r->iterate->steps)
                           : NAN,
    };
}

/* P, D and gap of a point, certified if it may be the last. Collective. */
static sdca_status evaluate_point(sdca_training_run *r, sdca_point point)
{
    sdca_evaluation_request request = {
        .target      = r->stopping.target,
        .target_gap  = sdca_evaluation_schedule_target_gap(&r->evaluations),
        .may_be_last = r->iterate->round > 0 && (r->evaluations.estimate_meets_target ||
                                                 sdca_training_run_budget_exhausted(r))
    };
    sdca_status status = r->solver.ops->evaluate(
        r->solver.self, point, &request, &r->last.certificate, &r->last.certified);

    if (r->last.certified) {
        r->evaluations.rounding_bound = r->last.certificate.rounding;
    }
    return status;
}

sdca_status sdca_evaluation_certify(sdca_training_run        *r,
                                    const sdca_active_solver *solver)
{
    r->last.certified = true;
    return solver->ops->certify(solver->self, sdca_iterate_point(r->iterate),
                                sdca_evaluation_schedule_target_gap(&r->evaluations),
                                &r->last.certificate);
}

sdca_status sdca_evaluation_perform(sdca_training_run *r)
{
    const sdca_training    *training = &r->training;
    const sdca_certificate *now      = &r->last.certificate;
    sdca_status             status   = SDCA_OK;
    double                  start    = MPI_Wtime();
    sdca_point              point    = sdca_output_iterate_current(
                        training->comm, training->objective, training->data, &r->output, r->iterate);
    sdca_history_record record;

    SDCA_TRY(evaluate_point(r, point));
    sdca_stopping_observe(&r->stopping, now, r->output.best_certificate.gap,
                          r->iterate->steps);
    sdca_output_iterate_after_evaluation(&r->output, r->iterate, now);
    r->last.round        = r->iterate->round;
    r->last.since_resume = true;
    r->result->times.gap += MPI_Wtime() - start;
    record = make_record(r, point.w);
    SDCA_TRY(sdca_comm_agree(training->comm,
                             sdca_history_append(&r->result->history, &record)));
    if (r->callbacks->on_evaluation != NULL) {
        r->callbacks->on_evaluation(r->callbacks->context, &record);
    }
    sdca_evaluation_schedule_observe(&r->evaluations, r->iterate->steps, now->primal,
                                     now->gap);
    sdca_evaluation_schedule_after_evaluation(&r->evaluations, schedule_input(r));

done:
    return status;
}

sdca_status sdca_evaluation_if_due(sdca_training_run *r)
{
    int64_t steps = r->iterate->steps;

    if (r->interrupted || (r->round_abandoned && r->last.round == r->iterate->round)) {
        return SDCA_OK;
    }
    if (sdca_evaluation_schedule_estimate_is_due(&r->evaluations, steps)) {
        estimate(r);
    }
    return sdca_evaluation_schedule_is_due(&r->evaluations, steps) ||
                   sdca_training_run_budget_exhausted(r)
               ? sdca_evaluation_perform(r)
               : SDCA_OK;
}

void sdca_evaluation_fields(sdca_training_run *r, sdca_field_io *io)
{
    sdca_field_io_set_group(io, "evaluation");
    sdca_field_io_certificate(io, &r->last.certificate);
    sdca_field_io_int64(io, "round", &r->last.round);
}
