/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_api.c - training, predicting and evaluating through the public headers only. */
#include <sdca/sdca.h>

#include "support/mpi_check.h"
#include "support/temp_dir.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, COLUMNS = 3, SPREAD = 1000 };

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

static int rank_here(void)
{
    int rank;

    MPI_Comm_rank(*world, &rank);
    return rank;
}

/* Value and label are functions of the global row. */
static double value_at(int64_t row, int column)
{
    double k = (double)(row * COLUMNS + column);

    return sin(k * k);
}

static double score_at(int64_t row)
{
    return value_at(row, 0) - 0.5 * value_at(row, 1) + 0.3;
}

/* This rank's share of ROWS rows, of which the last rank has the rest. */
typedef struct share {
    int64_t first;
    int64_t count;
    double  x[ROWS * COLUMNS];
    double  y[ROWS];
} share;

static void make_share(bool classes, share *out)
{
    int rank, size;

    MPI_Comm_rank(*world, &rank);
    MPI_Comm_size(*world, &size);
    out->first = rank * (ROWS / size);
    out->count = rank < size - 1 ? ROWS / size : ROWS - out->first;
    for (int64_t i = 0; i < out->count; i++) {
        double score = score_at(out->first + i);

        out->y[i] = !classes ? score : score > 0.0 ? 7.0 : 3.0;
        for (int j = 0; j < COLUMNS; j++) {
            out->x[i * COLUMNS + j] = value_at(out->first + i, j);
        }
    }
}

static sdca_dataset *make_dataset(const share *s, const sdca_read_options *how)
{
    sdca_dense_view view = { .rows = s->count, .columns = COLUMNS, .value64 = s->x };
    sdca_dataset   *data = NULL;

    ck_assert_all(sdca_dataset_from_dense(*world, &view, s->y, how, &data) == SDCA_OK);
    return data;
}

static sdca_train_options options_with(const char *loss)
{
    sdca_train_options options = sdca_train_options_default();

    options.loss   = loss;
    options.lambda = 1e-2;
    return options;
}

static sdca_read_options options_for(bool classification)
{
    sdca_read_options how = sdca_read_options_default();

    how.task = classification ? SDCA_TASK_CLASSIFICATION : SDCA_TASK_REGRESSION;
    return how;
}

/* Rows (1, 0) and (0, 1) with labels +1 and -1: for the squared hinge and lambda = 1,
 * w = (1/2, -1/2) and P(w) = 1/2. Rank 0 has both. */
START_TEST(two_rows_have_the_solution_in_closed_form)
{
    const int64_t      indptr[]  = { 0, 1, 2 };
    const int32_t      indices[] = { 0, 1 };
    const float        value[]   = { 1.0F, 1.0F };
    const double       label[]   = { 1.0, -1.0 };
    sdca_csr_view      view      = { .rows    = rank_here() == 0 ? 2 : 0,
                                     .columns = 2,
                                     .indptr  = indptr,
                                     .indices = indices,
                                     .value32 = value };
    sdca_dataset      *data      = NULL;
    sdca_model        *model     = NULL;
    sdca_train_options options   = options_with("squared-hinge");
    sdca_train_result  result;

    options.lambda = 1.0;
    options.gap    = 1e-12;
    ck_assert_all(sdca_dataset_from_csr(*world, &view, label, NULL, &data) == SDCA_OK);
    ck_assert_all(sdca_dataset_rows(data) == 2 && sdca_dataset_columns(data) == 2 &&
                  sdca_dataset_nonzeros(data) == 2 &&
                  sdca_dataset_local_rows(data) == view.rows);
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, &result) == SDCA_OK);
    ck_assert_all(result.stop_reason == SDCA_STOP_CONVERGED &&
                  fabs(result.certificate.primal - 0.5) < 1e-9);
    ck_assert_all(fabs(sdca_model_weights(model)[0] - 0.5) < 1e-6 &&
                  fabs(sdca_model_weights(model)[1] + 0.5) < 1e-6);
    ck_assert_all(sdca_model_converged(model) && sdca_model_lambda(model) == 1.0 &&
                  strcmp(sdca_model_loss(model), "squared-hinge") == 0);
    sdca_model_free(model);
    sdca_dataset_free(data);
}
END_TEST

