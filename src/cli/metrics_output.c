/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics_output.c - metrics as text and as JSON. */
#include "cli/metrics_output.h"

#include <math.h>

#include "cli/ui/plural.h"
#include "data/label_print.h"
#include "io/atomic_file.h"
#include "io/json.h"

/* A table of more classes would fill the screen, and a matrix would not fit its width. */
enum { MOST_PRINTED_CLASSES = 20, MOST_IN_MATRIX = 6 };

/* Lines after the first: words, name in JSON, field of sdca_metrics. */
#define CLASS_METRIC_LIST(X)                                          \
    X("Error of the majority vote", "majority_error", majority_error) \
    X("Balanced error", "balanced_error", balanced_error)             \
    X("AUC", "auc", auc)                                              \
    X("Average precision", "average_precision", average_precision)    \
    X("Log-loss", "log_loss", log_loss)                               \
    X("Brier score", "brier", brier)
#define REGRESSION_METRIC_LIST(X)                 \
    X("RMSE of the mean", "mean_rmse", mean_rmse) \
    X("MAE", "mae", mae)                          \
    X("MAE of the mean", "mean_mae", mean_mae)    \
    X("R2", "r2", r2)

static void print_error(metrics_output_rows rows, double error, FILE *to)
{
    if (rows.weighted) {
        fprintf(to, "Error: %.6g (weight %.6g of %.6g, %lld row%s)\n", error,
                error * rows.weight, rows.weight, (long long)rows.count,
                plural((double)rows.count));
    } else {
        fprintf(to, "Error: %.6g (%.0f of %lld row%s)\n", error,
                error * (double)rows.count, (long long)rows.count,
                plural((double)rows.count));
    }
}

static void print_classes(const sdca_classes *labels, const sdca_metrics_result *metrics,
                          FILE *to)
{
    fprintf(to, "%-16s %9s %9s %9s %12s\n", "Label", "precision", "recall", "F1",
            "support");
    for (int k = 0; k < metrics->classes; k++) {
        const sdca_class_metrics *c = &metrics->by_class[k];
        char                      label[SDCA_CLASS_TEXT_SIZE];

        sdca_classes_format(labels, k, label);
        fprintf(to, "%-16s %9.4f %9.4f %9.4f %12.6g\n", label, c->precision, c->recall,
                c->f1, c->support);
    }
}

/* Weights of rows, by label and prediction. */
static void print_confusion(const sdca_classes        *labels,
                            const sdca_metrics_result *metrics, FILE *to)
{
    int  classes = metrics->classes;
    char label[SDCA_CLASS_TEXT_SIZE];

    fprintf(to, "%-16s", "Predicted");
    for (int k = 0; k < classes; k++) {
        sdca_classes_format(labels, k, label);
        fprintf(to, " %9s", label);
    }
    fputc('\n', to);
    for (int k = 0; k < classes; k++) {
        sdca_classes_format(labels, k, label);
        fprintf(to, "%-16s", label);
        for (int j = 0; j < classes; j++) {
            fprintf(to, " %9.6g",
                    metrics->confusion[(size_t)k * (size_t)classes + (size_t)j]);
        }
        fputc('\n', to);
    }
}

void metrics_output_print_others(const sdca_classes        *labels,
                                 const sdca_metrics_result *metrics, FILE *to)
{
    const sdca_metrics *m = &metrics->total;

#define PRINT_METRIC(words, name, field)            \
    if (!isnan(m->field)) {                         \
        fprintf(to, "%s: %.6g\n", words, m->field); \
    }
    if (metrics->classes == 0) {
        REGRESSION_METRIC_LIST(PRINT_METRIC)
    } else {
        CLASS_METRIC_LIST(PRINT_METRIC)
    }
#undef PRINT_METRIC
    if (metrics->classes > 1 && metrics->classes <= MOST_PRINTED_CLASSES) {
        print_classes(labels, metrics, to);
    }
    if (metrics->classes > 1 && metrics->classes <= MOST_IN_MATRIX) {
        print_confusion(labels, metrics, to);
    }
}

void metrics_output_print(const sdca_classes *labels, metrics_output_rows rows,
                          const sdca_metrics_result *metrics, FILE *to)
{
    if (metrics->classes == 0) {
        fprintf(to, "RMSE: %.6g\n", metrics->total.rmse);
    } else {
        print_error(rows, metrics->total.error, to);
    }
    metrics_output_print_others(labels, metrics, to);
}

void metrics_output_print_certain(int64_t certain, int64_t rows, FILE *to)
{
    fprintf(to, "Certain: %lld of %lld label%s proven to be those of the exact optimum\n",
            (long long)certain, (long long)rows, rows == 1 ? " is" : "s are");
}

