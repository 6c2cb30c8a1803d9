/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_advice.c - options that a run should probably have. */
#include "cli/ui/option_advice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mpi/comm.h"

/* Sizes of the columns of a table, the root mean squares of their non-zeros, may differ
 * by this factor. */
static const double size_limit = 100.0;

/* A mean of the labels above this many standard deviations needs a constant. */
static const double mean_limit = 1.0;

/* A class with less than this share of the rows is rare. */
static const double rare_limit = 0.01;

/* A model is better than a constant if its error is below this share of that of the
 * constant. */
static const double better_limit = 0.999;

/* A model that finds less than this share of the rarer class is as bad. */
static const double found_limit = 0.1;

/* Below this share of the rarer class, weights of classes help such a model, else a
 * smaller lambda. */
static const double unequal_limit = 0.2;

/* Columns of a table, and rows of each rank in which they are measured. */
enum { MAX_COLUMNS = 8192, SAMPLE_ROWS = 2000 };

/* The ratio of the sizes of columns. Collective. */
static double measure_sizes(MPI_Comm comm, const sdca_dataset *data)
{
    static double    sum[2 * MAX_COLUMNS];
    const sdca_rows *x       = &data->x;
    int32_t          columns = data->columns - (data->bias > 0.0);
    uint32_t         rows    = x->count < SAMPLE_ROWS ? x->count : SAMPLE_ROWS;
    double           least = INFINITY, largest = 0.0;

    memset(sum, 0, sizeof sum);
    for (int64_t k = 0; k < x->row[rows].start; k++) {
        int64_t j     = sdca_rows_column(x, k);
        double  value = sdca_rows_value(x, k);

        if (j < columns && value != 0.0) {
            sum[2 * j] += value * value;
            sum[2 * j + 1] += 1.0;
        }
    }
    sdca_comm_allreduce_sum(comm, sum, 2 * (int64_t)columns);
    for (int32_t j = 0; j < columns; j++) {
        if (sum[2 * j + 1] > 0.0) {
            double size = sqrt(sum[2 * j] / sum[2 * j + 1]);

            least   = fmin(least, size);
            largest = fmax(largest, size);
        }
    }
    return largest > 0.0 && least > 0.0 ? largest / least : 0.0;
}

/* Weighted moments of the labels. Collective. */
static void measure_labels(MPI_Comm comm, const sdca_dataset *data,
                           option_advice_facts *facts)
{
    double sum[4] = { 0.0 }; /* of 1, y and y > 0 with weights, and of y > 0 */

    for (uint32_t i = 0; i < data->x.count; i++) {
        double weight = sdca_dataset_weight(data, i), y = data->x.row[i].y;

        sum[0] += weight;
        sum[1] += weight * y;
        sum[3] += y > 0.0 ? 1.0 : 0.0;
    }
    sdca_comm_allreduce_sum(comm, sum, 4);
    facts->label_mean = sum[1] / sum[0];
    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = data->x.row[i].y - facts->label_mean;

        sum[2] += sdca_dataset_weight(data, i) * y * y;
    }
    sdca_comm_allreduce_sum(comm, &sum[2], 1);
    facts->label_deviation = sqrt(sum[2] / sum[0]);
    facts->rare_share =
        data->classes.count == 2
            ? fmin(sum[3], (double)data->rows - sum[3]) / (double)data->rows
            : 1.0;
}

option_advice_facts option_advice_measure(MPI_Comm comm, const sdca_dataset *data,
                                          bool is_table)
{
    double sparse =
        data->x.count > 0 && data->x.dense32 == NULL && data->x.dense64 == NULL ? 1.0
                                                                                : 0.0;
    option_advice_facts facts = { .standardized = data->scale != NULL,
                                  .is_table     = is_table,
                                  .has_constant = data->bias > 0.0,
                                  .has_bias     = data->bias > 0.0 && !data->intercept,
                                  .has_weights  = data->weight != NULL };

    sdca_comm_allreduce_max(comm, &sparse, 1);
    facts.sparse = sparse > 0.0;
    if (is_table && data->columns <= MAX_COLUMNS && data->scale == NULL) {
        facts.size_ratio = measure_sizes(comm, data);
    }
    measure_labels(comm, data, &facts);
    return facts;
}

/* Text and cells are better by row: columns that few rows use would get large values.
 * Tables need a constant where means are subtracted. */
const char *option_advice_scaling(const option_advice_facts *facts)
{
    return facts->sparse && !facts->is_table  ? "--normalize rows"
           : facts->sparse && facts->has_bias ? "--standardize scale"
           : facts->has_constant              ? "--standardize full"
                                              : "--standardize full --intercept";
}

/* The columns of a table differ in size by more than a factor. */
static bool sizes_differ(const option_advice_facts *facts, double factor)
{
    return facts->size_ratio > factor && !facts->standardized;
}

void option_advice_columns(const option_advice_facts *facts,
                           char                       text[OPTION_ADVICE_TEXT_SIZE])
{
    text[0] = '\0';
    if (sizes_differ(facts, size_limit)) {
        snprintf(text, OPTION_ADVICE_TEXT_SIZE,
                 "the sizes of the columns differ by a factor of %.2g, so that the "
                 "penalty falls on the small ones only: try %s",
                 facts->size_ratio, option_advice_scaling(facts));
    }
}