/* Every loss trains, with a bias, and its model comes back from its file. */
START_TEST(a_model_predicts_the_same_after_its_file)
{
    sdca_loss_info     loss    = sdca_loss_describe(_i);
    sdca_read_options  how     = options_for(loss.classification);
    sdca_train_options options = options_with(loss.name);
    sdca_dataset      *data = NULL, *again = NULL;
    sdca_model        *model = NULL, *copy = NULL;
    double             score[ROWS], copied[ROWS];
    share              s;
    bool               same = true, near = true;

    make_share(loss.classification, &s);
    how.bias = 1.0;
    data     = make_dataset(&s, &how);
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
    ck_assert_all(
        sdca_agree(*world, rank_here() == 0
                               ? sdca_model_write(model, temp_directory_path("m.h5"))
                               : SDCA_OK) == SDCA_OK);
    ck_assert_all(sdca_model_read(*world, temp_directory_path("m.h5"), &copy) == SDCA_OK);
    how       = sdca_read_options_default();
    how.model = copy;
    again     = make_dataset(&s, &how);
    ck_assert_all(sdca_model_predict(model, data, score) == SDCA_OK);
    ck_assert_all(sdca_model_predict(copy, again, copied) == SDCA_OK);
    for (int64_t i = 0; i < s.count; i++) {
        double        expected = sdca_model_bias(model);
        const double *w        = sdca_model_weights(model);

        for (int j = 0; j < COLUMNS; j++) {
            expected += w[j] * s.x[i * COLUMNS + j];
        }
        near = near && fabs(score[i] - expected) < 1e-12;
        same = same && fabs(score[i] - copied[i]) < 1e-12;
    }
    ck_assert_all(near);
    ck_assert_all(same);
    ck_assert_all(sdca_model_columns(copy) == COLUMNS &&
                  sdca_model_bias(copy) == sdca_model_bias(model));
    ck_assert_all(sdca_model_class_count(copy) == (loss.classification ? 2 : 0));
    ck_assert_all(!loss.classification || (sdca_model_label(copy, -1.0) == 3.0 &&
                                           sdca_model_label(copy, 1.0) == 7.0 &&
                                           sdca_model_class_label(copy, 0) == 3.0 &&
                                           sdca_model_class_name(copy, 1) == NULL));
    sdca_model_free(model);
    sdca_model_free(copy);
    sdca_dataset_free(data);
    sdca_dataset_free(again);
}
END_TEST

/* The error is the same on the training set, on a data set made for the model, and as
 * recorded in training. */
START_TEST(all_ways_to_the_test_error_agree)
{
    bool               classification = _i == 0;
    sdca_read_options  how            = options_for(classification);
    sdca_train_options options = options_with(classification ? "hinge" : "squared");
    sdca_dataset      *data = NULL, *test = NULL, *other = NULL;
    sdca_model        *model = NULL;
    sdca_train_result  result;
    sdca_metrics       on_training, on_test, on_other;
    share              s;

    make_share(classification, &s);
    options.lambda = 10.0; /* too much to be without errors */
    data           = make_dataset(&s, &how);
    how.like       = data;
    test           = make_dataset(&s, &how);
    options.test   = test;
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, &result) == SDCA_OK);
    how.like  = NULL;
    how.model = model;
    other     = make_dataset(&s, &how);
    ck_assert_all(sdca_model_evaluate(*world, model, data, &on_training) == SDCA_OK);
    ck_assert_all(sdca_model_evaluate(*world, model, test, &on_test) == SDCA_OK);
    ck_assert_all(sdca_model_evaluate(*world, model, other, &on_other) == SDCA_OK);
    ck_assert_all((classification ? on_test.error : on_test.rmse) == result.test_error &&
                  result.test_error > 0.0);
    if (classification) {
        ck_assert_all(fabs(on_training.error - on_test.error) < 1e-12 &&
                      fabs(on_other.error - on_test.error) < 1e-12);
        ck_assert_all(fabs(on_training.auc - on_test.auc) < 1e-12 &&
                      fabs(on_other.f1 - on_test.f1) < 1e-12 && isnan(on_test.rmse));
    } else {
        ck_assert_all(fabs(on_training.rmse - on_test.rmse) < 1e-12 &&
                      fabs(on_training.mae - on_test.mae) < 1e-12);
    }
    ck_assert_all(sdca_model_history(model)->count == result.history.count);
    sdca_model_free(model);
    sdca_dataset_free(data);
    sdca_dataset_free(test);
    sdca_dataset_free(other);
}
END_TEST

