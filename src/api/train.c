/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train.c - training as one call: options are checked, the trainer runs, and the iterate
 * that it returns becomes a model. */
#include "train/solver_choice.h"
#include "train/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/train_checks.h"
#include "base/alloc.h"
#include "data/standardization.h"
#include "mpi/comm.h"
#include "train/class_training.h"
#include "train/warm_start.h"

/* A run, and what it holds. */
typedef struct job {
    MPI_Comm             comm;
    const sdca_dataset  *data;
    sdca_train_options   options;
    sdca_train_callbacks callbacks;
    sdca_objective       objective;
    sdca_model          *model;
    sdca_iterate         iterate;
    sdca_train_result    result;
} job;

/* Defaults that depend on other options. */
static void resolve_options(sdca_train_options *options, const sdca_loss *loss)
{
    if (isnan(options->loss_parameter)) {
        options->loss_parameter = loss->parameter_option.initial;
    }
    if (options->average_from < 0.0) {
        options->average_from = (double)options->epochs / 2.0;
    }
    if (options->solver == SDCA_SOLVER_AUTO &&
        sdca_train_checks_find_sdca_only(options) != NULL) {
        options->solver = SDCA_SOLVER_SDCA;
    }
}

static void make_objective(job *j, const sdca_loss *loss)
{
    const sdca_train_options *options = &j->options;
    double parameter = loss->parameter != NULL ? options->loss_parameter : 0.0;

    j->objective = options->C > 0.0
                       ? sdca_objective_with_C(loss, parameter, options->C, j->data->rows,
                                               j->data->total_weight)
                       : sdca_objective_with_lambda(loss, parameter, options->lambda,
                                                    j->data->rows, j->data->total_weight);
}

/* What is known about the model before it is trained. */
static sdca_status describe_model(job *j)
{
    const sdca_dataset *data = j->data;

    *j->model = (sdca_model){ .objective   = j->objective,
                              .normalized  = data->normalized,
                              .columns     = sdca_dataset_feature_count(data),
                              .bias_value  = sdca_dataset_bias_value(data),
                              .intercept   = data->intercept,
                              .standardize = data->standardize,
                              .nonzeros    = data->nonzeros,
                              .fingerprint = data->fingerprint,
                              .target      = { j->options.gap, j->options.rel_gap },
                              .seed        = j->options.seed,
                              .ranks       = sdca_comm_size(j->comm) };
    snprintf(j->model->options, sizeof j->model->options, "(libsdca)");
    return sdca_classes_copy(&data->classes, &j->model->labels);
}

/* Check the options and make all that does not need the other ranks. */
static sdca_status prepare(job *j)
{
    const sdca_loss *loss   = NULL;
    sdca_status      status = SDCA_OK;

    SDCA_TRY(sdca_train_checks_run(&j->options, j->data, sdca_comm_size(j->comm), &loss));
    resolve_options(&j->options, loss);
    make_objective(j, loss);
    j->model = calloc(1, sizeof *j->model);
    if (j->model == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a model");
    }
    SDCA_TRY(describe_model(j));
    j->options.solver = sdca_solver_choice_for_fit(&j->options, &j->objective, j->data,
                                                   sdca_comm_size(j->comm));

done:
    return status;
}

/* One weight for each column of the source: the data set may have less. */
static sdca_status copy_weights(job *j)
{
    const sdca_dataset *data     = j->data;
    int32_t             features = data->columns - (data->bias > 0.0);
    double             *w = sdca_alloc_zeroed((size_t)j->model->columns, sizeof *w);

    if (w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights",
                         (long)j->model->columns);
    }
    j->model->bias = sdca_dataset_intercept(data, j->iterate.w, 1);
    sdca_dataset_source_weights(data, j->iterate.w, 1, j->iterate.w);
    for (int32_t k = 0; k < features; k++) {
        w[sdca_used_columns_original(data->column_map, k)] = j->iterate.w[k];
    }
    j->model->w = w;
    return SDCA_OK;
}

/* The model takes over the history. */
static void complete_model(job *j, sdca_status outcome)
{
    sdca_model              *model  = j->model;
    const sdca_train_result *result = &j->result;

    model->certificate    = result->certificate;
    model->has_test_error = isfinite(result->test_error);
    model->test_error     = result->test_error;
    model->history        = result->history;
    model->converged      = outcome == SDCA_OK;
    model->seconds        = result->times;
    snprintf(model->solver, sizeof model->solver, "%s", sdca_solver_name(result->solver));
}

/* Run the trainer. *outcome is its status where the run ended well, otherwise that status
 * is returned. Collective. */
static sdca_status run(job *j, sdca_status *outcome)
{
    sdca_status      status  = SDCA_OK;
    bool             several = sdca_model_parts(j->model) > 1;
    sdca_train_setup setup   = { .comm      = j->comm,
                                 .data      = j->data,
                                 .options   = &j->options,
                                 .callbacks = &j->callbacks };

    if (several) {
        *outcome =
            sdca_class_training_run(&setup, &j->objective, NULL, j->model, &j->result);
    } else {
        SDCA_TRY(sdca_iterate_create(j->comm, &j->objective, j->data, &j->iterate));
        if (j->options.warm_start != NULL && j->options.checkpoint.resume_from == NULL) {
            SDCA_TRY(sdca_warm_start(j->comm, &j->objective, j->data, 0,
                                     j->options.warm_start, &j->iterate));
        }
        *outcome =
            sdca_trainer_run(&setup, &j->objective, j->model, &j->iterate, &j->result);
    }
    if (*outcome != SDCA_OK && *outcome != SDCA_BUDGET) {
        return *outcome;
    }
    if (!several) {
        SDCA_TRY(sdca_comm_agree(j->comm, copy_weights(j)));
    }
    complete_model(j, *outcome);

done:
    return status;
}

sdca_status sdca_train(MPI_Comm comm, const sdca_dataset *data,
                       const sdca_train_options   *options,
                       const sdca_train_callbacks *callbacks, sdca_model **model,
                       sdca_train_result *result)
{
    sdca_status status = SDCA_OK, outcome = SDCA_OK;
    job         j = { .comm = comm, .data = data, .options = *options };

    *model      = NULL;
    j.callbacks = callbacks != NULL ? *callbacks : (sdca_train_callbacks){ 0 };
    status      = sdca_comm_agree(comm, prepare(&j));
    if (status == SDCA_OK) {
        status = run(&j, &outcome);
        sdca_iterate_free(&j.iterate);
    }
    if (status == SDCA_OK) {
        *model = j.model;
        status = outcome;
    } else {
        sdca_history_free(&j.result.history);
        j.result.history = (sdca_history){ 0 };
        sdca_model_free(j.model);
    }
    if (result != NULL) {
        *result = j.result;
    }
    return status;
}
