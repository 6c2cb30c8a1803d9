/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_training.c - several classes, each trained against the rest, some of them side by
 * side. */
#include "train/class_training.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "objective/metrics.h"
#include "solver/solvers.h"
#include "train/checkpoint.h"
#include "train/trainer.h"
#include "train/warm_start.h"

/* The classes under way. */
typedef struct class_training {
    MPI_Comm                    comm;
    const sdca_objective       *objective; /* of all classes, but for the class */
    const sdca_dataset         *data;      /* y is the number of the class */
    const sdca_train_options   *options;
    const sdca_train_callbacks *callbacks; /* of the caller */
    sdca_model                 *model;
    sdca_train_result           total; /* of the classes before the batch */
    double                      start;

    /* The batch: classes that are trained side by side. */
    int               first;   /* of them */
    int               resumed; /* the first of the batch that is resumed */
    int               count;
    sdca_train_result result[SDCA_MAX_LANES];
} class_training;

/* The number of classes that can be trained side by side: one at a time if the solver or
 * an option asks for more than steps of SDCA in the automatic order, or if w would have
 * too many elements. */
static int max_batch(const class_training *t)
{
    const sdca_train_options *options = t->options;
    sdca_solver solver = sdca_train_options_resolve_solver(options, t->objective, t->data,
                                                           sdca_comm_size(t->comm));
    bool        together =
        sdca_solver_find(solver)->many_models && options->order == SDCA_ROW_ORDER_AUTO &&
        !options->approximate_step && !options->sgd_start &&
        (options->output == SDCA_OUTPUT_BEST || options->output == SDCA_OUTPUT_LAST) &&
        t->data->columns <= INT32_MAX / (2 * SDCA_MAX_LANES);

    return together ? SDCA_MAX_LANES : 1;
}

/* The options for a batch. Without time left, a run ends after its first round. The test
 * error is that of all classes. Collective. */
static sdca_train_options options_for_batch(const class_training *t)
{
    sdca_train_options options = *t->options;
    double             elapsed = MPI_Wtime() - t->start;

    sdca_comm_allreduce_max(t->comm, &elapsed, 1);
    if (options.seconds > 0.0) {
        options.seconds = fmax(options.seconds - elapsed, 1e-9);
    }
    options.test             = NULL;
    options.checkpoint.model = t->model;
    if (t->first != t->resumed) {
        options.checkpoint.resume_from = NULL;
    }
    return options;
}

/* The rows of all classes. Collective. */
static sdca_status count_rows(const class_training *t)
{
    int         classes = sdca_model_parts(t->model);
    int64_t    *count   = sdca_alloc_zeroed((size_t)classes, sizeof *count);
    sdca_status status =
        count != NULL ? SDCA_OK
                      : SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes);

    SDCA_TRY(sdca_comm_agree(t->comm, status));
    for (uint32_t i = 0; i < t->data->x.count; i++) {
        count[(int)t->data->x.row[i].y]++;
    }
    sdca_comm_allreduce_sum_int64(t->comm, count, classes);
    for (int k = 0; k < classes; k++) {
        t->model->by_class[k].positives = count[k];
    }

done:
    free(count);
    return status;
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

/* Add the result of a batch to those before it. The first class that did not converge
 * gives the reason. */
static void add_results(class_training *t)
{
    sdca_train_result *total = &t->total;
    sdca_phase_seconds times = total->times;

    add_times(&t->result[0].times, &times);
    if (t->first == t->resumed) {
        *total = t->result[0];
    }
    for (int m = 0; m < t->count; m++) {
        const sdca_train_result *result = &t->result[m];

        if (total->stop_reason == SDCA_STOP_CONVERGED) {
            total->stop_reason = result->stop_reason;
        }
        total->solver = result->solver;
        total->output_as_requested =
            total->output_as_requested && result->output_as_requested;
    }
    total->times = times;
}

/* The following calls are about class k, whose history has grown. */
static void on_class(void *context, int k)
{
    class_training *t = context;

    t->model->by_class[k].history = t->result[k - t->first].history;
    if (t->callbacks->on_class != NULL) {
        t->callbacks->on_class(t->callbacks->context, k);
    }
}

static void on_evaluation(void *context, const sdca_history_record *record)
{
    const class_training *t = context;

    if (t->callbacks->on_evaluation != NULL) {
        t->callbacks->on_evaluation(t->callbacks->context, record);
    }
}

static void on_progress(void *context, const sdca_progress *now)
{
    const class_training *t = context;

    if (t->callbacks->on_progress != NULL) {
        t->callbacks->on_progress(t->callbacks->context, now);
    }
}

static void on_checkpoint(void *context, sdca_status status, double seconds)
{
    const class_training *t = context;

    if (t->callbacks->on_checkpoint != NULL) {
        t->callbacks->on_checkpoint(t->callbacks->context, status, seconds);
    }
}