/* A model has a weight for each column, also where most occur in no row. */
START_TEST(unused_columns_have_weight_zero)
{
    int64_t            indptr[ROWS + 1];
    int32_t            indices[ROWS * COLUMNS];
    sdca_csr_view      view    = { .columns = SPREAD * COLUMNS };
    sdca_train_options options = options_with("logistic");
    sdca_dataset      *data    = NULL;
    sdca_model        *model   = NULL;
    sdca_read_options  how     = options_for(true);
    sdca_dataset      *test    = NULL;
    sdca_metrics       metrics, on_test;
    share              s;
    int                nonzero = 0;

    make_share(true, &s);
    for (int64_t k = 0; k < s.count * COLUMNS; k++) {
        indptr[k / COLUMNS] = k / COLUMNS * COLUMNS;
        indices[k]          = (int32_t)(k % COLUMNS) * SPREAD;
    }
    indptr[s.count] = s.count * COLUMNS;
    view.rows       = s.count;
    view.indptr     = indptr;
    view.indices    = indices;
    view.value64    = s.x;
    how.bias        = _i;
    ck_assert_all(sdca_dataset_from_csr(*world, &view, s.y, &how, &data) == SDCA_OK);
    how.like = data;
    ck_assert_all(sdca_dataset_from_csr(*world, &view, s.y, &how, &test) == SDCA_OK);
    ck_assert_all(sdca_dataset_columns(data) == SPREAD * COLUMNS &&
                  sdca_dataset_columns(test) == SPREAD * COLUMNS);
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
    ck_assert_all(sdca_model_columns(model) == SPREAD * COLUMNS);
    for (int j = 0; j < SPREAD * COLUMNS; j++) {
        nonzero += sdca_model_weights(model)[j] != 0.0;
    }
    ck_assert_all(nonzero == COLUMNS && sdca_model_weights(model)[SPREAD] < 0.0);
    ck_assert_all(sdca_model_evaluate(*world, model, data, &metrics) == SDCA_OK &&
                  metrics.error < 0.3);
    ck_assert_all(sdca_model_evaluate(*world, model, test, &on_test) == SDCA_OK &&
                  on_test.error == metrics.error);
    sdca_model_free(model);
    sdca_dataset_free(test);
    sdca_dataset_free(data);
}
END_TEST

/* Rows of three classes, and whether most columns are unused. */
static sdca_dataset *make_three_classes(share *s, bool spread,
                                        const sdca_read_options *how)
{
    int64_t       indptr[ROWS + 1];
    int32_t       indices[ROWS * COLUMNS];
    int32_t       step = spread ? SPREAD : 1;
    sdca_csr_view view = { .columns = step * COLUMNS };
    sdca_dataset *data = NULL;

    for (int64_t k = 0; k < s->count * COLUMNS; k++) {
        indptr[k / COLUMNS] = k / COLUMNS * COLUMNS;
        indices[k]          = (int32_t)(k % COLUMNS) * step;
        s->y[k / COLUMNS]   = 5.0 + 2.0 * (double)((s->first + k / COLUMNS) % 3);
        s->x[k] += s->y[k / COLUMNS] == 5.0 + 2.0 * (double)(k % COLUMNS) ? 2.0 : 0.0;
    }
    indptr[s->count] = s->count * COLUMNS;
    view.rows        = s->count;
    view.indptr      = indptr;
    view.indices     = indices;
    view.value64     = s->x;
    ck_assert_all(sdca_dataset_from_csr(*world, &view, s->y, how, &data) == SDCA_OK);
    return data;
}

/* The classes whose evaluations were seen, one bit each. */
static void note_class(void *context, int k)
{
    unsigned *seen = context;

    *seen |= 1U << k;
}

/* The error that labels of the greatest scores have, computed here. */
static double plain_error(const share *s, const sdca_model *model, const double *scores)
{
    double wrong = 0.0;

    for (int64_t i = 0; i < s->count; i++) {
        const double *score = scores + 3 * i;
        int           best  = score[1] > score[0] ? 1 : 0;

        best = score[2] > score[best] ? 2 : best;
        wrong += 5.0 + 2.0 * best != s->y[i];
        ck_assert_double_eq(sdca_model_label_of_scores(model, score), 5.0 + 2.0 * best);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_SUM, *world);
    return wrong / ROWS;
}

