/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_training.c - several classes, each trained against the rest, one after another.
 */
#include "train/class_training.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "data/dataset_view.h"
#include "mpi/comm.h"
#include "objective/metrics.h"
#include "train/trainer.h"
#include "train/warm_start.h"

/* The classes under way. */
typedef struct class_training {
    MPI_Comm                    comm;
    const sdca_objective       *objective;
    const sdca_dataset         *data; /* y is the number of the class */
    sdca_dataset               *view; /* y is +1 for one class, else -1 */
    const sdca_train_options   *options;
    const sdca_train_callbacks *callbacks;
    sdca_model                 *model;
    sdca_train_result          *result; /* of the class that is trained */
    sdca_train_result           total;  /* of those before it */
    double                      start;
} class_training;

/* The options for one class. Without time left, a run ends after its first round. The
 * test error is that of all classes. Collective. */
static sdca_train_options options_for_class(const class_training *t)
{
    sdca_train_options options = *t->options;
    double             elapsed = MPI_Wtime() - t->start;

    sdca_comm_allreduce_max(t->comm, &elapsed, 1);
    if (options.seconds > 0.0) {
        options.seconds = fmax(options.seconds - elapsed, 1e-9);
    }
    options.test = NULL;
    return options;
}

/* Keep w as row k of the model's. */
static void copy_weights(const class_training *t, int k, const double *w)
{
    const sdca_dataset *data   = t->data;
    size_t              stride = sdca_model_stride(t->model);
    double             *to     = t->model->w + (size_t)k * stride;

    if (t->model->column_map == data->column_map) {
        memcpy(to, w, stride * sizeof *w);
        return;
    }
    for (int32_t j = 0; j < data->columns - (data->bias > 0.0); j++) {
        to[sdca_column_map_original(data->column_map, j)] = w[j];
    }
}

/* Rows of class k. Collective. */
static int64_t count_positives(const class_training *t)
{
    int64_t count = 0;

    for (uint32_t i = 0; i < t->view->x.count; i++) {
        count += t->view->x.row[i].y > 0.0;
    }
    sdca_comm_allreduce_sum_int64(t->comm, &count, 1);
    return count;
}

static void add_times(const sdca_phase_seconds *from, sdca_phase_seconds *to)
{
    to->total += from->total;
    to->local += from->local;
    to->communicate += from->communicate;
    to->gap += from->gap;
    to->checkpoint += from->checkpoint;
    to->mean_local += from->mean_local;
}

/* Add the result of a class to those before it. The first class that did not converge
 * gives the reason. */
static void add_result(class_training *t, int k, sdca_status outcome)
{
    sdca_train_result *total = &t->total;
    sdca_phase_seconds times = total->times;

    add_times(&t->result->times, &times);
    if (k == 0) {
        *total = *t->result;
    }
    if (outcome != SDCA_OK && total->stop_reason == SDCA_STOP_CONVERGED) {
        total->stop_reason = t->result->stop_reason;
    }
    total->solver = t->result->solver;
    total->output_as_requested =
        total->output_as_requested && t->result->output_as_requested;
    total->times = times;
}

/* The class is trained: keep its weights, certificate and history. Collective. */
static void complete_class(class_training *t, int k, const sdca_iterate *iterate,
                           sdca_status outcome)
{
    sdca_class_model *part = &t->model->by_class[k];

    copy_weights(t, k, iterate->w);
    add_result(t, k, outcome);
    *part = (sdca_class_model){ .certificate = t->result->certificate,
                                .bias      = sdca_dataset_intercept(t->data, iterate->w),
                                .epochs    = sdca_iterate_epochs(t->objective, iterate),
                                .positives = count_positives(t),
                                .converged = outcome == SDCA_OK,
                                .history   = t->result->history };
    sdca_round_log_free(&part->history.round_log);
    *t->result = (sdca_train_result){ 0 };
}

