/* SPDX-License-Identifier: BSD-3-Clause
 *
 * training_run.c - a run under way: creating its parts, and queries. */
#include "train/training_run.h"

#include <math.h>

#include "mpi/comm.h"
#include "train/solver_choice.h"

bool sdca_training_run_budget_exhausted(const sdca_training_run *r,
                                        const sdca_model_run    *m)
{
    return sdca_stopping_budget_exhausted(&m->stopping, &r->clock, m->iterate);
}

bool sdca_training_run_model_converged(const sdca_model_run *m)
{
    return m->last.round == m->iterate->round &&
           sdca_target_is_met(&m->stopping.target, &m->last.certificate) &&
           sdca_output_iterate_available(&m->output, m->iterate);
}

bool sdca_training_run_has_converged(const sdca_training_run *r)
{
    bool all = true;

    for (int k = 0; k < r->training.models; k++) {
        all = all && sdca_training_run_model_converged(&r->model[k]);
    }
    return all;
}

int64_t sdca_training_run_rounds(const sdca_training_run *r)
{
    int64_t most = 0;

    for (int k = 0; k < r->training.models; k++) {
        int64_t rounds = r->model[k].iterate->round;

        most = rounds > most ? rounds : most;
    }
    return most;
}

/* The model that is farthest from its target. */
static const sdca_model_run *farthest_model(const sdca_training_run *r)
{
    const sdca_model_run *farthest = &r->model[0];
    double                most     = -1.0;

    for (int k = 0; k < r->training.models; k++) {
        const sdca_evaluation_schedule *at = &r->model[k].evaluations;
        double ratio = at->forecast.gap / sdca_evaluation_schedule_target_gap(at);

        if (!r->model[k].finished && ratio > most) {
            most     = ratio;
            farthest = &r->model[k];
        }
    }
    return farthest;
}

void sdca_training_run_report_progress(const sdca_training_run *r)
{
    const sdca_model_run     *m     = farthest_model(r);
    const sdca_phase_seconds *times = &r->times;
    double spent = times->local + times->communicate + times->gap + times->checkpoint;
    double gap   = m->evaluations.forecast.gap;
    sdca_progress now = { .round   = (double)m->iterate->round,
                          .epoch   = sdca_iterate_epochs(m->objective, m->iterate),
                          .seconds = sdca_clock_now(&r->clock),
                          .gap     = gap,
                          .gap_is_estimate = gap != m->last.certificate.gap,
                          .target_gap =
                              sdca_evaluation_schedule_target_gap(&m->evaluations),
                          .communication_fraction =
                              spent > 0.0 ? times->communicate / spent : 0.0 };

    if (r->callbacks->on_progress != NULL) {
        r->callbacks->on_progress(r->callbacks->context, &now);
    }
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
    sdca_status            status = ops->create(&r->training, r->model[0].iterate, &self);

    if (status != SDCA_OK) {
        return status;
    }
    r->solver = (sdca_active_solver){ kind, ops, self };
    for (int k = 0; k < r->training.models; k++) {
        sdca_model_run *m = &r->model[k];

        m->stopping.rounding_level =
            fmax(m->stopping.rounding_level, ops->rounding_level);
        m->evaluations.each_round = ops->evaluates_each_round;
        m->evaluations.estimates  = ops->w_of_alpha && m->evaluations.interval <= 0.0 &&
                                   !r->training.options.outputs_single_steps;
    }
    return SDCA_OK;
}

sdca_status sdca_training_run_replace_solver(sdca_training_run *r)
{
    const sdca_training     *training = &r->training;
    const sdca_active_solver old      = r->solver;
    sdca_status              status   = SDCA_OK;

    SDCA_TRY(start_solver(r, SDCA_SOLVER_SDCA));
    r->replaced       = old;
    r->replaced_bytes = old.ops->state(old.self, 0).bytes;
    if (r->options->output == SDCA_OUTPUT_BEST) {
        sdca_snapshot_restore_alpha(&r->model[0].output.snapshot, r->model[0].iterate);
    }
    sdca_iterate_recompute_w(training->comm, training->objective, training->data,
                             training->models, r->model[0].iterate);

done:
    return status;
}

/* The parts of one model. Local. */
static sdca_status init_model(const sdca_training_run *r, sdca_model_run *m)
{
    const sdca_train_options *options = r->options;
    int64_t                   rows    = m->objective->rows;

    m->stopping    = (sdca_stopping){ .target     = { options->gap, options->rel_gap },
                                      .max_epochs = options->epochs,
                                      .max_rounds = options->rounds,
                                      .rows       = rows,
                                      .saves_runs = options->checkpoint.path != NULL,
                                      .best_dual  = -INFINITY };
    m->evaluations = sdca_evaluation_schedule_start(m->stopping.target, rows,
                                                    options->evaluation_interval);
    m->last.round  = -1;
    return sdca_output_iterate_create(
        options->output, (int64_t)(options->average_from * (double)rows),
        options->epochs * rows, options->seed, m->iterate, &m->output);
}

/* The parts of a run, before its method. Local. */
static sdca_status init_parts(sdca_training_run *r)
{
    const sdca_train_options *options = r->options;
    sdca_status               status  = SDCA_OK;

    r->training.options    = solver_options(options);
    r->clock               = sdca_clock_start(options->seconds, r->times.total);
    r->checkpoints         = sdca_checkpoint_schedule_start(&options->checkpoint);
    r->checkpoints.elapsed = r->clock.elapsed;
    SDCA_TRY(check_output_options(options));
    for (int k = 0; k < r->training.models; k++) {
        SDCA_TRY(init_model(r, &r->model[k]));
    }
    r->training.average =
        options->output == SDCA_OUTPUT_AVERAGE ? &r->model[0].output.average : NULL;

done:
    return status;
}

sdca_status sdca_training_run_init(sdca_training_run *r)
{
    sdca_vector_allreduce *allreduce = r->model[0].iterate->allreduce;
    sdca_status            status    = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(r->training.comm, init_parts(r)));
    if (allreduce != NULL) {
        allreduce->bytes_sent = 0; /* those of this run */
    }
    SDCA_TRY(
        start_solver(r, sdca_solver_choice_for_fit(r->options, r->training.objective,
                                                   r->training.data, r->training.ranks)));
    for (int k = 0; k < r->training.models; k++) {
        sdca_train_result *result = r->model[k].result;
        double             steps  = r->solver.ops->state(r->solver.self, k).local_steps;

        result->nodes       = allreduce != NULL ? allreduce->nodes : 1;
        result->local_steps = isnan(steps) ? 1.0 : steps;
    }

done:
    return status;
}

void sdca_training_run_free(sdca_training_run *r)
{
    if (r->solver.self != NULL) {
        r->solver.ops->destroy(r->solver.self);
    }
    if (r->replaced.self != NULL) {
        r->replaced.ops->destroy(r->replaced.self);
    }
    for (int k = 0; k < r->training.models; k++) {
        sdca_output_iterate_free(&r->model[k].output);
    }
}