START_TEST(three_classes_are_three_models)
{
    bool                 spread    = _i == 1;
    sdca_read_options    how       = options_for(true);
    sdca_train_options   options   = options_with("hinge");
    unsigned             seen      = 0;
    sdca_train_callbacks callbacks = { .context = &seen, .on_class = note_class };
    sdca_dataset        *data = NULL, *test = NULL;
    sdca_model          *model = NULL, *copy          = NULL;
    double               scores[3 * ROWS + 1], primal = 0.0;
    sdca_train_result    result;
    sdca_metrics         on_training, on_test;
    share                s;

    make_share(true, &s);
    how.bias = 1.0;
    data     = make_three_classes(&s, spread, &how);
    how.like = data;
    make_share(true, &s);
    test         = make_three_classes(&s, spread, &how);
    options.test = test;
    ck_assert_all(sdca_train(*world, data, &options, &callbacks, &model, &result) ==
                  SDCA_OK);
    ck_assert_all(seen == 7U && sdca_model_class_count(model) == 3 &&
                  sdca_model_score_count(model) == 3 &&
                  sdca_model_class_label(model, 2) == 9.0);
    ck_assert_all(sdca_model_evaluate(*world, model, data, &on_training) == SDCA_OK &&
                  sdca_model_evaluate(*world, model, test, &on_test) == SDCA_OK);
    ck_assert_all(on_test.error == on_training.error &&
                  sdca_dataset_columns(test) == sdca_dataset_columns(data));
    ck_assert_all(sdca_model_predict(model, data, scores) == SDCA_OK);
    ck_assert_all(fabs(plain_error(&s, model, scores) - on_training.error) < 1e-12 &&
                  result.test_error == on_training.error && on_training.error < 0.3);
    for (int k = 0; k < 3; k++) {
        sdca_certificate part = sdca_model_class_certificate(model, k);

        primal += part.primal;
        ck_assert(part.gap <= 1e-3 * part.primal &&
                  sdca_model_class_history(model, k)->count > 1 &&
                  sdca_model_class_weights(model, k)[k * (spread ? SPREAD : 1)] > 0.0);
    }
    ck_assert_all(fabs(primal - result.certificate.primal) < 1e-12 &&
                  sdca_model_largest_relative_gap(model) <= 1e-3);
    ck_assert_all(
        sdca_agree(*world, rank_here() == 0
                               ? sdca_model_write(model, temp_directory_path("m.h5"))
                               : SDCA_OK) == SDCA_OK);
    ck_assert_all(sdca_model_read(*world, temp_directory_path("m.h5"), &copy) == SDCA_OK);
    ck_assert_all(memcmp(sdca_model_weights(copy), sdca_model_weights(model),
                         3 * (size_t)sdca_model_columns(model) * sizeof(double)) == 0 &&
                  sdca_model_class_bias(copy, 1) == sdca_model_class_bias(model, 1));
    options.checkpoint.path = temp_directory_path("run.h5");
    sdca_model_free(model);
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
    sdca_model_free(model);
    options.checkpoint.resume_from = temp_directory_path("run.h5");
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
    ck_assert_all(memcmp(sdca_model_weights(copy), sdca_model_weights(model),
                         3 * (size_t)sdca_model_columns(model) * sizeof(double)) == 0);
    sdca_model_free(model);
    sdca_model_free(copy);
    sdca_dataset_free(data);
    sdca_dataset_free(test);
}
END_TEST

/* What callbacks receive, and what they request. */
typedef struct observer {
    int64_t evaluations;
    int64_t rounds;
    bool    stop;
} observer;

static void count_evaluation(void *context, const sdca_history_record *record)
{
    ((observer *)context)->evaluations += record->gap >= 0.0;
}

static void count_round(void *context, const sdca_progress *now)
{
    ((observer *)context)->rounds += now->target_gap > 0.0;
}

static bool stop_after_rounds(void *context)
{
    const observer *o = context;

    return o->stop && o->rounds >= 2;
}