void option_advice_labels(const option_advice_facts *facts,
                          const sdca_objective      *objective,
                          char                       text[OPTION_ADVICE_TEXT_SIZE])
{
    bool classes = objective->loss->classification;

    text[0] = '\0';
    if (classes && facts->rare_share > 0.0 && facts->rare_share < rare_limit &&
        !facts->has_weights) {
        snprintf(text, OPTION_ADVICE_TEXT_SIZE,
                 "one class has only %.2g %% of the rows, and a model may ignore it: "
                 "try --class-weight balanced",
                 100.0 * facts->rare_share);
    }
    if (!classes && !facts->has_constant && !sizes_differ(facts, size_limit) &&
        fabs(facts->label_mean) > mean_limit * facts->label_deviation) {
        snprintf(text, OPTION_ADVICE_TEXT_SIZE,
                 "the labels have the mean %.3g and the standard deviation %.3g, and the "
                 "model has no constant: try --intercept",
                 facts->label_mean, facts->label_deviation);
    }
}

/* How good a model is on its rows. */
typedef struct model_quality {
    double error; /* weighted share of wrong labels, or mean square of the differences */
    double smaller; /* the share of the class with less weight ... */
    double found;   /* ... and the part of it that the model finds */
} model_quality;

/* Collective. */
static model_quality measure_quality(MPI_Comm comm, const sdca_dataset *data,
                                     bool classes, const double *w)
{
    double sum[3] = { 0.0 }; /* of squares, or of rows that are right by class */
    double positive, part[2], wrong;
    int    rare;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double weight = sdca_dataset_weight(data, i), y = data->x.row[i].y;
        double z = sdca_rows_dot(&data->x, i, w);

        if (!classes) {
            sum[0] += weight * (z - y) * (z - y);
        } else if ((z > 0.0) == (y > 0.0)) {
            sum[y > 0.0] += weight;
        }
        sum[2] += y > 0.0 ? weight : 0.0;
    }
    sdca_comm_allreduce_sum(comm, sum, 3);
    positive = sum[2];
    part[0]  = data->total_weight - positive;
    part[1]  = positive;
    rare     = part[1] < part[0];
    wrong    = classes ? data->total_weight - sum[0] - sum[1] : sum[0];
    return (model_quality){ .error   = wrong / data->total_weight,
                            .smaller = part[rare] / data->total_weight,
                            .found   = part[rare] > 0.0 ? sum[rare] / part[rare] : 1.0 };
}

/* A lambda that is likely to be small enough. Where the derivative of the loss is
 * bounded, weights are at most that bound / lambda, and must reach the size of the
 * labels. */
static double find_lambda(const sdca_objective      *objective,
                          const option_advice_facts *facts)
{
    double bound  = sdca_objective_feasible(objective, 1.0).high;
    double lambda = objective->lambda / 10.0;

    return objective->loss->classification || !isfinite(bound)
               ? lambda
               : fmin(lambda, bound / (100.0 * facts->label_deviation));
}

/* What is likely to help a model that is no better than none. */
static void find_remedy(const option_advice_facts *facts, const sdca_objective *objective,
                        char *text, size_t size)
{
    bool classes = objective->loss->classification;

    if (sizes_differ(facts, size_limit / 10.0)) {
        snprintf(text, size, "%s", option_advice_scaling(facts));
    } else if (!classes && !facts->has_constant) {
        snprintf(text, size, "--intercept");
    } else if (classes && !facts->has_weights && facts->rare_share < unequal_limit) {
        snprintf(text, size, "--class-weight balanced");
    } else {
        snprintf(text, size, "a smaller --lambda, such as %.1g",
                 find_lambda(objective, facts));
    }
}

static void describe_majority(double error, double without, const char *remedy,
                              char text[OPTION_ADVICE_TEXT_SIZE])
{
    snprintf(text, OPTION_ADVICE_TEXT_SIZE,
             "on its training data the model is no better than the majority vote: an "
             "error of %.4g, and %.4g without a model: try %s",
             error, without, remedy);
}

void option_advice_model(MPI_Comm comm, const sdca_dataset *data,
                         const sdca_objective *objective, const double *w,
                         const option_advice_facts *facts,
                         char                       text[OPTION_ADVICE_TEXT_SIZE])
{
    bool          classes  = objective->loss->classification;
    double        variance = facts->label_deviation * facts->label_deviation;
    model_quality quality  = measure_quality(comm, data, classes, w);
    char          remedy[64];

    text[0] = '\0';
    find_remedy(facts, objective, remedy, sizeof remedy);
    if (classes && quality.smaller > 0.0 &&
        quality.error >= better_limit * quality.smaller) {
        describe_majority(quality.error, quality.smaller, remedy, text);
    } else if (classes && quality.found < found_limit) {
        snprintf(text, OPTION_ADVICE_TEXT_SIZE,
                 "on its training data the model finds only %.2g %% of the rarer class: "
                 "try %s",
                 100.0 * quality.found, remedy);
    } else if (!classes && variance > 0.0 && quality.error >= better_limit * variance) {
        snprintf(text, OPTION_ADVICE_TEXT_SIZE,
                 "on its training data the model is no better than the mean of the "
                 "labels: an RMSE of %.4g, and %.4g without a model: try %s",
                 sqrt(quality.error), facts->label_deviation, remedy);
    }
}

void option_advice_classes(const option_advice_facts *facts,
                           const sdca_objective *objective, double error, double majority,
                           char text[OPTION_ADVICE_TEXT_SIZE])
{
    option_advice_facts others = *facts;
    char                remedy[64];

    text[0]           = '\0';
    others.rare_share = 1.0 - majority;
    find_remedy(&others, objective, remedy, sizeof remedy);
    if (others.rare_share > 0.0 && error >= better_limit * others.rare_share) {
        describe_majority(error, others.rare_share, remedy, text);
    }
}
