/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lambda_path.c - models for several lambda in one run, the largest lambda first. */
#include "train/lambda_path.h"

#include <math.h>
#include <stdlib.h>

#include "mpi/comm.h"
#include "solver/solvers.h"
#include "train/trainer.h"
#include "train/warm_start.h"

/* A path under way. */
typedef struct path_run {
    const sdca_train_setup *setup;
    sdca_model             *model;
    sdca_class_iterates    *classes; /* of several classes */
    sdca_iterate           *iterate; /* otherwise */
    double                  start;
    double                  C; /* of the fit before */
} path_run;

/* Seconds since the start, the same on every rank. Collective. */
static double elapsed(const path_run *p)
{
    double seconds = MPI_Wtime() - p->start;

    sdca_comm_allreduce_max(p->setup->comm, &seconds, 1);
    return seconds;
}

/* The options of fit k. Collective. */
static sdca_train_options options_of_fit(const path_run *p, int k)
{
    sdca_train_options options = *p->setup->options;

    if (options.seconds > 0.0) {
        options.seconds = fmax(options.seconds - elapsed(p), 1e-9);
    }
    options.warm_start = k == 0 ? options.warm_start : NULL;
    options.checkpoint = (sdca_checkpoint_options){ .path = NULL }; /* none of a fit */
    return options;
}

/* The objective of fit k, which has the loss of any. */
static sdca_objective objective_of_fit(const path_run *p, const sdca_lambda_path *path,
                                       int k, const sdca_objective *any)
{
    return sdca_objective_with_lambda(any->loss, any->parameter, path->lambda[k],
                                      p->setup->data->rows, p->setup->data->total_weight);
}

/* The model is that of the next fit: nothing of the one before is left in it. */
static void begin_model(const path_run *p, const sdca_objective *objective)
{
    sdca_model *model = p->model;

    for (int k = 0; model->by_class != NULL && k < sdca_model_parts(model); k++) {
        sdca_history_free(&model->by_class[k].history);
    }
    free(model->by_class);
    free(model->w);
    model->by_class  = NULL;
    model->w         = NULL;
    model->objective = *objective;
}

/* Train one model, or one per class, from the fit before. Collective. */
static sdca_status train_fit(path_run *p, int k, const sdca_objective *objective,
                             sdca_train_result *result)
{
    sdca_train_options options = options_of_fit(p, k);
    sdca_train_setup   setup   = *p->setup;

    setup.options = &options;
    if (sdca_model_parts(p->model) > 1) {
        return sdca_class_training_run(&setup, objective, p->classes, p->model, result);
    }
    sdca_history_free(&result->history);
    *result = (sdca_train_result){ 0 };
    if (k > 0) {
        sdca_warm_start_next_lambda(p->setup->comm, objective, p->setup->data, 1, p->C,
                                    sdca_solver_find(options.solver)->w_of_alpha,
                                    p->iterate);
    }
    return sdca_trainer_run(&setup, objective, p->model, p->iterate, result);
}

/* Is the path to stop, by request or for lack of time? Collective. */
static bool must_stop(const path_run *p)
{
    const sdca_train_callbacks *callbacks = p->setup->callbacks;
    double                      seconds   = p->setup->options->seconds;
    bool                        requested = callbacks->stop_requested != NULL &&
                     callbacks->stop_requested(callbacks->context);
    double stop =
        requested || (seconds > 0.0 && MPI_Wtime() - p->start >= seconds) ? 1.0 : 0.0;

    sdca_comm_allreduce_max(p->setup->comm, &stop, 1);
    return stop > 0.0;
}

/* Did the caller stop the path? */
static bool is_over(const sdca_lambda_path *path)
{
    return path->is_over != NULL && path->is_over(path->context);
}

/* Is there to be no further fit? Collective. */
static bool has_ended(const path_run *p, const sdca_lambda_path *path,
                      const sdca_train_result *result)
{
    return result->stop_reason == SDCA_STOP_REQUESTED || is_over(path) ||
           (p->setup->options->seconds > 0.0 && elapsed(p) >= p->setup->options->seconds);
}

sdca_status sdca_lambda_path_run(const sdca_train_setup *setup,
                                 const sdca_lambda_path *path, sdca_objective *objective,
                                 sdca_model *model, sdca_iterate *iterate,
                                 sdca_train_result *result)
{
    sdca_status status = SDCA_OK, outcome = SDCA_OK, worst = path->worst;
    bool        over   = false;
    int         fitted = path->first;
    path_run    p      = { .setup   = setup,
                           .model   = model,
                           .classes = path->classes,
                           .iterate = iterate,
                           .start   = MPI_Wtime() };

    *objective = objective_of_fit(&p, path, path->count - 1, objective);
    SDCA_TRY(
        sdca_comm_agree(setup->comm, sdca_iterate_check_rows(objective, setup->data)));
    if (path->first > 0) {
        p.C = objective_of_fit(&p, path, path->first - 1, objective).C;
    }
    for (int k = path->first; k < path->count && !over; k++) {
        *objective = objective_of_fit(&p, path, k, objective);
        begin_model(&p, objective);
        path->on_fit(path->context, k);
        outcome = train_fit(&p, k, objective, result);
        SDCA_TRY(outcome == SDCA_BUDGET ? SDCA_OK : outcome);
        if (path->save != NULL && must_stop(&p)) {
            break;
        }
        SDCA_TRY(path->on_fitted(path->context, outcome));
        if (path->save != NULL &&
            (is_over(path) || result->stop_reason == SDCA_STOP_REQUESTED)) {
            break;
        }
        worst  = outcome > worst ? outcome : worst;
        p.C    = objective->C;
        fitted = k + 1;
        if (path->save != NULL) {
            path->save(path->context, fitted, worst);
            over = must_stop(&p);
        } else {
            over = has_ended(&p, path, result);
        }
    }
    status = fitted == path->count ? worst
             : path->save != NULL  ? SDCA_INTERRUPTED
                                   : SDCA_BUDGET;

done:
    return status;
}