START_TEST(a_run_that_is_stopped_can_be_resumed)
{
    observer             o         = { .stop = true };
    sdca_train_callbacks callbacks = { .context        = &o,
                                       .on_evaluation  = count_evaluation,
                                       .on_progress    = count_round,
                                       .stop_requested = stop_after_rounds };
    sdca_train_options   options   = options_with("hinge");
    sdca_model          *model     = NULL;
    sdca_train_result    result;
    share                s;
    sdca_dataset        *data;

    make_share(true, &s);
    data                  = make_dataset(&s, NULL);
    options.solver        = SDCA_SOLVER_SDCA;
    options.rel_gap       = 1e-10;
    options.local_steps   = 0.1;
    options.deterministic = true;
    ck_assert_all(sdca_train(*world, data, &options, &callbacks, &model, &result) ==
                  SDCA_BUDGET);
    ck_assert_all(result.stop_reason == SDCA_STOP_REQUESTED &&
                  !sdca_model_converged(model));
    ck_assert_all(o.evaluations == result.history.count && o.rounds >= 2);
    sdca_model_free(model);

    options.checkpoint.path = temp_directory_path("c.h5");
    o.rounds                = 0;
    ck_assert_all(sdca_train(*world, data, &options, &callbacks, &model, &result) ==
                  SDCA_INTERRUPTED);
    ck_assert_all(model == NULL && result.history.count == 0);

    options.rel_gap                = 1e-2;
    options.checkpoint.resume_from = temp_directory_path("c.h5");
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, &result) == SDCA_OK);
    ck_assert_all(sdca_certificate_relative_gap(&result.certificate) <= 1e-2);
    sdca_model_free(model);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(a_start_from_a_model_has_less_to_do)
{
    sdca_train_options options = options_with("hinge");
    sdca_model        *model   = NULL;
    sdca_train_result  result;
    double             cold;
    share              s;
    sdca_dataset      *data;

    make_share(true, &s);
    data           = make_dataset(&s, NULL);
    options.solver = SDCA_SOLVER_SDCA;
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, &result) == SDCA_OK);
    cold = result.history.records[0].gap;
    ck_assert_all(
        sdca_agree(*world, rank_here() == 0
                               ? sdca_model_write(model, temp_directory_path("m.h5"))
                               : SDCA_OK) == SDCA_OK);
    sdca_model_free(model);
    options.warm_start = temp_directory_path("m.h5");
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, &result) == SDCA_OK);
    ck_assert_all(result.history.records[0].gap < cold);
    sdca_model_free(model);
    sdca_dataset_free(data);
}
END_TEST

/* Change options to the k-th that are refused; false behind the last. */
static bool make_wrong(int k, sdca_train_options *o)
{
    switch (k) {
    case 0:
        o->lambda = 0.0;
        return true;
    case 1:
        o->C = 1.0; /* and lambda */
        return true;
    case 2:
        o->lambda = NAN;
        return true;
    case 3:
        o->loss = "log";
        return true;
    case 4:
        o->loss = "squared"; /* for regression */
        return true;
    case 5:
        o->rel_gap = 0.0;
        return true;
    case 6:
        o->epochs = -1;
        return true;
    case 7:
        o->output = SDCA_OUTPUT_RANDOM; /* of how many? */
        return true;
    case 8:
        o->solver    = SDCA_SOLVER_NEWTON;
        o->sgd_start = true;
        return true;
    case 9:
        o->solver = SDCA_SOLVER_SGD; /* the hinge loss needs a budget */
        return true;
    case 10:
        o->loss           = "smooth-hinge";
        o->loss_parameter = -1.0;
        return true;
    case 11:
        o->local_steps = -1.0;
        return true;
    case 12:
        o->approximate_step = true; /* not with the hinge loss */
        return true;
    case 13:
        o->output       = SDCA_OUTPUT_AVERAGE;
        o->epochs       = 3;
        o->average_from = 3.0;
        return true;
    case 14:
        o->output = SDCA_OUTPUT_AVERAGE; /* from when on? */
        return true;
    case 15:
        o->output = SDCA_OUTPUT_AVERAGE;
        o->epochs = 3;
        o->solver = SDCA_SOLVER_NEWTON;
        return true;
    case 16:
        o->sgd_start  = true;
        o->warm_start = "model.h5";
        return true;
    case 17:
        o->solver     = SDCA_SOLVER_SGD; /* or too many ranks */
        o->epochs     = 3;
        o->warm_start = "model.h5";
        return true;
    default:
        return false;
    }
}

