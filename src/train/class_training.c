/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_training.c - several classes, each trained against the rest, some of them side by
 * side. */
#include "train/class_training.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "model/dual_file.h"
#include "mpi/comm.h"
#include "objective/metrics.h"
#include "solver/solvers.h"
#include "train/checkpoint.h"
#include "train/iterate_fields.h"
#include "train/solver_choice.h"
#include "train/trainer.h"
#include "train/warm_start.h"

/* The classes under way. */
typedef struct class_training {
    const sdca_train_setup *setup;     /* in its data, y is the number of the class */
    const sdca_objective   *objective; /* of all classes, but for the class */
    sdca_class_iterates    *kept;      /* between two lambda, or NULL */
    sdca_model             *model;
    sdca_train_result       total; /* of the classes before the batch */
    double                  start;

    /* The batch: classes that are trained side by side. */
    int               first;   /* of them */
    int               resumed; /* the first of the batch that is resumed */
    int               count;
    sdca_train_result result[SDCA_MAX_LANES];
} class_training;

int sdca_class_training_max_batch(const sdca_objective     *objective,
                                  const sdca_dataset       *data,
                                  const sdca_train_options *options, int ranks)
{
    sdca_solver solver = sdca_solver_choice_for_fit(options, objective, data, ranks);

    return sdca_solver_find(solver)->many_models
               ? sdca_train_options_max_batch(options, data)
               : 1;
}

/* The options for a batch. Without time left, a run ends after its first round. The test
 * error is that of all classes. Collective. */
static sdca_train_options options_for_batch(const class_training *t)
{
    sdca_train_options options = *t->setup->options;
    double             elapsed = MPI_Wtime() - t->start;

    sdca_comm_allreduce_max(t->setup->comm, &elapsed, 1);
    if (options.seconds > 0.0) {
        options.seconds = fmax(options.seconds - elapsed, 1e-9);
    }
    options.test = NULL;
    if (t->first != t->resumed) {
        options.checkpoint.resume_from = NULL;
    }
    return options;
}

/* The objectives of some classes against the rest. */
static void set_classes(const sdca_objective *objective, int first, int count,
                        sdca_objective *out)
{
    for (int m = 0; m < count; m++) {
        out[m]                  = *objective;
        out[m].one_against_rest = first + m + 1;
    }
}

/* The rows of all classes. Collective. */
static sdca_status count_rows(const class_training *t)
{
    int         classes = sdca_model_parts(t->model);
    int64_t    *count   = sdca_alloc_zeroed((size_t)classes, sizeof *count);
    sdca_status status =
        count != NULL ? SDCA_OK
                      : SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes);

    SDCA_TRY(sdca_comm_agree(t->setup->comm, status));
    for (uint32_t i = 0; i < t->setup->data->x.count; i++) {
        count[(int)t->setup->data->x.row[i].y]++;
    }
    sdca_comm_allreduce_sum_int64(t->setup->comm, count, classes);
    for (int k = 0; k < classes; k++) {
        t->model->by_class[k].positives = count[k];
    }

done:
    free(count);
    return status;
}

/* The times of the batches until now. Each rank of a batch has begun with the longest
 * steps of those before, and not with the mean. */
static sdca_phase_seconds times_until_now(const class_training *t)
{
    sdca_phase_seconds earlier = t->total.times;
    sdca_phase_seconds times   = t->result[0].times;

    times.mean_local -= earlier.local - earlier.mean_local;
    return times;
}

/* Add the result of a batch to those before it. The first class that did not converge
 * gives the reason, unless a request ended one. */
