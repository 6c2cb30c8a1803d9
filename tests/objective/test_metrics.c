/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_metrics.c - metrics of all ranks' rows beside plain loops over all rows and all
 * pairs of rows, with ties, weights and unknown labels. */
#include "objective/metrics.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "objective/ranking.h"

enum { ROWS = 157, MOST_CLASSES = 4, COLUMNS = 20 };

/* The rows of all ranks. */
typedef struct table {
    int    classes;
    int    width;
    double score[ROWS * MOST_CLASSES];
    double label[ROWS];
    double weight[ROWS];
} table;

/* Scores have few values, so that many are equal, some rows weigh nothing, and some have
 * an unknown label. */
static table make_table(int classes, bool weighted, bool unknown)
{
    table t = { .classes = classes, .width = classes > 2 ? classes : 1 };

    for (int64_t i = 0; i < ROWS; i++) {
        t.label[i]  = classes > 0 ? (double)((i * i + i / 3) % 11 % classes)
                                  : (double)(i % 13) / 4.0;
        t.weight[i] = weighted ? (double)(i * i % 7) * 0.75 : 1.0;
        if (unknown && i % 29 == 3) {
            t.label[i] = -1.0;
        }
        for (int k = 0; k < t.width; k++) {
            t.score[i * t.width + k] =
                (double)((i * 7 + k * 5 + i * i) % 17 - 8) / 4.0 +
                (t.label[i] == (double)(t.width > 1 ? k : 1) ? 0.5 : 0.0);
        }
    }
    return t;
}

/* The rows of this rank: unequal numbers, none on the last of several ranks. */
static sdca_metrics_input share_of(const table *t, bool weighted)
{
    int     rank = sdca_comm_rank(MPI_COMM_WORLD), ranks = sdca_comm_size(MPI_COMM_WORLD);
    int     parts = ranks > 1 ? ranks - 1 : 1;
    int64_t first = rank < parts ? ROWS * (int64_t)(rank * rank) / (parts * parts) : ROWS;
    int64_t last =
        rank < parts ? ROWS * (int64_t)((rank + 1) * (rank + 1)) / (parts * parts) : ROWS;

    return (sdca_metrics_input){ .classes  = t->classes,
                                 .log_odds = true,
                                 .rows     = last - first,
                                 .score    = t->score + first * t->width,
                                 .label    = t->label + first,
                                 .weight   = weighted ? t->weight + first : NULL };
}

static bool is_near(double found, double expected)
{
    return fabs(found - expected) <= 1e-12 * (1.0 + fabs(expected));
}

static double score_of(const table *t, int i, int k)
{
    double score = t->score[i * t->width + (t->width > 1 ? k : 0)];

    return t->classes == 2 && k == 0 ? -score : score;
}

static int predicted_class(const table *t, int i)
{
    int best = 0;

    if (t->width == 1) {
        return t->score[i] > 0.0;
    }
    for (int k = 1; k < t->classes; k++) {
        best = score_of(t, i, k) > score_of(t, i, best) ? k : best;
    }
    return best;
}

/* All pairs of a row of class k and another row. */
static double plain_auc(const table *t, int k)
{
    double right = 0.0, pairs = 0.0;

    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            if (t->label[i] == k && t->label[j] >= 0.0 && t->label[j] != k) {
                double pair = t->weight[i] * t->weight[j];
                double a = score_of(t, i, k), b = score_of(t, j, k);

                pairs += pair;
                right += a > b ? pair : a == b ? pair / 2.0 : 0.0;
            }
        }
    }
    return right / pairs;
}

/* The precision at the score of each row of class k. */
static double plain_average_precision(const table *t, int k)
{
    double sum = 0.0, positives = 0.0;

    for (int i = 0; i < ROWS; i++) {
        double found = 0.0, right = 0.0;

        for (int j = 0; t->label[i] == k && j < ROWS; j++) {
            if (t->label[j] >= 0.0 && score_of(t, j, k) >= score_of(t, i, k)) {
                found += t->weight[j];
                right += t->label[j] == k ? t->weight[j] : 0.0;
            }
        }
        if (t->label[i] == k && t->weight[i] > 0.0) {
            sum += t->weight[i] * right / found;
            positives += t->weight[i];
        }
    }
    return sum / positives;
}

