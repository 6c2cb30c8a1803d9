/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_metrics.c - error, RMSE and MAE of all ranks' rows, with and without weights,
 * beside a plain loop over them. */
#include "objective/metrics.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>

#include "base/alloc.h"

enum { ROWS = 83, COLUMNS = 20 };

static const double bias = 0.125;

/* The label that a score predicts: the score itself, or one of 3 and 7. */
static double plain_prediction(bool classifies, double score)
{
    if (!classifies) {
        return score;
    }
    return score > 0.0 ? 7.0 : 3.0;
}

/* Some rows have weight 0. */
static double weight_of(int64_t row)
{
    return (double)(row * row % 7) * 0.75;
}

/* The data set with labels 3 and 7 in place of -1 and +1, and with weights if asked. */
static sdca_dataset *labelled_dataset(MPI_Comm comm, bool classifies, bool weighted)
{
    sdca_dataset *data = small_dataset_create_on(comm, ROWS, COLUMNS, classifies, false);

    for (uint32_t i = 0; classifies && i < data->x.count; i++) {
        data->x.row[i].y = data->x.row[i].y > 0.0 ? 7.0 : 3.0;
    }
    if (weighted) {
        data->weight       = sdca_alloc_array(data->x.count, sizeof *data->weight);
        data->total_weight = 0.0;
        ck_assert_all(data->weight != NULL);
    }
    for (uint32_t i = 0; weighted && i < data->x.count; i++) {
        data->weight[i] = weight_of(sdca_dataset_global_row(data, i));
    }
    for (int64_t i = 0; weighted && i < ROWS; i++) {
        data->total_weight += weight_of(i);
    }
    return data;
}

/* Every rank has all rows here, and adds them up by itself. */
static sdca_metrics plain_metrics(bool classifies, bool weighted, const double *w)
{
    sdca_dataset *data  = labelled_dataset(MPI_COMM_SELF, classifies, false);
    double        sum   = 0.0;
    sdca_metrics  total = { 0.0, 0.0, 0.0 };

    ck_assert_all(data->x.count == ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        double score    = sdca_rows_dot(&data->x, i, w) + bias;
        double residual = plain_prediction(classifies, score) - data->x.row[i].y;

        double weight = weighted ? weight_of(i) : 1.0;

        total.error += residual != 0.0 ? weight : 0.0;
        total.rmse += weight * residual * residual;
        total.mae += weight * fabs(residual);
        sum += weight;
    }
    total.error /= sum;
    total.rmse = sqrt(total.rmse / sum);
    total.mae /= sum;
    if (!classifies) {
        total.error = total.rmse;
    }
    sdca_dataset_free(data);
    return total;
}

static bool is_near(double found, double expected)
{
    return fabs(found - expected) <= 1e-12 * fabs(expected);
}

START_TEST(metrics_are_the_plain_sums_on_any_number_of_ranks)
{
    bool          classifies = _i % 2 == 1;
    bool          weighted   = _i >= 2;
    sdca_dataset *data       = labelled_dataset(MPI_COMM_WORLD, classifies, weighted);
    sdca_classes  labels     = { .count = classifies ? 2 : 0,
                                 .value = (double[]){ 3.0, 7.0 } };
    double        w[COLUMNS];
    sdca_metrics  found, expected;

    for (int j = 0; j < COLUMNS; j++) {
        w[j] = j % 3 == 0 ? 0.5 : -0.25; /* right for some rows only */
    }
    found    = sdca_metrics_measure(MPI_COMM_WORLD, data, &labels, w, bias);
    expected = plain_metrics(classifies, weighted, w);
    ck_assert_all(expected.error > 0.0 && (!classifies || expected.error < 1.0));
    ck_assert_all(is_near(found.error, expected.error));
    ck_assert_all(is_near(found.rmse, expected.rmse));
    ck_assert_all(is_near(found.mae, expected.mae));
    sdca_dataset_free(data);
}
END_TEST