static void add_results(class_training *t)
{
    sdca_train_result *total = &t->total;
    sdca_phase_seconds times = times_until_now(t);

    if (t->first == t->resumed) {
        *total = t->result[0];
    }
    for (int m = 0; m < t->count; m++) {
        const sdca_train_result *result = &t->result[m];

        if (total->stop_reason == SDCA_STOP_CONVERGED ||
            result->stop_reason == SDCA_STOP_REQUESTED) {
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
    if (t->setup->callbacks->on_class != NULL) {
        t->setup->callbacks->on_class(t->setup->callbacks->context, k);
    }
}

static void on_evaluation(void *context, const sdca_history_record *record)
{
    const class_training *t = context;

    if (t->setup->callbacks->on_evaluation != NULL) {
        t->setup->callbacks->on_evaluation(t->setup->callbacks->context, record);
    }
}

static void on_progress(void *context, const sdca_progress *now)
{
    const class_training *t = context;

    if (t->setup->callbacks->on_progress != NULL) {
        t->setup->callbacks->on_progress(t->setup->callbacks->context, now);
    }
}

static void on_checkpoint(void *context, sdca_status status, double seconds)
{
    const class_training *t = context;

    if (t->setup->callbacks->on_checkpoint != NULL) {
        t->setup->callbacks->on_checkpoint(t->setup->callbacks->context, status, seconds);
    }
}

static bool stop_requested(void *context)
{
    const class_training *t = context;

    return t->setup->callbacks->stop_requested != NULL &&
           t->setup->callbacks->stop_requested(t->setup->callbacks->context);
}

/* Start from an earlier model or checkpoint. Collective. */
static sdca_status warm_start(const class_training *t, const sdca_objective *objective,
                              sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;

    for (int m = 0; m < t->count; m++) {
        SDCA_TRY(sdca_warm_start(t->setup->comm, &objective[m], t->setup->data,
                                 t->first + m, t->setup->options->warm_start,
                                 &iterate[m]));
    }
    sdca_iterate_recompute_w(t->setup->comm, objective, t->setup->data, t->count,
                             iterate);

done:
    return status;
}

/* Make the iterates of the batch, or take those of the lambda before. Collective. */
static sdca_status start_batch(const class_training *t, const sdca_train_options *options,
                               const sdca_objective *objective, sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;
    sdca_solver solver = sdca_solver_choice_for_fit(options, objective, t->setup->data,
                                                    sdca_comm_size(t->setup->comm));

    if (iterate->row != NULL) {
        sdca_warm_start_next_lambda(t->setup->comm, objective, t->setup->data, t->count,
                                    t->kept->C, sdca_solver_find(solver)->w_of_alpha,
                                    iterate);
        return SDCA_OK;
    }
    SDCA_TRY(sdca_iterate_create_lanes(t->setup->comm, objective, t->setup->data,
                                       t->count, iterate));
    if (options->warm_start != NULL && options->checkpoint.resume_from == NULL) {
        SDCA_TRY(warm_start(t, objective, iterate));
    }

done:
    return status;
}

/* Train the classes of the batch against the rest. The clock goes on from the batch
 * before. Collective. */
static sdca_status train_batch(class_training *t)
{
    const sdca_train_callbacks callbacks = { .context        = t,
                                             .on_class       = on_class,
                                             .on_evaluation  = on_evaluation,
                                             .on_progress    = on_progress,
                                             .on_checkpoint  = on_checkpoint,
                                             .stop_requested = stop_requested };
    sdca_train_options         options   = options_for_batch(t);
    sdca_train_setup           setup     = *t->setup;
    sdca_status                status    = SDCA_OK, outcome;
    sdca_objective             objective[SDCA_MAX_LANES];
    sdca_iterate               own[SDCA_MAX_LANES] = { { .rows = 0 } };
    sdca_iterate *iterate = t->kept != NULL ? t->kept->iterate + t->first : own;

    setup.options   = &options;
    setup.callbacks = &callbacks;
    setup.earlier   = t->total.times;
    set_classes(t->objective, t->first, t->count, objective);
    for (int m = 0; m < t->count; m++) {
        t->result[m] = (sdca_train_result){ 0 };
    }
    SDCA_TRY(start_batch(t, &options, objective, iterate));
    outcome = sdca_trainer_run_models(&setup, t->count, objective, t->model, iterate,
                                      t->result);
    for (int m = 0; m < t->count; m++) { /* histories are the model's from now on */
        sdca_round_log_free(&t->result[m].history.round_log);
        sdca_model_keep_part(t->model, t->setup->data, t->first + m, &iterate[m],
                             &t->result[m].certificate,
                             t->result[m].stop_reason == SDCA_STOP_CONVERGED,
                             &t->result[m].history);
        sdca_model_keep_dual(t->model, t->setup->data, t->first + m, &iterate[m]);
    }
    add_results(t);
    status = outcome == SDCA_BUDGET ? SDCA_OK : outcome;

done:
    sdca_iterate_free(&own[0]);
    return status;
}

void sdca_class_iterates_free(sdca_class_iterates *iterates)
{
    for (int k = 0; k < iterates->classes; k += iterates->batch) {
        sdca_iterate_free(&iterates->iterate[k]);
    }
    free(iterates->iterate);
    *iterates = (sdca_class_iterates){ 0 };
}

sdca_status sdca_class_iterates_create(int classes, int batch, sdca_class_iterates *out)
{
    out->iterate = sdca_alloc_zeroed((size_t)classes, sizeof *out->iterate);
    if (out->iterate == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %d classes", classes);
    }
    out->classes = classes;
    out->batch   = batch;
    return SDCA_OK;
}

/* Make the iterates of all classes. Collective. */
static sdca_status make_iterates(MPI_Comm comm, const sdca_objective *objective,
                                 const sdca_dataset *data, int classes, int batch,
                                 sdca_class_iterates *out)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_comm_agree(comm, sdca_class_iterates_create(classes, batch, out)));
    for (int k = 0; k < classes; k += batch) {
        sdca_objective of_batch[SDCA_MAX_LANES];
        int            count = classes - k < batch ? classes - k : batch;

        set_classes(objective, k, count, of_batch);
        SDCA_TRY(
            sdca_iterate_create_lanes(comm, of_batch, data, count, &out->iterate[k]));
    }
    out->C = objective->C;

done:
    return status;
}