/* The probability of class k. */
static double plain_probability(const table *t, int i, int k)
{
    double sum = 0.0;

    for (int j = 0; j < t->classes; j++) {
        sum += 1.0 / (1.0 + exp(-score_of(t, i, j)));
    }
    return 1.0 / (1.0 + exp(-score_of(t, i, k))) / sum;
}

static void check_class(const table *t, const sdca_class_metrics *found, int k)
{
    double support = 0.0, predicted = 0.0, right = 0.0;

    for (int i = 0; i < ROWS; i++) {
        bool is = t->label[i] == k, says = predicted_class(t, i) == k;

        support += is ? t->weight[i] : 0.0;
        predicted += says && t->label[i] >= 0.0 ? t->weight[i] : 0.0;
        right += is && says ? t->weight[i] : 0.0;
    }
    ck_assert_all(is_near(found->support, support) &&
                  is_near(found->predicted, predicted));
    ck_assert_all(is_near(found->precision, right / predicted) &&
                  is_near(found->recall, right / support));
    ck_assert_all(is_near(found->f1, 2.0 / (predicted / right + support / right)));
    ck_assert_all(is_near(found->auc, plain_auc(t, k)));
    ck_assert_all(is_near(found->average_precision, plain_average_precision(t, k)));
}

static void check_total(const table *t, const sdca_metrics_result *found)
{
    double wrong = 0.0, all = 0.0, unknown = 0.0, loss = 0.0, brier = 0.0, sum = 0.0;
    double most = 0.0, recall = 0.0, auc = 0.0;

    for (int i = 0; i < ROWS; i++) {
        all += t->weight[i];
        wrong += predicted_class(t, i) != t->label[i] ? t->weight[i] : 0.0;
        unknown += t->label[i] < 0.0 ? t->weight[i] : 0.0;
        for (int k = 0; t->label[i] >= 0.0 && k < t->classes; k++) {
            double p = plain_probability(t, i, k), is = t->label[i] == k;

            loss -= is * t->weight[i] * log(p);
            brier += t->weight[i] * (p - is) * (p - is) / (t->classes == 2 ? 2.0 : 1.0);
            sum += is * t->weight[i];
        }
    }
    for (int k = 0; k < t->classes; k++) {
        most = found->by_class[k].support > most ? found->by_class[k].support : most;
        recall += found->by_class[k].recall / t->classes;
        auc += found->by_class[k].auc / t->classes; /* of two classes, they are equal */
    }
    ck_assert_all(is_near(found->weight, all) && is_near(found->unknown, unknown));
    ck_assert_all(is_near(found->total.error, wrong / all) && wrong > 0.0);
    ck_assert_all(is_near(found->total.majority_error, 1.0 - most / all));
    ck_assert_all(is_near(found->total.balanced_error, 1.0 - recall));
    ck_assert_all(is_near(found->total.auc, auc));
    ck_assert_all(is_near(found->total.log_loss, loss / sum));
    ck_assert_all(is_near(found->total.brier, brier / sum));
    ck_assert_all(isnan(found->total.rmse) && isnan(found->total.r2));
}

START_TEST(metrics_of_classes_are_those_of_plain_loops)
{
    int                 classes  = 2 + _i % 3;
    bool                weighted = _i / 3 % 2 == 1;
    table               t        = make_table(classes, weighted, _i / 6 == 1);
    sdca_metrics_input  input    = share_of(&t, weighted);
    sdca_metrics_result found;

    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    for (int k = 0; k < classes; k++) {
        check_class(&t, &found.by_class[k], k);
    }
    check_total(&t, &found);
    sdca_metrics_result_free(&found);
}
END_TEST