static bool stop_requested(void *context)
{
    const class_training *t = context;

    return t->callbacks->stop_requested != NULL &&
           t->callbacks->stop_requested(t->callbacks->context);
}

/* Start from an earlier model or checkpoint. Collective. */
static sdca_status warm_start(const class_training *t, const sdca_objective *objective,
                              sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;

    for (int m = 0; m < t->count; m++) {
        SDCA_TRY(sdca_warm_start(t->comm, &objective[m], t->data, t->first + m,
                                 t->options->warm_start, &iterate[m]));
    }
    sdca_iterate_recompute_w(t->comm, objective, t->data, t->count, iterate);

done:
    return status;
}

/* Train the classes of the batch against the rest. Collective. */
static sdca_status train_batch(class_training *t)
{
    const sdca_train_callbacks callbacks = { .context        = t,
                                             .on_class       = on_class,
                                             .on_evaluation  = on_evaluation,
                                             .on_progress    = on_progress,
                                             .on_checkpoint  = on_checkpoint,
                                             .stop_requested = stop_requested };
    sdca_train_options         options   = options_for_batch(t);
    sdca_status                status    = SDCA_OK, outcome;
    sdca_objective             objective[SDCA_MAX_LANES];
    sdca_iterate               iterate[SDCA_MAX_LANES] = { { .rows = 0 } };

    for (int m = 0; m < t->count; m++) {
        objective[m]                  = *t->objective;
        objective[m].one_against_rest = t->first + m + 1;
        t->result[m]                  = (sdca_train_result){ 0 };
    }
    SDCA_TRY(sdca_iterate_create_lanes(t->comm, objective, t->data, t->count, iterate));
    if (options.warm_start != NULL && options.checkpoint.resume_from == NULL) {
        SDCA_TRY(warm_start(t, objective, iterate));
    }
    outcome = sdca_trainer_run_models(t->comm, t->count, objective, t->data, &options,
                                      &callbacks, iterate, t->result);
    for (int m = 0; m < t->count; m++) { /* histories are the model's from now on */
        sdca_round_log_free(&t->result[m].history.round_log);
        sdca_model_keep_part(
            t->model, t->data, t->first + m, &iterate[m], &t->result[m].certificate,
            t->result[m].stop_reason == SDCA_STOP_CONVERGED, &t->result[m].history);
    }
    add_results(t);
    status = outcome == SDCA_BUDGET ? SDCA_OK : outcome;

done:
    sdca_iterate_free(&iterate[0]);
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

/* Room for the weights and the parts of the model. Local. */
static sdca_status prepare(class_training *t)
{
    size_t count = sdca_model_stride(t->model) * (size_t)sdca_model_parts(t->model);

    t->model->w = sdca_alloc_zeroed(count, sizeof *t->model->w);
    if (t->model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld weights", (long long)count);
    }
    return sdca_model_create_parts(t->model);
}

sdca_status sdca_class_training_run(MPI_Comm comm, const sdca_objective *objective,
                                    const sdca_dataset         *data,
                                    const sdca_train_options   *options,
                                    const sdca_train_callbacks *callbacks,
                                    sdca_model *model, sdca_train_result *result)
{
    sdca_status    status     = SDCA_OK;
    double         test_error = NAN;
    int            classes    = sdca_model_parts(model);
    class_training t          = { .comm      = comm,
                                  .objective = objective,
                                  .data      = data,
                                  .options   = options,
                                  .callbacks = callbacks,
                                  .model     = model,
                                  .start     = MPI_Wtime() };
    int            most       = max_batch(&t);

    SDCA_TRY(sdca_comm_agree(comm, prepare(&t)));
    SDCA_TRY(count_rows(&t));
    if (options->checkpoint.resume_from != NULL) {
        SDCA_TRY(sdca_checkpoint_read_classes(comm, data, options->checkpoint.resume_from,
                                              model, &t.first));
        t.resumed = t.first;
    }
    for (; t.first < classes; t.first += t.count) {
        int left = classes - t.first;

        t.count = left < most ? left : most;
        SDCA_TRY(train_batch(&t));
    }
    SDCA_TRY(measure_test_error(&t, &test_error));

done:
    if (model->by_class != NULL) {
        sdca_model_sum_up(model);
    }
    *result             = t.total;
    result->history     = (sdca_history){ 0 };
    result->certificate = model->certificate;
    result->test_error  = test_error;
    if (status == SDCA_OK && !model->converged &&
        result->stop_reason == SDCA_STOP_CONVERGED) {
        result->stop_reason =
            SDCA_STOP_BUDGET; /* that of a class before the resumed ones */
    }
    return status == SDCA_OK && !model->converged ? SDCA_BUDGET : status;
}