/* Three classes, of which the greatest score counts, and of equal ones the first. */
START_TEST(several_classes_have_the_error_of_the_greatest_score)
{
    enum { CLASSES = 3 };
    double        values[CLASSES] = { 3.0, 7.0, 8.0 }, wrong = 0.0, w[CLASSES][COLUMNS];
    sdca_dataset *all    = labelled_dataset(MPI_COMM_SELF, true, false);
    sdca_dataset *data   = labelled_dataset(MPI_COMM_WORLD, true, false);
    sdca_classes  labels = { .count = CLASSES, .value = values };
    sdca_scorer   scorer = { 0 };

    ck_assert_all(sdca_scorer_create(CLASSES, data->columns, &scorer) == SDCA_OK);
    for (int k = 0; k < CLASSES; k++) {
        for (int j = 0; j < COLUMNS; j++) {
            w[k][j] = (j + k) % 3 == 0 ? 0.5 : -0.25;
        }
        sdca_scorer_set(&scorer, k, w[k], 0.125 * k);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        double score[CLASSES];

        for (int k = 0; k < CLASSES; k++) {
            score[k] = sdca_rows_dot(&all->x, i, w[k]) + 0.125 * k;
            ck_assert(fabs(sdca_scorer_row(&scorer, &all->x, i)[k] - score[k]) < 1e-12);
        }
        wrong += values[score[1] > score[0]   ? (score[2] > score[1] ? 2 : 1)
                        : score[2] > score[0] ? 2
                                              : 0] != all->x.row[i].y;
    }
    ck_assert_all(
        wrong > 0.0 && wrong < ROWS &&
        is_near(sdca_metrics_measure_scores(MPI_COMM_WORLD, data, &labels, &scorer).error,
                wrong / ROWS));
    ck_assert_all(sdca_scorer_greatest(CLASSES, (double[]){ 1.0, 2.0, 2.0 }) == 1 &&
                  sdca_scorer_greatest(CLASSES, (double[]){ 0.0, 0.0, 0.0 }) == 0);
    sdca_scorer_free(&scorer);
    sdca_dataset_free(data);
    sdca_dataset_free(all);
}
END_TEST

/* Column j counts for model j % MODELS only, and labels repeat. */
enum { MODELS = 3 };

static double third_label(int64_t row)
{
    return (double)(row * row % MODELS);
}

START_TEST(metrics_of_several_classes_have_weights)
{
    sdca_dataset *data   = labelled_dataset(MPI_COMM_WORLD, true, true);
    sdca_dataset *all    = labelled_dataset(MPI_COMM_SELF, true, false);
    sdca_classes  labels = { .count = MODELS, .value = (double[]){ 0.0, 1.0, 2.0 } };
    double        w[COLUMNS], wrong = 0.0, plain = 0.0, sum = 0.0;
    sdca_scorer   scorer;
    sdca_metrics  found;

    ck_assert_all(sdca_scorer_create(MODELS, COLUMNS, &scorer) == SDCA_OK);
    for (int k = 0; k < MODELS; k++) {
        for (int j = 0; j < COLUMNS; j++) {
            w[j] = j % MODELS == k ? 1.0 : 0.0;
        }
        sdca_scorer_set(&scorer, k, w, 0.0);
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        data->x.row[i].y = third_label(sdca_dataset_global_row(data, i));
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        const double *score = sdca_scorer_row(&scorer, &all->x, i);
        int           best  = score[1] > score[0] ? 1 : 0;
        bool          error = (score[2] > score[best] ? 2.0 : best) != third_label(i);

        plain += error ? 1.0 / ROWS : 0.0;
        wrong += error ? weight_of(i) : 0.0;
        sum += weight_of(i);
    }
    found = sdca_metrics_measure_scores(MPI_COMM_WORLD, data, &labels, &scorer);
    ck_assert_all(is_near(found.error, wrong / sum) && !is_near(found.error, plain));
    sdca_scorer_free(&scorer);
    sdca_dataset_free(all);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, metrics_are_the_plain_sums_on_any_number_of_ranks, 0, 4);
    tcase_add_test(tests, several_classes_have_the_error_of_the_greatest_score);
    tcase_add_test(tests, metrics_of_several_classes_have_weights);
}
