/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_scoring.c - what the models of a report predict for test data. */
#include "cli/report/test_scoring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cli/anndata_files.h"
#include "data/dataset_reader.h"
#include "model/certain_labels.h"

/* The state of scoring. */
typedef struct scoring {
    report_run        *run;
    sdca_dataset      *data;
    sdca_scorer        scorer;
    double            *score; /* as sdca_metrics_input has them */
    double            *label;
    sdca_score_group  *group; /* one per row */
    sdca_metrics_input input;
} scoring;

static sdca_status read_data(const report_test_data *test, scoring *s)
{
    sdca_status          status  = SDCA_OK;
    const sdca_model    *model   = &s->run->model;
    anndata_files_model  known   = { 0 };
    sdca_dataset_options options = { .normalize            = model->normalized,
                                     .classes              = &model->labels,
                                     .limit_columns        = true,
                                     .max_columns          = model->columns,
                                     .compact_columns      = true,
                                     .label_column         = test->label,
                                     .unlabelled_rows      = SDCA_UNLABELLED_SKIP,
                                     .require_labels       = true,
                                     .missing_columns_zero = test->missing_columns };

    SDCA_TRY(anndata_files_read_model(s->run->path, &known));
    anndata_files_choose(&known, &options);
    SDCA_TRY(anndata_files_find_label(test->path, &known, &options));
    SDCA_TRY(sdca_dataset_reader_read(MPI_COMM_SELF, test->path, &options, &s->data));
    SDCA_TRY(
        sdca_model_read_scorer(MPI_COMM_SELF, s->run->path, model, s->data, &s->scorer));

done:
    anndata_files_model_free(&known);
    return status;
}

/* The scores and labels of all rows. */
static sdca_status score_rows(scoring *s)
{
    const sdca_model *model = &s->run->model;
    size_t            rows = s->data->x.count, width = (size_t)s->scorer.models;

    s->score = sdca_alloc_array(rows, width * sizeof *s->score);
    s->label = sdca_alloc_array(rows, sizeof *s->label);
    s->group = sdca_alloc_array(rows, sizeof *s->group);
    if (s->score == NULL || s->label == NULL || s->group == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows",
                         (long long)rows);
    }
    for (uint32_t i = 0; i < rows; i++) {
        double y = s->data->x.row[i].y;

        memcpy(s->score + i * width, sdca_scorer_row(&s->scorer, &s->data->x, i),
               width * sizeof *s->score);
        s->label[i] =
            model->labels.count > 0 ? (double)sdca_classes_find(&model->labels, y) : y;
    }
    s->input = (sdca_metrics_input){ .classes  = model->labels.count,
                                     .log_odds = model->objective.loss->log_odds,
                                     .sigmoid  = model->calibration.sigmoid,
                                     .rows     = (int64_t)rows,
                                     .score    = s->score,
                                     .label    = s->label,
                                     .weight   = s->data->weight };
    return SDCA_OK;
}

static double sigmoid(double z)
{
    return z > 0.0 ? 1.0 / (1.0 + exp(-z)) : exp(z) / (1.0 + exp(z));
}

/* The probability of the greatest score: its sigmoid as a share of all. */
static double confidence(const sdca_metrics_input *in, const double *score)
{
    int    greatest = sdca_scorer_greatest(in->classes, score);
    double sum      = 0.0;

    for (int k = 0; k < in->classes; k++) {
        sum += sigmoid(sdca_calibration_log_odds(in->sigmoid, k, score[k]));
    }
    return sum > 0.0 ? sigmoid(sdca_calibration_log_odds(in->sigmoid, greatest,
                                                         score[greatest])) /
                           sum
                     : 1.0 / in->classes;
}