START_TEST(metrics_of_regression_are_those_of_plain_loops)
{
    bool                weighted = _i == 1;
    table               t        = make_table(0, weighted, false);
    sdca_metrics_input  input    = share_of(&t, weighted);
    double              all = 0.0, mean = 0.0, sum[4] = { 0.0 };
    sdca_metrics_result found;

    for (int i = 0; i < ROWS; i++) {
        all += t.weight[i];
        mean += t.weight[i] * t.label[i];
    }
    mean /= all;
    for (int i = 0; i < ROWS; i++) {
        sum[0] += t.weight[i] * pow(t.score[i] - t.label[i], 2.0);
        sum[1] += t.weight[i] * fabs(t.score[i] - t.label[i]);
        sum[2] += t.weight[i] * pow(mean - t.label[i], 2.0);
        sum[3] += t.weight[i] * fabs(mean - t.label[i]);
    }
    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    ck_assert_all(is_near(found.total.rmse, sqrt(sum[0] / all)) &&
                  is_near(found.total.mae, sum[1] / all));
    ck_assert_all(is_near(found.total.mean_rmse, sqrt(sum[2] / all)) &&
                  is_near(found.total.mean_mae, sum[3] / all));
    ck_assert_all(is_near(found.total.r2, 1.0 - sum[0] / sum[2]));
    ck_assert_all(isnan(found.total.error) && found.by_class == NULL);
    sdca_metrics_result_free(&found);
}
END_TEST

/* The weighted mean of equal labels is another number in double precision. */
START_TEST(equal_labels_have_no_r2)
{
    table               t     = make_table(0, true, false);
    sdca_metrics_input  input = share_of(&t, true);
    sdca_metrics_result found;

    for (int i = 0; i < ROWS; i++) {
        t.label[i]  = 0.7;
        t.weight[i] = 0.1 * (1 + i % 7);
    }
    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    ck_assert_all(isnan(found.total.r2) && found.total.mean_rmse < 1e-14);
    sdca_metrics_result_free(&found);
}
END_TEST

/* A class without rows has no AUC and no recall to average. */
START_TEST(missing_classes_are_left_out_of_means)
{
    table               t     = make_table(3, false, false);
    sdca_metrics_input  input = share_of(&t, false);
    sdca_metrics_result found;

    for (int i = 0; i < ROWS; i++) {
        t.label[i] = i % 2;
    }
    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    ck_assert_all(found.by_class[2].support == 0.0 && found.by_class[2].predicted > 0.0);
    ck_assert_all(isnan(found.by_class[2].auc) && found.by_class[2].recall == 0.0);
    ck_assert_all(
        is_near(found.total.auc, (found.by_class[0].auc + found.by_class[1].auc) / 2.0));
    ck_assert_all(
        is_near(found.total.balanced_error,
                1.0 - (found.by_class[0].recall + found.by_class[1].recall) / 2.0));
    ck_assert_all(is_near(found.total.macro_recall,
                          (found.by_class[0].recall + found.by_class[1].recall) / 3.0));
    sdca_metrics_result_free(&found);
    for (int i = 0; i < ROWS; i++) {
        t.label[i] = 1.0;
    }
    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    ck_assert_all(isnan(found.total.auc) && found.total.majority_error == 0.0);
    sdca_metrics_result_free(&found);
}
END_TEST

START_TEST(large_scores_have_a_finite_log_loss)
{
    double              score[3] = { -1e4, -2e4, -3e4 };
    sdca_metrics_input  input    = { .classes  = 3,
                                     .log_odds = true,
                                     .rows     = sdca_comm_rank(MPI_COMM_WORLD) == 0,
                                     .score    = score,
                                     .label    = (double[]){ 1.0 } };
    sdca_metrics_result found;

    ck_assert_all(sdca_metrics_compute(MPI_COMM_WORLD, &input, &found) == SDCA_OK);
    ck_assert_all(is_near(found.total.log_loss, 1e4) && found.total.brier == 2.0);
    sdca_metrics_result_free(&found);
}
END_TEST

/* The order is the same however the groups travel. */
START_TEST(ranking_in_chunks_is_the_same)
{
    table              t     = make_table(2, true, false);
    sdca_metrics_input input = share_of(&t, true);
    sdca_score_group   group[ROWS];
    sdca_ranking       found;

    for (int64_t received = 1; received < 400; received = 3 * received + 1) {
        for (int64_t i = 0; i < input.rows; i++) {
            bool positive = input.label[i] == 1.0;

            group[i] =
                (sdca_score_group){ input.score[i], positive ? input.weight[i] : 0.0,
                                    positive ? 0.0 : input.weight[i] };
        }
        ck_assert_all(sdca_ranking_measure_in_chunks(MPI_COMM_WORLD, received, group,
                                                     input.rows, &found) == SDCA_OK);
        ck_assert_all(is_near(found.auc, plain_auc(&t, 1)));
        ck_assert_all(is_near(found.average_precision, plain_average_precision(&t, 1)));
    }
}
END_TEST

