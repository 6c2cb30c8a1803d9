/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_result.c - the end of the models of a run, and their results. */
#include <math.h>

#include "mpi/comm.h"
#include "objective/intercept.h"
#include "train/gap_evaluation.h"
#include "train/training_run.h"

static bool target_below_rounding(const sdca_model_run *m)
{
    return m->last.certified && sdca_stopping_target_below_rounding(
                                    &m->last.certificate,
                                    sdca_evaluation_schedule_target_gap(&m->evaluations));
}

static bool has_stalled(const sdca_model_run *m)
{
    sdca_run_progress progress = { .steps             = m->iterate->steps,
                                   .round             = m->iterate->round,
                                   .best_step         = m->output.best_step,
                                   .best_relative_gap = sdca_duality_gap_relative(
                                       &m->output.best_certificate) };

    return sdca_output_iterate_available(&m->output, m->iterate) &&
           sdca_stopping_has_stalled(&m->stopping, &progress);
}

bool sdca_training_run_model_has_ended(const sdca_training_run *r,
                                       const sdca_model_run    *m)
{
    return sdca_training_run_model_converged(m) ||
           (m->last.round == m->iterate->round &&
            (sdca_training_run_budget_exhausted(r, m) || target_below_rounding(m) ||
             has_stalled(m)));
}

static sdca_stop_reason find_stop_reason(const sdca_training_run *r,
                                         const sdca_model_run    *m)
{
    return sdca_target_is_met(&m->stopping.target, &m->last.certificate)
               ? SDCA_STOP_CONVERGED
           : target_below_rounding(m)                 ? SDCA_STOP_ROUNDING
           : m->stopping.stop_requested               ? SDCA_STOP_REQUESTED
           : sdca_training_run_budget_exhausted(r, m) ? SDCA_STOP_BUDGET
                                                      : SDCA_STOP_STALLED;
}

/* Is the output a snapshot? The best iterate is, unless the last one will do. */
static bool output_is_snapshot(const sdca_training_run *r, const sdca_model_run *m)
{
    return r->options->output == SDCA_OUTPUT_BEST
               ? m->output.best_certificate.gap < m->last.certificate.gap &&
                     !sdca_target_is_met(&m->stopping.target, &m->last.certificate)
               : r->options->output != SDCA_OUTPUT_LAST &&
                     sdca_output_iterate_available(&m->output, m->iterate);
}

/* That of the last evaluation, unless that was made by an earlier call, whose test set
 * may have been another. Collective. */
static double last_test_error(const sdca_training_run *r, const sdca_model_run *m)
{
    const sdca_history *history = &m->result->history;

    return m->last.since_resume ? history->records[history->count - 1].test_error
                                : sdca_gap_evaluation_test_error(r, m->iterate->w);
}

/* The iterate becomes the snapshot that is kept. A snapshot is made by the method that
 * the run began with. */
static sdca_status restore_snapshot(sdca_training_run *r, sdca_model_run *m)
{
    const sdca_training      *training = &r->training;
    const sdca_active_solver *first =
        r->replaced.self != NULL ? &r->replaced : &r->solver;

    /* An average is recomputed: a resumed run has none yet. */
    (void)sdca_output_iterate_current(training->comm, m->objective, training->data,
                                      &m->output, m->iterate);
    m->output.snapshot.round = m->iterate->round;
    m->output.snapshot.steps = m->iterate->steps;
    sdca_snapshot_restore(&m->output.snapshot, m->iterate);
    if (first->ops->always_certifies) {
        m->last.certificate = m->output.best_certificate;
        return SDCA_OK;
    }
    return sdca_gap_evaluation_certify(m, first);
}

sdca_status sdca_training_run_finish_model(sdca_training_run *r, sdca_model_run *m)
{
    bool        restored = output_is_snapshot(r, m);
    sdca_status status   = SDCA_OK;

    m->result->output_as_requested =
        sdca_output_iterate_available(&m->output, m->iterate);
    if (restored) {
        SDCA_TRY(restore_snapshot(r, m));
    } else if (!m->last.certified && !r->solver.ops->always_certifies) {
        SDCA_TRY(sdca_gap_evaluation_certify(m, &r->solver));
    }
    if (r->training.data->intercept && m->objective->loss->classification &&
        m->objective->held_out == 0) {
        SDCA_TRY(sdca_intercept_set_bounds(r->training.comm, m->objective,
                                           r->training.data, r->model[0].iterate,
                                           m->number, &m->last.certificate));
    }
    m->result->certificate = m->last.certificate;
    m->result->test_error  = restored ? sdca_gap_evaluation_test_error(r, m->iterate->w)
                                      : last_test_error(r, m);
    m->finished            = true;

done:
    return status;
}

void sdca_training_run_report(sdca_training_run *r)
{
    sdca_phase_seconds *times = &r->times;
    double              most[5], sum = times->local;

    most[0] = sdca_clock_now(&r->clock);
    most[1] = times->local;
    most[2] = times->communicate;
    most[3] = times->gap;
    most[4] = times->checkpoint;
    for (int k = 0; r->interrupted && k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        m->result->certificate = m->last.certificate;
        m->result->test_error  = last_test_error(r, m);
    }
    sdca_comm_allreduce_max(r->training.comm, most, 5);
    sdca_comm_allreduce_sum(r->training.comm, &sum, 1);
    *times = (sdca_phase_seconds){ .total       = most[0],
                                   .local       = most[1],
                                   .communicate = most[2],
                                   .gap         = most[3],
                                   .checkpoint  = most[4],
                                   .mean_local = sum / sdca_comm_size(r->training.comm) };
    for (int k = 0; k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        m->result->times             = *times;
        m->result->checkpoint_failed = r->checkpoint_failed;
        m->result->stop_reason       = find_stop_reason(r, m);
        m->result->solver            = r->solver.kind;
    }
}