/* Train class k against the rest. Collective. */
static sdca_status train_class(class_training *t, int k)
{
    sdca_status        status  = SDCA_OK, outcome;
    sdca_iterate       iterate = { 0 };
    sdca_train_options options = options_for_class(t);

    sdca_dataset_view_select(t->data, k, t->view);
    SDCA_TRY(sdca_iterate_create(t->comm, t->objective, t->view, &iterate));
    if (options.warm_start != NULL) {
        SDCA_TRY(sdca_warm_start(t->comm, t->objective, t->view, k, options.warm_start,
                                 &iterate));
    }
    if (t->callbacks->on_class != NULL) {
        t->callbacks->on_class(t->callbacks->context, k);
    }
    outcome = sdca_trainer_run(t->comm, t->objective, t->view, &options, t->callbacks,
                               &iterate, t->result);
    if (outcome == SDCA_OK || outcome == SDCA_BUDGET) {
        complete_class(t, k, &iterate, outcome);
    } else {
        status = outcome;
    }

done:
    sdca_iterate_free(&iterate);
    return status;
}

/* The error of the greatest score on the test set, which has the columns of the data; NaN
 * without one. Collective. */
static sdca_status measure_test_error(const class_training *t, double *out)
{
    sdca_status         status  = SDCA_OK;
    const sdca_dataset *test    = t->options->test;
    int                 parts   = sdca_model_parts(t->model);
    size_t              stride  = sdca_model_stride(t->model);
    int32_t             columns = t->data->columns - (t->data->bias > 0.0);
    sdca_scorer         scorer  = { 0 };

    *out = NAN;
    if (test == NULL) {
        return SDCA_OK;
    }
    if (t->model->column_map == t->data->column_map) {
        SDCA_TRY(sdca_comm_agree(t->comm, sdca_scorer_create(parts, columns, &scorer)));
        for (int k = 0; k < parts; k++) {
            sdca_scorer_set(&scorer, k, t->model->w + (size_t)k * stride,
                            t->model->by_class[k].bias);
        }
    } else {
        SDCA_TRY(
            sdca_comm_agree(t->comm, sdca_model_make_scorer(t->model, t->data, &scorer)));
    }
    *out = sdca_metrics_measure_scores(t->comm, test, &t->model->labels, &scorer).error;

done:
    sdca_scorer_free(&scorer);
    return status;
}

/* Room for the weights and the parts of the model, and the view. Local. */
static sdca_status prepare(class_training *t)
{
    sdca_status status = SDCA_OK;
    size_t      count  = sdca_model_stride(t->model) * (size_t)sdca_model_parts(t->model);

    if (t->options->checkpoint.path != NULL ||
        t->options->checkpoint.resume_from != NULL) {
        return SDCA_FAIL(SDCA_USAGE,
                         "checkpoints are for at most two classes, and the "
                         "data have %d",
                         sdca_model_parts(t->model));
    }
    t->model->w = sdca_alloc_zeroed(count, sizeof *t->model->w);
    if (t->model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld weights", (long long)count);
    }
    SDCA_TRY(sdca_model_create_parts(t->model));
    SDCA_TRY(sdca_dataset_view_create(t->data, &t->view));

done:
    return status;
}

sdca_status sdca_class_training_run(MPI_Comm comm, const sdca_objective *objective,
                                    const sdca_dataset         *data,
                                    const sdca_train_options   *options,
                                    const sdca_train_callbacks *callbacks,
                                    sdca_model *model, sdca_train_result *result)
{
    sdca_status    status     = SDCA_OK;
    double         test_error = NAN;
    class_training t          = { .comm      = comm,
                                  .objective = objective,
                                  .data      = data,
                                  .options   = options,
                                  .callbacks = callbacks,
                                  .model     = model,
                                  .result    = result,
                                  .start     = MPI_Wtime() };

    SDCA_TRY(sdca_comm_agree(comm, prepare(&t)));
    for (int k = 0; k < sdca_model_parts(model); k++) {
        SDCA_TRY(train_class(&t, k));
    }
    sdca_model_sum_up(model);
    SDCA_TRY(measure_test_error(&t, &test_error));
    *result             = t.total;
    result->history     = (sdca_history){ 0 };
    result->certificate = model->certificate;
    result->test_error  = test_error;
    status              = model->converged ? SDCA_OK : SDCA_BUDGET;

done:
    sdca_dataset_view_free(t.view);
    return status;
}