START_TEST(wrong_options_are_refused)
{
    sdca_dataset *data = NULL;
    share         s;

    make_share(true, &s);
    data = make_dataset(&s, NULL);
    for (int k = 0;; k++) {
        sdca_train_options options = options_with("hinge");
        sdca_model        *model   = (sdca_model *)&s;

        if (!make_wrong(k, &options)) {
            break;
        }
        ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) ==
                      SDCA_USAGE);
        ck_assert_all(model == NULL && strlen(sdca_status_message()) > 10);
    }
    sdca_dataset_free(data);
}
END_TEST

START_TEST(data_that_do_not_fit_are_refused)
{
    sdca_train_options options = options_with("hinge");
    sdca_read_options  how     = sdca_read_options_default();
    sdca_dense_view    view    = { .columns = COLUMNS };
    sdca_dataset      *data = NULL, *unlabelled = NULL, *other = NULL;
    sdca_model        *model = NULL;
    double             score[ROWS];
    sdca_metrics       metrics;
    share              s;

    make_share(true, &s);
    view.rows    = s.count;
    view.value64 = s.x;
    ck_assert_all(sdca_dataset_from_dense(*world, &view, NULL, NULL, &unlabelled) ==
                  SDCA_OK);
    ck_assert_all(sdca_train(*world, unlabelled, &options, NULL, &model, NULL) ==
                  SDCA_DATA);
    how.normalize = true;
    data          = make_dataset(&s, NULL);
    other         = make_dataset(&s, &how);
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
    ck_assert_all(sdca_model_predict(model, other, score) == SDCA_USAGE);
    ck_assert_all(sdca_model_evaluate(*world, model, other, &metrics) == SDCA_USAGE);
    ck_assert_all(sdca_model_evaluate(*world, model, unlabelled, &metrics) == SDCA_USAGE);
    ck_assert_all(sdca_model_predict(model, unlabelled, score) == SDCA_OK);
    how.bias = -1.0;
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_USAGE);
    how       = sdca_read_options_default();
    how.model = model;
    how.like  = data;
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_USAGE);
    sdca_dataset_free(other);
    for (int64_t i = 0; i < s.count; i++) {
        s.y[i] += 1.0; /* labels that the model does not have */
    }
    other = make_dataset(&s, NULL);
    ck_assert_all(sdca_model_evaluate(*world, model, other, &metrics) == SDCA_USAGE);
    sdca_model_free(model);
    sdca_dataset_free(data);
    sdca_dataset_free(unlabelled);
    sdca_dataset_free(other);
}
END_TEST

/* Weights 3 and 1 for the labels 7 and 3, given by row or by class. */
START_TEST(weights_are_those_of_rows_and_classes)
{
    sdca_read_options how  = options_for(true);
    sdca_dataset     *rows = NULL, *classes = NULL, *data = NULL;
    double            weight[ROWS];
    share             s;
    sdca_dense_view   view;

    make_share(true, &s);
    view = (sdca_dense_view){ .rows = s.count, .columns = COLUMNS, .value64 = s.x };
    for (int64_t i = 0; i < s.count; i++) {
        weight[i] = s.y[i] == 7.0 ? 3.0 : 1.0;
    }
    how.weights      = weight;
    rows             = make_dataset(&s, &how);
    how.weights      = NULL;
    how.class_weight = "7=3";
    classes          = make_dataset(&s, &how);
    ck_assert_all(sdca_dataset_total_weight(rows) > ROWS &&
                  sdca_dataset_total_weight(rows) == sdca_dataset_total_weight(classes));
    how.class_weight = "balanced";
    data             = make_dataset(&s, &how);
    ck_assert_all(fabs(sdca_dataset_total_weight(data) - ROWS) < 1e-9);
    sdca_dataset_free(data);
    data = make_dataset(&s, NULL);
    ck_assert_all(sdca_dataset_total_weight(data) == ROWS);
    sdca_dataset_free(data);
    how.like = rows; /* class weights are not those of a test set */
    data     = make_dataset(&s, &how);
    ck_assert_all(sdca_dataset_total_weight(data) == ROWS);
    sdca_dataset_free(data);
    how.like         = NULL;
    how.class_weight = "7";
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_USAGE);
    how.class_weight = "5=1";
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_DATA);
    how.class_weight = "balanced";
    how.task         = SDCA_TASK_REGRESSION;
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_USAGE);
    ck_assert_all(strstr(sdca_status_message(), "for classification") != NULL);
    sdca_dataset_free(rows);
    sdca_dataset_free(classes);
}
END_TEST