/* Of several classes: the probability of the prediction, and whether it is right. */
static void measure_calibration(const scoring *s, report_test_results *out)
{
    const sdca_metrics_input *in      = &s->input;
    int                       classes = in->classes;

    for (int64_t i = 0; i < in->rows; i++) {
        const double         *score  = in->score + i * classes;
        double                weight = sdca_dataset_weight(s->data, (uint32_t)i);
        double                p      = confidence(in, score);
        bool                  hit = in->label[i] == sdca_scorer_greatest(classes, score);
        sdca_calibration_bin *bin = &out->calibration[(int)fmin(
            p * SDCA_CALIBRATION_BINS, SDCA_CALIBRATION_BINS - 1)];

        if (in->label[i] >= 0.0) {
            bin->weight += weight;
            bin->probability += weight * p;
            bin->positive += hit ? weight : 0.0;
        }
    }
    for (int b = 0; b < SDCA_CALIBRATION_BINS; b++) {
        double weight =
            out->calibration[b].weight > 0.0 ? out->calibration[b].weight : 1.0;

        out->calibration[b].probability /= weight;
        out->calibration[b].positive /= weight;
    }
    out->has_calibration = true;
}

static int compare_scores(const void *a, const void *b)
{
    double x = ((const sdca_score_group *)a)->score;
    double y = ((const sdca_score_group *)b)->score;

    return (x < y) - (x > y);
}

/* The range of all but one of 200 scores on each side, which are sorted; outliers would
 * hide the shape. */
static void find_main_range(const sdca_score_group *group, int64_t count, double *low,
                            double *high)
{
    double a = group[count - 1 - count / 200].score, b = group[count / 200].score;
    double least = fmin(a, b), margin = 0.02 * fabs(b - a);

    margin = margin > 0.0 ? margin : fmax(1e-12, 0.1 * fabs(a));
    *low   = least - margin;
    *high  = fmax(a, b) + margin;
}

/* The scores of two classes by class. */
static void measure_scores(scoring *s, report_test_results *out)
{
    int64_t count = sdca_metrics_make_groups(&s->input, 1, s->group);
    double  low, high;

    if (count == 0) {
        return;
    }
    qsort(s->group, (size_t)count, sizeof *s->group, compare_scores);
    find_main_range(s->group, count, &low, &high);
    sdca_score_histogram_make(s->group, count, fmin(low, -1e-9), fmax(high, 1e-9),
                              &out->histogram);
    out->has_histogram = true;
}

static sdca_status measure_classes(scoring *s, report_test_results *out)
{
    sdca_status status  = SDCA_OK;
    int         classes = s->input.classes, curves = classes > 2 ? classes : 1;

    out->curve_count = curves < REPORT_MAX_CLASSES ? curves : REPORT_MAX_CLASSES;
    out->curves      = sdca_alloc_zeroed((size_t)out->curve_count, sizeof *out->curves);
    if (out->curves == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the curves of %d classes", classes);
    }
    for (int k = 0; k < out->curve_count && classes > 1; k++) {
        int64_t count =
            sdca_metrics_make_groups(&s->input, classes > 2 ? k : 1, s->group);

        SDCA_TRY(sdca_ranking_trace(MPI_COMM_SELF, s->group, count, &out->curves[k]));
    }
    if (classes == 2) {
        measure_scores(s, out);
        out->has_calibration = out->metrics.has_calibration;
        memcpy(out->calibration, out->metrics.calibration, sizeof out->calibration);
    } else if ((s->input.log_odds || s->input.sigmoid != NULL) && classes > 2) {
        measure_calibration(s, out);
    }

done:
    return status;
}

/* The number of labels that are proven to be those of the exact optimum. */
static sdca_status count_certain(const scoring *s, report_test_results *out)
{
    sdca_status         status = SDCA_OK;
    sdca_certain_labels labels = { 0 };

    out->certain = -1;
    SDCA_TRY(sdca_certain_labels_create(&s->run->model, 0.0, &labels));
    if (labels.radius != NULL) {
        out->certain =
            sdca_certain_labels_count(MPI_COMM_SELF, &labels, &s->scorer, s->data);
    }

done:
    sdca_certain_labels_free(&labels);
    return status;
}

static int density_cell(const report_test_results *out, double value)
{
    double t = (value - out->density_low) / (out->density_high - out->density_low);

    return (int)fmin(fmax(t * REPORT_DENSITY_CELLS, 0.0), REPORT_DENSITY_CELLS - 1);
}

