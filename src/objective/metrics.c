/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.c - how well scores predict labels, over the rows of all ranks. */
#include "objective/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compensated_sum.h"
#include "mpi/comm.h"

static double weight_of(const sdca_metrics_input *in, int64_t i)
{
    return in->weight != NULL ? in->weight[i] : 1.0;
}

static int scores_per_row(int classes)
{
    return classes > 2 ? classes : 1;
}

static sdca_metrics no_metrics(void)
{
    return (sdca_metrics){ NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN,
                           NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
}

/* The index of the predicted class. */
static int predict(const sdca_metrics_input *in, const double *score)
{
    if (in->classes > 2) {
        return sdca_scorer_greatest(in->classes, score);
    }
    return in->classes == 2 && score[0] > in->threshold ? 1 : 0;
}

/* Fill the confusion matrix, and sum up the weights. Collective. */
static void count_predictions(MPI_Comm comm, const sdca_metrics_input *in,
                              sdca_metrics_result *out)
{
    int64_t classes = in->classes;
    int     width   = scores_per_row(in->classes);
    double  sum[2]  = { 0.0, 0.0 };

    for (int64_t i = 0; i < in->rows; i++) {
        int predicted = predict(in, in->score + i * width);

        sum[0] += weight_of(in, i);
        if (in->label[i] >= 0.0) {
            out->confusion[(int64_t)in->label[i] * classes + predicted] +=
                weight_of(in, i);
        } else {
            sum[1] += weight_of(in, i);
        }
    }
    sdca_comm_allreduce_sum(comm, sum, 2);
    sdca_comm_allreduce_sum(comm, out->confusion, classes * classes);
    out->weight  = sum[0];
    out->unknown = sum[1];
}

/* What follows from the confusion matrix. Local. */
static void evaluate_counts(sdca_metrics_result *out)
{
    sdca_metrics *total   = &out->total;
    int           classes = out->classes;
    double        wrong = out->unknown, most = 0.0, recalls = 0.0;
    double        precision = 0.0, recall = 0.0, f1 = 0.0;
    int           present = 0, mentioned = 0;

    for (int k = 0; k < classes; k++) {
        sdca_class_metrics *c   = &out->by_class[k];
        double              hit = out->confusion[(size_t)k * (size_t)classes + (size_t)k];

        for (int j = 0; j < classes; j++) {
            c->support += out->confusion[(size_t)k * (size_t)classes + (size_t)j];
            c->predicted += out->confusion[(size_t)j * (size_t)classes + (size_t)k];
            wrong +=
                j != k ? out->confusion[(size_t)k * (size_t)classes + (size_t)j] : 0.0;
        }
        c->precision = c->predicted > 0.0 ? hit / c->predicted : 0.0;
        c->recall    = c->support > 0.0 ? hit / c->support : 0.0;
        c->f1        = hit > 0.0 ? 2.0 * hit / (c->support + c->predicted) : 0.0;
        most         = c->support > most ? c->support : most;
        present += c->support > 0.0;
        recalls += c->recall;
        mentioned += c->support > 0.0 || c->predicted > 0.0;
        precision += c->precision;
        recall += c->recall;
        f1 += c->f1;
    }
    total->error           = wrong / out->weight;
    total->majority_error  = 1.0 - most / out->weight;
    total->balanced_error  = 1.0 - recalls / present;
    total->macro_precision = precision / mentioned;
    total->macro_recall    = recall / mentioned;
    total->macro_f1        = f1 / mentioned;
    total->f1 = classes <= 2 ? out->by_class[classes - 1].f1 : total->macro_f1;
}

/* log(1 / (1 + exp(-z))) */
static double log_sigmoid(double z)
{
    return z > 0.0 ? -log1p(exp(-z)) : z - log1p(exp(z));
}

/* Log-loss and squares of one row with two classes. */
static void judge_odds(double z, bool positive, double *loss, double *square)
{
    double wrong = exp(log_sigmoid(positive ? -z : z)); /* probability of the other */

    *loss   = -log_sigmoid(positive ? z : -z);
    *square = wrong * wrong;
}

/* Are there probabilities? */
static bool has_probabilities(const sdca_metrics_input *in)
{
    return in->log_odds || in->sigmoid != NULL;
}

/* The logarithm of the sigmoid of class k. */
static double log_share(const sdca_metrics_input *in, const double *score, int k)
{
    return log_sigmoid(sdca_calibration_log_odds(in->sigmoid, k, score[k]));
}

/* The same with more classes: sigmoids divided by their sum, in logarithms, so that none
 * vanishes. */
static void judge_classes(const sdca_metrics_input *in, const double *score, int label,
                          double *loss, double *square)
{
    double greatest = -INFINITY, sum = 0.0;

    *square = 0.0;
    for (int k = 0; k < in->classes; k++) {
        greatest = fmax(greatest, log_share(in, score, k));
    }
    for (int k = 0; k < in->classes; k++) {
        sum += exp(log_share(in, score, k) - greatest);
    }
    for (int k = 0; k < in->classes; k++) {
        double p = exp(log_share(in, score, k) - greatest) / sum;

        *square += k == label ? (1.0 - p) * (1.0 - p) : p * p;
    }
    *loss = log(sum) + greatest - log_share(in, score, label);
}

/* Log-loss and Brier score. Collective. */
static void evaluate_probabilities(MPI_Comm comm, const sdca_metrics_input *in,
                                   sdca_metrics_result *out)
{
    int             width  = scores_per_row(in->classes);
    compensated_sum losses = { 0.0, 0.0 }, squares = { 0.0, 0.0 };
    double          known = out->weight - out->unknown, sum[2];

    for (int64_t i = 0; i < in->rows; i++) {
        const double *score = in->score + i * width;
        double        loss, square;

        if (in->label[i] < 0.0) {
            continue;
        }
        if (in->classes == 2) {
            judge_odds(sdca_calibration_log_odds(in->sigmoid, 0, score[0]),
                       in->label[i] > 0.0, &loss, &square);
        } else {
            judge_classes(in, score, (int)in->label[i], &loss, &square);
        }
        compensated_add(&losses, weight_of(in, i) * loss);
        compensated_add(&squares, weight_of(in, i) * square);
    }
    sum[0] = compensated_value(&losses);
    sum[1] = compensated_value(&squares);
    sdca_comm_allreduce_sum(comm, sum, 2);
    out->total.log_loss = sum[0] / known;
    out->total.brier    = sum[1] / known;
}

/* The bin of a probability. */
static int find_bin(double probability)
{
    int bin = (int)(probability * SDCA_CALIBRATION_BINS);

    return bin < SDCA_CALIBRATION_BINS ? bin : SDCA_CALIBRATION_BINS - 1;
}

/* Probabilities of the second of two classes, and its frequencies. Collective. */
static void evaluate_calibration(MPI_Comm comm, const sdca_metrics_input *in,
                                 sdca_metrics_result *out)
{
    sdca_calibration_bin *bin = out->calibration;

    for (int64_t i = 0; i < in->rows; i++) {
        double z      = sdca_calibration_log_odds(in->sigmoid, 0, in->score[i]);
        double p      = exp(log_sigmoid(z));
        double weight = weight_of(in, i);
        int    k      = find_bin(p);

        if (in->label[i] >= 0.0) {
            bin[k].weight += weight;
            bin[k].probability += weight * p;
            bin[k].positive += in->label[i] > 0.0 ? weight : 0.0;
        }
    }
    sdca_comm_allreduce_sum(comm, &bin[0].weight, 3 * (int64_t)SDCA_CALIBRATION_BINS);
    for (int k = 0; k < SDCA_CALIBRATION_BINS; k++) {
        bin[k].probability /= bin[k].weight > 0.0 ? bin[k].weight : 1.0;
        bin[k].positive /= bin[k].weight > 0.0 ? bin[k].weight : 1.0;
    }
    out->has_calibration = true;
}

int64_t sdca_metrics_make_groups(const sdca_metrics_input *in, int k,
                                 sdca_score_group *group)
{
    int64_t count = 0;

    for (int64_t i = 0; i < in->rows; i++) {
        double score  = in->classes > 2 ? in->score[i * in->classes + k] : in->score[i];
        double weight = weight_of(in, i);

        if (in->label[i] >= 0.0 && weight > 0.0) {
            bool positive = in->label[i] == (double)k;

            group[count++] = (sdca_score_group){
                .score    = in->classes == 2 && k == 0 ? -score : score,
                .positive = positive ? weight : 0.0,
                .negative = positive ? 0.0 : weight,
            };
        }
    }
    return count;
}

/* AUC and average precision of all classes, one class after the other. Collective. */
static sdca_status evaluate_rankings(MPI_Comm comm, const sdca_metrics_input *in,
                                     sdca_metrics_result *out)
{
    sdca_status       status = SDCA_OK;
    sdca_score_group *group  = sdca_alloc_array((size_t)in->rows, sizeof *group);
    double            auc = 0.0, precision = 0.0;
    int               with_auc = 0, with_precision = 0;

    status = group != NULL ? SDCA_OK
                           : SDCA_FAIL(SDCA_MEMORY, "no memory to rank %lld rows",
                                       (long long)in->rows);
    SDCA_TRY(sdca_comm_agree(comm, status));
    for (int k = 0; k < in->classes; k++) {
        sdca_class_metrics *c = &out->by_class[k];
        sdca_ranking        ranking;

        SDCA_TRY(sdca_ranking_measure(comm, group, sdca_metrics_make_groups(in, k, group),
                                      &ranking));
        c->auc               = ranking.auc;
        c->average_precision = ranking.average_precision;
        with_auc += !isnan(c->auc);
        auc += isnan(c->auc) ? 0.0 : c->auc;
        with_precision += !isnan(c->average_precision);
        precision += isnan(c->average_precision) ? 0.0 : c->average_precision;
    }
    if (in->classes == 2) {
        SDCA_TRY(sdca_ranking_trace(comm, group, sdca_metrics_make_groups(in, 1, group),
                                    &out->curve));
    }
    out->total.auc               = auc / with_auc;
    out->total.average_precision = precision / with_precision;
    if (in->classes <= 2) {
        out->total.auc               = out->by_class[in->classes - 1].auc;
        out->total.average_precision = out->by_class[in->classes - 1].average_precision;
    }

done:
    free(group);
    return status;
}

/* Collective. */
static void evaluate_regression(MPI_Comm comm, const sdca_metrics_input *in,
                                sdca_metrics_result *out)
{
    enum { SQUARES, ABSOLUTES, MEAN_SQUARES, MEAN_ABSOLUTES, SUMS };
    compensated_sum part[SUMS] = { { 0.0, 0.0 } }, labels = { 0.0, 0.0 };
    double          first[2] = { 0.0, 0.0 }, sum[SUMS], mean;
    double          most[2]  = { -INFINITY, -INFINITY }; /* label, and minus a label */

    for (int64_t i = 0; i < in->rows; i++) {
        first[0] += weight_of(in, i);
        compensated_add(&labels, weight_of(in, i) * in->label[i]);
        if (weight_of(in, i) > 0.0) {
            most[0] = fmax(most[0], in->label[i]);
            most[1] = fmax(most[1], -in->label[i]);
        }
    }
    first[1] = compensated_value(&labels);
    sdca_comm_allreduce_sum(comm, first, 2);
    sdca_comm_allreduce_max(comm, most, 2);
    out->weight = first[0];
    mean        = first[1] / first[0];
    for (int64_t i = 0; i < in->rows; i++) {
        double weight = weight_of(in, i);
        double error = in->score[i] - in->label[i], spread = mean - in->label[i];

        compensated_add(&part[SQUARES], weight * error * error);
        compensated_add(&part[ABSOLUTES], weight * fabs(error));
        compensated_add(&part[MEAN_SQUARES], weight * spread * spread);
        compensated_add(&part[MEAN_ABSOLUTES], weight * fabs(spread));
    }
    for (int k = 0; k < SUMS; k++) {
        sum[k] = compensated_value(&part[k]);
    }
    sdca_comm_allreduce_sum(comm, sum, SUMS);
    out->total.rmse      = sqrt(sum[SQUARES] / out->weight);
    out->total.mae       = sum[ABSOLUTES] / out->weight;
    out->total.mean_rmse = sqrt(sum[MEAN_SQUARES] / out->weight);
    out->total.mean_mae  = sum[MEAN_ABSOLUTES] / out->weight;

    /* Of equal labels the mean may be another number by rounding. */
    out->total.r2 = most[0] > -most[1] && sum[MEAN_SQUARES] > 0.0
                        ? 1.0 - sum[SQUARES] / sum[MEAN_SQUARES]
                        : NAN;
}

sdca_status sdca_metrics_compute(MPI_Comm comm, const sdca_metrics_input *in,
                                 sdca_metrics_result *out)
{
    sdca_status status  = SDCA_OK;
    size_t      classes = (size_t)in->classes;

    *out = (sdca_metrics_result){ .total = no_metrics(), .classes = in->classes };
    if (classes == 0) {
        evaluate_regression(comm, in, out);
        return SDCA_OK;
    }
    out->by_class  = sdca_alloc_zeroed(classes, sizeof *out->by_class);
    out->confusion = sdca_alloc_zeroed(classes * classes, sizeof *out->confusion);
    if (out->by_class == NULL || out->confusion == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for a confusion matrix of %d classes",
                           in->classes);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    count_predictions(comm, in, out);
    evaluate_counts(out);
    if (has_probabilities(in) && in->classes > 1) {
        evaluate_probabilities(comm, in, out);
    }
    if (has_probabilities(in) && in->classes == 2) {
        evaluate_calibration(comm, in, out);
    }
    if (!in->no_ranking) {
        SDCA_TRY(evaluate_rankings(comm, in, out));
    }

done:
    if (status != SDCA_OK) {
        sdca_metrics_result_free(out);
    }
    return status;
}

void sdca_metrics_result_free(sdca_metrics_result *result)
{
    free(result->by_class);
    free(result->confusion);
    sdca_curve_free(&result->curve);
    *result = (sdca_metrics_result){ .total = no_metrics() };
}

sdca_status sdca_metrics_measure(MPI_Comm comm, const sdca_dataset *data,
                                 const sdca_classes *labels, const sdca_scorer *scorer,
                                 bool log_odds, const sdca_sigmoid *sigmoid,
                                 double threshold, sdca_metrics_result *out)
{
    sdca_status        status = SDCA_OK;
    size_t             rows = data->x.count, width = (size_t)scorer->models;
    double            *score = sdca_alloc_array(rows, width * sizeof *score);
    double            *label = sdca_alloc_array(rows, sizeof *label);
    sdca_metrics_input input = { .classes   = labels->count,
                                 .log_odds  = log_odds,
                                 .sigmoid   = sigmoid,
                                 .threshold = threshold,
                                 .rows      = data->x.count,
                                 .score     = score,
                                 .label     = label,
                                 .weight    = data->weight };

    *out = (sdca_metrics_result){ .total = no_metrics() };
    if (score == NULL || label == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows",
                           (long long)rows);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    for (uint32_t i = 0; i < rows; i++) {
        double y = data->x.row[i].y;

        memcpy(score + i * width, sdca_scorer_row(scorer, &data->x, i),
               width * sizeof *score);
        label[i] = labels->count > 0 ? (double)sdca_classes_find(labels, y) : y;
    }
    SDCA_TRY(sdca_metrics_compute(comm, &input, out));

done:
    free(score);
    free(label);
    return status;
}

double sdca_metrics_test_error_of_scores(MPI_Comm comm, const sdca_dataset *data,
                                         const sdca_classes *labels,
                                         const sdca_scorer  *scorer)
{
    compensated_sum part = { 0.0, 0.0 };
    double          sum, mean;

    for (uint32_t i = 0; i < data->x.count; i++) {
        const double *score     = sdca_scorer_row(scorer, &data->x, i);
        double        predicted = sdca_scorer_predict(labels, scorer->models, score);
        double        residual  = predicted - data->x.row[i].y;

        residual = labels->count > 0 ? residual != 0.0 : residual;
        compensated_add(&part, sdca_dataset_weight(data, i) * residual * residual);
    }
    sum = compensated_value(&part);
    sdca_comm_allreduce_sum(comm, &sum, 1);
    mean = sum / data->total_weight;
    return labels->count > 0 ? mean : sqrt(mean);
}

double sdca_metrics_test_error(MPI_Comm comm, const sdca_dataset *data,
                               const sdca_classes *labels, const double *w, double bias)
{
    double      score;
    sdca_scorer scorer = { .models  = 1,
                           .columns = data->columns,
                           .w       = (double *)w, /* not changed */
                           .bias    = &bias,
                           .score   = &score };

    return sdca_metrics_test_error_of_scores(comm, data, labels, &scorer);
}