/* Columns of another size and mean give the same scores, if they are standardised and the
 * intercept has no penalty. */
START_TEST(columns_and_intercept_do_not_depend_on_units)
{
    sdca_read_options  how     = options_for(true);
    sdca_train_options options = options_with("logistic");
    double             first[ROWS], second[ROWS];
    share              s;

    make_share(true, &s);
    how.intercept   = true;
    how.standardize = SDCA_STANDARDIZE_FULL;
    options.rel_gap = 1e-10;
    for (int k = 0; k < 2; k++) {
        sdca_dataset *data  = make_dataset(&s, &how);
        sdca_model   *model = NULL;

        ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_OK);
        ck_assert_all(sdca_model_predict(model, data, k == 0 ? first : second) ==
                      SDCA_OK);
        sdca_model_free(model);
        sdca_dataset_free(data);
        for (int64_t i = 0; i < s.count * COLUMNS; i++) {
            s.x[i] = 1000.0 * s.x[i] + 5000.0;
        }
    }
    for (int64_t i = 0; i < s.count; i++) {
        ck_assert(fabs(first[i] - second[i]) < 1e-4);
    }
}
END_TEST

START_TEST(an_intercept_excludes_what_has_none)
{
    sdca_read_options  how     = options_for(true);
    sdca_train_options options = options_with("logistic");
    sdca_dataset      *data    = NULL;
    sdca_model        *model   = NULL;
    share              s;
    sdca_dense_view    view;

    make_share(true, &s);
    view = (sdca_dense_view){ .rows = s.count, .columns = COLUMNS, .value64 = s.x };
    how.intercept = true;
    how.bias      = 1.0;
    ck_assert_all(sdca_dataset_from_dense(*world, &view, s.y, &how, &data) == SDCA_USAGE);
    ck_assert_all(strstr(sdca_status_message(), "excludes a bias") != NULL);
    how.bias       = 0.0;
    data           = make_dataset(&s, &how);
    options.solver = SDCA_SOLVER_EG;
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_USAGE);
    ck_assert_all(strstr(sdca_status_message(), "not for the solver eg") != NULL);
    options.solver    = SDCA_SOLVER_SDCA;
    options.sgd_start = true;
    ck_assert_all(sdca_train(*world, data, &options, NULL, &model, NULL) == SDCA_USAGE);
    ck_assert_all(strstr(sdca_status_message(), "excludes sgd_start") != NULL);
    sdca_dataset_free(data);
}
END_TEST

/* One rank fails by itself, and all say so. */
START_TEST(ranks_agree_on_the_failure_of_one)
{
    int size, last;

    MPI_Comm_size(*world, &size);
    last = size - 1;
    ck_assert_all(sdca_agree(*world, rank_here() == last
                                         ? SDCA_FAIL(SDCA_IO, "rank %d failed", last)
                                         : SDCA_OK) == SDCA_IO);
    ck_assert_all(strstr(sdca_status_message(), "failed") != NULL);
    ck_assert_all(sdca_status_exit_code(SDCA_IO) == 74);
    sdca_model_free(NULL);
    sdca_dataset_free(NULL);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, temp_directory_create, temp_directory_remove);

    tcase_add_test(tests, two_rows_have_the_solution_in_closed_form);
    tcase_add_loop_test(tests, a_model_predicts_the_same_after_its_file, 0,
                        sdca_loss_count());
    tcase_add_loop_test(tests, all_ways_to_the_test_error_agree, 0, 2);
    tcase_add_loop_test(tests, unused_columns_have_weight_zero, 0, 2);
    tcase_add_loop_test(tests, three_classes_are_three_models, 0, 2);
    tcase_add_test(tests, a_run_that_is_stopped_can_be_resumed);
    tcase_add_test(tests, a_start_from_a_model_has_less_to_do);
    tcase_add_test(tests, wrong_options_are_refused);
    tcase_add_test(tests, data_that_do_not_fit_are_refused);
    tcase_add_test(tests, weights_are_those_of_rows_and_classes);
    tcase_add_test(tests, columns_and_intercept_do_not_depend_on_units);
    tcase_add_test(tests, an_intercept_excludes_what_has_none);
    tcase_add_test(tests, ranks_agree_on_the_failure_of_one);
}