static void write_number(FILE *file, const char *name, double value)
{
    fprintf(file, ",\n  \"%s\": %s", name, sdca_json_number(value).text);
}

static void write_classes(const sdca_classes *labels, const sdca_metrics_result *metrics,
                          FILE *file)
{
    fputs(",\n  \"per_class\": [", file);
    for (int k = 0; k < metrics->classes; k++) {
        const sdca_class_metrics *c = &metrics->by_class[k];

        fprintf(file, "%s    {\"label\": ", k > 0 ? ",\n" : "\n");
        sdca_label_print_json(file, labels, k);
        fprintf(file, ", \"support\": %s, \"precision\": %s, \"recall\": %s",
                sdca_json_number(c->support).text, sdca_json_number(c->precision).text,
                sdca_json_number(c->recall).text);
        fprintf(file, ", \"f1\": %s, \"auc\": %s, \"average_precision\": %s}",
                sdca_json_number(c->f1).text, sdca_json_number(c->auc).text,
                sdca_json_number(c->average_precision).text);
    }
    fputs("],\n  \"confusion\": [", file);
    for (int k = 0; k < metrics->classes; k++) {
        fputs(k > 0 ? ",\n    [" : "\n    [", file);
        for (int j = 0; j < metrics->classes; j++) {
            size_t at = (size_t)k * (size_t)metrics->classes + (size_t)j;

            fprintf(file, "%s%s", j > 0 ? ", " : "",
                    sdca_json_number(metrics->confusion[at]).text);
        }
        fputc(']', file);
    }
    fputc(']', file);
}

#define WRITE_NUMBERS(name, array, count, value)              \
    do {                                                      \
        fprintf(file, "%s\"%s\": [", separator, name);        \
        for (int k = 0; k < (count); k++) {                   \
            fprintf(file, "%s%s", k > 0 ? ", " : "",          \
                    sdca_json_number((array)[k].value).text); \
        }                                                     \
        fputc(']', file);                                     \
        separator = ",\n    ";                                \
    } while (0)

/* The points of curves, as arrays of numbers. */
static void write_curves(const sdca_metrics_result *metrics, FILE *file)
{
    const sdca_curve *curve     = &metrics->curve;
    const char       *separator = "\n    ";

    fputs(",\n  \"curve\": {", file);
    WRITE_NUMBERS("threshold", curve->corner, curve->count, threshold);
    WRITE_NUMBERS("false_positive_rate", curve->corner, curve->count,
                  false_positive_rate);
    WRITE_NUMBERS("true_positive_rate", curve->corner, curve->count, true_positive_rate);
    WRITE_NUMBERS("precision", curve->corner, curve->count, precision);
    fputc('}', file);
    if (metrics->has_calibration) {
        separator = "\n    ";
        fputs(",\n  \"calibration\": {", file);
        WRITE_NUMBERS("probability", metrics->calibration, SDCA_CALIBRATION_BINS,
                      probability);
        WRITE_NUMBERS("fraction", metrics->calibration, SDCA_CALIBRATION_BINS, positive);
        WRITE_NUMBERS("weight", metrics->calibration, SDCA_CALIBRATION_BINS, weight);
        fputc('}', file);
    }
}

sdca_status metrics_output_write_file(const sdca_classes *labels, int64_t rows,
                                      const sdca_metrics_result *metrics,
                                      int64_t certain_rows, const char *path)
{
    const sdca_metrics *m      = &metrics->total;
    FILE               *file   = NULL;
    sdca_status         status = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    fprintf(file, "{\n  \"rows\": %lld", (long long)rows);
    write_number(file, "weight", metrics->weight);
#define WRITE_METRIC(words, name, field) write_number(file, name, m->field);
    if (metrics->classes == 0) {
        write_number(file, "rmse", m->rmse);
        REGRESSION_METRIC_LIST(WRITE_METRIC)
    } else {
        write_number(file, "certain_rows",
                     certain_rows >= 0 ? (double)certain_rows : NAN);
        write_number(file, "unknown_weight", metrics->unknown);
        write_number(file, "error", m->error);
        CLASS_METRIC_LIST(WRITE_METRIC)
        write_number(file, "f1", m->f1);
        write_number(file, "macro_precision", m->macro_precision);
        write_number(file, "macro_recall", m->macro_recall);
        write_number(file, "macro_f1", m->macro_f1);
        write_classes(labels, metrics, file);
        if (metrics->classes == 2) {
            write_curves(metrics, file);
        }
    }
#undef WRITE_METRIC
    fputs("\n}\n", file);
    return sdca_atomic_file_commit(file, path);
}