/* Predictions against labels, and their differences. */
static void measure_regression(scoring *s, report_test_results *out)
{
    const sdca_metrics_input *in = &s->input;
    double                    low, high;

    for (int64_t i = 0; i < in->rows; i++) {
        s->group[i] = (sdca_score_group){ .score = in->label[i] };
    }
    qsort(s->group, (size_t)in->rows, sizeof *s->group, compare_scores);
    find_main_range(s->group, in->rows, &out->density_low, &out->density_high);
    for (int64_t i = 0; i < in->rows; i++) {
        double weight = sdca_dataset_weight(s->data, (uint32_t)i);

        out->density[density_cell(out, in->label[i])][density_cell(out, in->score[i])] +=
            weight;
        s->group[i] = (sdca_score_group){ .score    = in->score[i] - in->label[i],
                                          .negative = weight };
    }
    qsort(s->group, (size_t)in->rows, sizeof *s->group, compare_scores);
    find_main_range(s->group, in->rows, &low, &high);
    sdca_score_histogram_make(s->group, in->rows, fmin(low, -1e-9), fmax(high, 1e-9),
                              &out->histogram);
    out->has_histogram = true;
}

/* The weighted standard deviation of every column, in two passes, since columns may be
 * far from 0. deviation has 3 numbers per column, of which the first remain. */
static void measure_deviations(const sdca_dataset *data, double *deviation)
{
    double *mean = deviation + data->columns, *present = mean + data->columns;

    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < data->x.count; i++) {
            double weight = sdca_dataset_weight(data, i);

            for (int64_t e = data->x.row[i].start; e < data->x.row[i + 1].start; e++) {
                int64_t j = sdca_rows_column(&data->x, e);
                double  x = sdca_rows_value(&data->x, e);

                if (pass == 0) {
                    mean[j] += weight * x / data->total_weight;
                    present[j] += weight;
                } else {
                    deviation[j] += weight * (x - mean[j]) * (x - mean[j]);
                }
            }
        }
    }
    for (int32_t j = 0; j < data->columns; j++) {
        double absent = fmax(0.0, data->total_weight - present[j]) * mean[j] * mean[j];

        deviation[j] = sqrt((deviation[j] + absent) / data->total_weight);
    }
}

static sdca_status rank_weights(scoring *s)
{
    double *deviation =
        sdca_alloc_zeroed((size_t)s->data->columns, 3 * sizeof *deviation);

    if (deviation == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the deviations of %ld columns",
                         (long)s->data->columns);
    }
    measure_deviations(s->data, deviation);
    if (s->run->class_count == 0) {
        report_largest_weights_rank(&s->scorer, 0, s->data, deviation, &s->run->largest);
    }
    for (int k = 0; k < s->run->class_count; k++) {
        report_largest_weights_rank(&s->scorer, k, s->data, deviation,
                                    &s->run->classes[k].largest);
    }
    free(deviation);
    return SDCA_OK;
}

sdca_status report_test_results_measure(const report_test_data *test, report_run *run)
{
    sdca_status          status = SDCA_OK;
    scoring              s      = { .run = run };
    report_test_results *out    = sdca_alloc_zeroed(1, sizeof *out);

    if (out == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for test results");
    }
    SDCA_TRY(read_data(test, &s));
    SDCA_TRY(score_rows(&s));
    SDCA_TRY(sdca_metrics_compute(MPI_COMM_SELF, &s.input, &out->metrics));
    out->path     = test->path;
    out->rows     = s.data->rows;
    out->weighted = s.data->weight != NULL;
    SDCA_TRY(count_certain(&s, out));
    if (s.input.classes > 0) {
        SDCA_TRY(measure_classes(&s, out));
    } else {
        measure_regression(&s, out);
    }
    SDCA_TRY(rank_weights(&s));
    run->test = out;
    out       = NULL; /* moved to the run */

done:
    report_test_results_free(out);
    sdca_dataset_free(s.data);
    sdca_scorer_free(&s.scorer);
    free(s.score);
    free(s.label);
    free(s.group);
    return status;
}

void report_test_results_free(report_test_results *results)
{
    if (results != NULL) {
        sdca_metrics_result_free(&results->metrics);
        for (int k = 0; k < results->curve_count && results->curves != NULL; k++) {
            sdca_curve_free(&results->curves[k]);
        }
        free(results->curves);
        free(results);
    }
}