/* Metrics of a data set, the error without the others, and the threshold. */
START_TEST(metrics_of_a_data_set_are_those_of_its_scores)
{
    bool                classifies = _i == 1;
    sdca_dataset       *data       = small_dataset_create(83, COLUMNS, classifies, false);
    sdca_classes        labels     = { .count = classifies ? 2 : 0,
                                       .value = (double[]){ -1.0, 1.0 } };
    sdca_scorer         scorer     = { 0 };
    sdca_metrics_result found, moved;
    double              w[COLUMNS], wrong = 0.0;

    for (int j = 0; j < COLUMNS; j++) {
        w[j] = j % 3 == 0 ? 0.5 : -0.25; /* right for some rows only */
    }
    ck_assert_all(sdca_scorer_create(1, COLUMNS, &scorer) == SDCA_OK);
    sdca_scorer_set(&scorer, 0, w, 0.125);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double score = sdca_rows_dot(&data->x, i, w) + 0.125;

        wrong += classifies ? (score > 0.25) != (data->x.row[i].y > 0.0)
                            : pow(score - data->x.row[i].y, 2.0);
    }
    sdca_comm_allreduce_sum(MPI_COMM_WORLD, &wrong, 1);
    ck_assert_all(sdca_metrics_measure(MPI_COMM_WORLD, data, &labels, &scorer, false,
                                       NULL, 0.0, &found) == SDCA_OK);
    ck_assert_all(sdca_metrics_measure(MPI_COMM_WORLD, data, &labels, &scorer, true, NULL,
                                       0.25, &moved) == SDCA_OK);
    ck_assert_all(
        is_near(sdca_metrics_test_error(MPI_COMM_WORLD, data, &labels, w, 0.125),
                sdca_metric_value(&found.total,
                                  classifies ? SDCA_METRIC_ERROR : SDCA_METRIC_RMSE)));
    ck_assert_all(is_near(classifies ? moved.total.error : pow(moved.total.rmse, 2.0),
                          wrong / 83.0));
    ck_assert_all(isnan(found.total.log_loss) &&
                  isnan(moved.total.log_loss) != classifies);
    sdca_metrics_result_free(&found);
    sdca_metrics_result_free(&moved);
    sdca_scorer_free(&scorer);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(metrics_have_names)
{
    for (int m = 0; m < SDCA_METRICS; m++) {
        ck_assert(sdca_metric_find(sdca_metric_name((sdca_metric)m)) == (sdca_metric)m);
    }
    ck_assert(sdca_metric_find("accuracy") == SDCA_METRICS);
    ck_assert(sdca_metric_larger_is_better(sdca_metric_find("auc")) &&
              !sdca_metric_larger_is_better(sdca_metric_find("log-loss")) &&
              sdca_metric_larger_is_better(SDCA_METRIC_R2) &&
              sdca_metric_is_for_regression(SDCA_METRIC_R2) &&
              !sdca_metric_is_for_regression(SDCA_METRIC_F1));
    ck_assert(sdca_scorer_greatest(3, (double[]){ 1.0, 2.0, 2.0 }) == 1 &&
              sdca_scorer_greatest(3, (double[]){ 0.0, 0.0, 0.0 }) == 0);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, metrics_of_classes_are_those_of_plain_loops, 0, 12);
    tcase_add_loop_test(tests, metrics_of_regression_are_those_of_plain_loops, 0, 2);
    tcase_add_test(tests, equal_labels_have_no_r2);
    tcase_add_test(tests, missing_classes_are_left_out_of_means);
    tcase_add_test(tests, large_scores_have_a_finite_log_loss);
    tcase_add_test(tests, ranking_in_chunks_is_the_same);
    tcase_add_loop_test(tests, metrics_of_a_data_set_are_those_of_its_scores, 0, 2);
    tcase_add_test(tests, metrics_have_names);
}