void sdca_class_iterates_fields(const sdca_objective     *objective,
                                const sdca_train_options *options, int classes,
                                sdca_class_iterates *iterates, sdca_field_io *io)
{
    sdca_status status = SDCA_OK;

    if (!io->writing) {
        status = make_iterates(io->comm, objective, io->data, classes,
                               sdca_class_training_max_batch(objective, io->data, options,
                                                             sdca_comm_size(io->comm)),
                               iterates);
    }
    if (status != SDCA_OK) {
        io->status = status;
        return; /* on every rank */
    }
    for (int k = 0; k < classes; k += iterates->batch) {
        sdca_objective of_batch[SDCA_MAX_LANES];
        int count = classes - k < iterates->batch ? classes - k : iterates->batch;

        set_classes(objective, k, count, of_batch);
        sdca_iterates_fields(of_batch, count, k, &iterates->iterate[k], io);
    }
}

/* Allocate the iterates of all classes, if they are to be kept. Local. */
static sdca_status make_room(const class_training *t, int batch)
{
    return t->kept == NULL || t->kept->classes > 0
               ? SDCA_OK
               : sdca_class_iterates_create(sdca_model_parts(t->model), batch, t->kept);
}

/* The error of the greatest score on the test set, which has the columns of the data; NaN
 * without one. Collective. */
static sdca_status measure_test_error(const class_training *t, double *out)
{
    sdca_status         status  = SDCA_OK;
    const sdca_dataset *test    = t->setup->options->test;
    int                 parts   = sdca_model_parts(t->model);
    size_t              stride  = sdca_model_stride(t->model);
    int32_t             columns = t->setup->data->columns - (t->setup->data->bias > 0.0);
    sdca_scorer         scorer  = { 0 };

    *out = NAN;
    if (test == NULL) {
        return SDCA_OK;
    }
    if (t->model->column_map == t->setup->data->column_map) {
        SDCA_TRY(
            sdca_comm_agree(t->setup->comm, sdca_scorer_create(parts, columns, &scorer)));
        for (int k = 0; k < parts; k++) {
            sdca_scorer_set_scaled(&scorer, k, t->model->w + (size_t)k * stride,
                                   t->model->by_class[k].bias, test->scale);
        }
    } else {
        SDCA_TRY(sdca_comm_agree(
            t->setup->comm, sdca_model_make_scorer(t->model, t->setup->data, &scorer)));
    }
    *out = sdca_metrics_test_error_of_scores(t->setup->comm, test, &t->model->labels,
                                             &scorer);

done:
    sdca_scorer_free(&scorer);
    return status;
}

/* Allocate the weights and the parts of the model. Local. */
static sdca_status prepare(class_training *t, int batch)
{
    size_t count = sdca_model_stride(t->model) * (size_t)sdca_model_parts(t->model);

    t->model->w = sdca_alloc_zeroed(count, sizeof *t->model->w);
    if (t->model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld weights", (long long)count);
    }
    return make_room(t, batch) == SDCA_OK ? sdca_model_create_parts(t->model)
                                          : SDCA_MEMORY;
}

sdca_status sdca_class_training_run(const sdca_train_setup *setup,
                                    const sdca_objective   *objective,
                                    sdca_class_iterates *iterates, sdca_model *model,
                                    sdca_train_result *result)
{
    sdca_status    status      = SDCA_OK;
    const char    *resume_from = setup->options->checkpoint.resume_from;
    double         test_error  = NAN;
    int            classes     = sdca_model_parts(model);
    class_training t           = { .setup     = setup,
                                   .objective = objective,
                                   .kept      = iterates,
                                   .model     = model,
                                   .start     = MPI_Wtime() };
    int most = sdca_class_training_max_batch(objective, setup->data, setup->options,
                                             sdca_comm_size(setup->comm));

    SDCA_TRY(sdca_comm_agree(setup->comm, prepare(&t, most)));
    SDCA_TRY(count_rows(&t));
    if (resume_from != NULL) {
        SDCA_TRY(sdca_checkpoint_read_classes(setup->comm, setup->data, resume_from,
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
    if (iterates != NULL) {
        iterates->C = objective->C;
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
