/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_section.c - how well the runs predict the test data, as a part of the page. */
#include "cli/report/test_section.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "cli/report/html_escape.h"
#include "cli/report/number_text.h"
#include "cli/report/score_charts.h"
#include "cli/report/svg_chart.h"
#include "cli/report/tables.h"
#include "cli/ui/plural.h"
#include "data/label_print.h"

enum {
    MOST_WITH_SHARES = 4,  /* classes of a confusion matrix with space for percentages */
    MOST_CURVES      = 8,  /* classes whose curves share a figure */
    MOST_IN_MATRIX   = 20, /* classes of a confusion matrix that can be read */
    MOST_OPEN        = 8   /* runs whose curves share a figure */
};

/* The rows of the table of metrics: words, field, and how it is printed. */
#define METRIC_LIST(X)                                       \
    X("error", error, PERCENT)                               \
    X("error of the majority vote", majority_error, PERCENT) \
    X("balanced error", balanced_error, PERCENT)             \
    X("F1", f1, DECIMALS)                                    \
    X("AUC", auc, DECIMALS)                                  \
    X("average precision", average_precision, DECIMALS)      \
    X("log-loss", log_loss, DECIMALS)                        \
    X("Brier score", brier, DECIMALS)                        \
    X("RMSE", rmse, DIGITS)                                  \
    X("RMSE of the mean", mean_rmse, DIGITS)                 \
    X("MAE", mae, DIGITS)                                    \
    X("MAE of the mean", mean_mae, DIGITS)                   \
    X("R\xc2\xb2", r2, DECIMALS)

typedef enum metric_form { PERCENT, DECIMALS, DIGITS } metric_form;

typedef struct metric_row {
    const char *words;
    size_t      offset;
    metric_form form;
} metric_row;

#define METRIC_ROW(words, field, form) { words, offsetof(sdca_metrics, field), form },
static const metric_row metric_rows[] = { METRIC_LIST(METRIC_ROW) };
#undef METRIC_ROW

static double metric_of(const report_run *run, const metric_row *row)
{
    return run->test == NULL
               ? NAN
               : *(const double *)((const char *)&run->test->metrics.total + row->offset);
}

static void write_metric(const report_run *run, int count, const metric_row *row,
                         FILE *page)
{
    char text[REPORT_NUMBER_SIZE];
    bool known = false;

    for (int r = 0; r < count; r++) {
        known = known || !isnan(metric_of(&run[r], row));
    }
    if (!known) {
        return;
    }
    fprintf(page, "<tr><th scope=\"row\">%s</th>", row->words);
    for (int r = 0; r < count; r++) {
        double value = metric_of(&run[r], row);

        fprintf(page, "<td class=\"r%d\">", r);
        if (!isnan(value) && row->form == PERCENT) {
            report_format_percent(value, text);
            fputs(text, page);
        } else if (!isnan(value)) {
            fprintf(page, row->form == DECIMALS ? "%.4f" : "%.6g", value);
        }
        fputs("</td>", page);
    }
    fputs("</tr>\n", page);
}

/* How many rows, and what is special about them. */
static void write_rows_note(const report_run *run, FILE *page)
{
    const report_test_results *t = run->test;

    fprintf(page, "<p class=\"note r%d\">%" PRId64 " row%s%s", run->number, t->rows,
            plural((double)t->rows), t->weighted ? ", counted with their weights" : "");
    if (t->metrics.unknown > 0.0) {
        fprintf(page,
                "; %s%.6g with a label that the model does not know, which count as "
                "errors",
                t->weighted ? "weight " : "", t->metrics.unknown);
    }
    fputs(".</p>\n", page);
}

static void write_metrics(const report_run *run, int count, const report_run *first,
                          FILE *page)
{
    fputs("<section class=\"card\">\n<h2>Metrics on ", page);
    html_write_text(page, first->test->path);
    fputs("</h2>\n<div class=\"scroll\"><table>\n", page);
    report_tables_write_head(run, count, page);
    fputs("<tbody>\n", page);
    for (size_t k = 0; k < sizeof metric_rows / sizeof metric_rows[0]; k++) {
        write_metric(run, count, &metric_rows[k], page);
    }
    fputs("</tbody></table></div>\n", page);
    write_rows_note(first, page);
    fputs("</section>\n", page);
}

/* A title that names the run if there are several. */
static void write_title(const char *title, const report_run *run, int count, FILE *page)
{
    fputs(title, page);
    if (count > 1) {
        fputs(": ", page);
        html_write_text(page, run->path);
    }
}

static void write_label(const report_run *run, int k, FILE *page)
{
    char label[SDCA_CLASS_TEXT_SIZE];

    sdca_classes_format(&run->model.labels, k, label);
    html_write_text(page, label);
}

/* A row of the matrix is a label, a cell a prediction; the shade is the share of the
 * row. */
static void write_matrix_row(const report_run *run, int k, FILE *page)
{
    const sdca_metrics_result *m = &run->test->metrics;

    fputs("<tr><th scope=\"row\">", page);
    write_label(run, k, page);
    fputs("</th>", page);
    for (int j = 0; j < m->classes; j++) {
        double weight  = m->confusion[(size_t)k * (size_t)m->classes + (size_t)j];
        double support = m->by_class[k].support;
        double share   = support > 0.0 ? weight / support : 0.0;

        fprintf(page, "<td class=\"%s%s\"><i style=\"opacity:%.2f\"></i><span>%.6g",
                k == j ? "c0" : "c1", weight > 0.0 ? "" : " none", 0.5 * share, weight);
        if (m->classes <= MOST_WITH_SHARES) {
            fprintf(page, "<small>%.1f\xc2\xa0%%</small>", 100.0 * share);
        }
        fputs("</span></td>", page);
    }
    fputs("</tr>\n", page);
}

static void write_matrix(const report_run *run, int count, FILE *page)
{
    const sdca_metrics_result *m = &run->test->metrics;

    fprintf(page, "<section class=\"card matrix%s r%d\">\n<h2>",
            m->classes > 2 ? " wide" : "", run->number);
    write_title("Confusion matrix", run, count, page);
    fputs("</h2>\n<div class=\"scroll\"><table>\n<thead><tr><td></td>", page);
    for (int k = 0; k < m->classes; k++) {
        fputs("<th scope=\"col\">", page);
        write_label(run, k, page);
        fputs("</th>", page);
    }
    fputs("</tr></thead>\n<tbody>\n", page);
    for (int k = 0; k < m->classes; k++) {
        write_matrix_row(run, k, page);
    }
    fputs("</tbody></table></div>\n<p class=\"note\">Rows: true labels; columns: "
          "predictions. Shades are shares of a row.</p>\n</section>\n",
          page);
}

static void write_class(const report_run *run, int k, FILE *page)
{
    const sdca_class_metrics *c = &run->test->metrics.by_class[k];

    fputs("<tr><th scope=\"row\">", page);
    write_label(run, k, page);
    fprintf(page, "</th><td>%.4f</td><td>%.4f</td><td>%.4f</td><td>", c->precision,
            c->recall, c->f1);
    if (!isnan(c->auc)) {
        fprintf(page, "%.4f", c->auc);
    }
    fprintf(page, "</td><td>%.6g</td></tr>\n", c->support);
}

static void write_classes(const report_run *run, int count, FILE *page)
{
    const sdca_metrics_result *m      = &run->test->metrics;
    bool                       folded = m->classes > MOST_IN_MATRIX;

    fprintf(page,
            folded ? "<details class=\"card by-class r%d\">\n<summary>"
                   : "<section class=\"card by-class r%d\">\n<h2>",
            run->number);
    write_title("By class", run, count, page);
    fputs(folded ? "</summary>\n" : "</h2>\n", page);
    fputs("<div class=\"scroll\"><table>\n<thead><tr><td></td><th scope=\"col\">precision"
          "</th><th scope=\"col\">recall</th><th scope=\"col\">F1</th>"
          "<th scope=\"col\">AUC</th><th scope=\"col\">rows</th></tr></thead>\n<tbody>\n",
          page);
    for (int k = 0; k < m->classes; k++) {
        write_class(run, k, page);
    }
    fputs("</tbody></table></div>\n", page);
    fputs(folded ? "</details>\n" : "</section>\n", page);
}

/* The curves of the runs of two classes, together. */
static void write_binary_charts(const report_run *run, int count, FILE *page)
{
    report_score_series series[MOST_OPEN];
    int                 found = 0;

    for (int r = 0; r < count && found < MOST_OPEN; r++) {
        const report_test_results *t = run[r].test;

        if (t != NULL && t->metrics.classes == 2) {
            series[found++] = (report_score_series){
                .number      = run[r].number,
                .name        = run[r].path,
                .curve       = &t->curves[0],
                .metrics     = &t->metrics.by_class[1],
                .calibration = t->has_calibration ? t->calibration : NULL,
            };
        }
    }
    if (found > 0) {
        report_score_charts_write(series, found, page);
        report_score_charts_write_calibration(series, found, "predicted probability",
                                              "fraction of positives", page);
    }
}

/* The calibration of the predicted classes of a run, if it has more than two. */
static void write_class_calibration(const report_run *run, FILE *page)
{
    const report_test_results *t      = run->test;
    const report_score_series  series = { .number      = run->number,
                                          .name        = run->path,
                                          .calibration = t->calibration };

    if (t->metrics.classes > 2 && t->has_calibration) {
        report_score_charts_write_calibration(&series, 1,
                                              "probability of the predicted class",
                                              "fraction predicted correctly", page);
    }
}

/* What belongs to one run only. */
static void write_run_charts(const report_run *run, int count, FILE *page)
{
    const report_test_results *t = run->test;
    char                       negative[SDCA_CLASS_TEXT_SIZE];
    char                       positive[SDCA_CLASS_TEXT_SIZE];
    char                       title[512];
    const char                *name  = count > 1 ? run->path : "";
    const char                *colon = count > 1 ? ": " : "";

    if (t->metrics.classes == 0) {
        snprintf(title, sizeof title, "Predictions%s%.400s", colon, name);
        report_score_charts_write_density(t, title, page);
        snprintf(title, sizeof title, "Errors%s%.400s", colon, name);
        report_score_charts_write_histogram(&t->histogram, title, NULL, NULL, page);
    } else if (t->has_histogram) {
        sdca_classes_format(&run->model.labels, 0, negative);
        sdca_classes_format(&run->model.labels, 1, positive);
        snprintf(title, sizeof title, "Scores by class%s%.400s", colon, name);
        report_score_charts_write_histogram(&t->histogram, title, negative, positive,
                                            page);
    }
}

/* What belongs to one of several runs. */
static void write_folded(const report_run *run, int count, FILE *page)
{
    int classes = run->test->metrics.classes;

    fprintf(page, "<details class=\"card r%d\">\n<summary>%s of ", run->number,
            classes > 0 ? "Confusion matrix and scores" : "Predictions and errors");
    html_write_text(page, run->path);
    fputs("</summary>\n<div class=\"cards\">\n", page);
    if (classes > 1 && classes <= MOST_IN_MATRIX) {
        write_matrix(run, count, page);
    }
    if (classes > 2) {
        write_classes(run, count, page);
    }
    write_class_calibration(run, page);
    write_run_charts(run, count, page);
    fputs("</div>\n</details>\n", page);
}

/* ROC, precision and recall of the first classes of a run. */
static void write_class_curves(const report_run *run, FILE *page)
{
    report_score_series        series[REPORT_MAX_CLASSES];
    const report_test_results *t = run->test;

    for (int k = 0; k < t->curve_count; k++) {
        series[k] = (report_score_series){ .number  = run->classes[k].number,
                                           .name    = run->classes[k].path,
                                           .curve   = &t->curves[k],
                                           .metrics = &t->metrics.by_class[k] };
    }
    report_score_charts_write(series, t->curve_count, page);
}

/* Those of many classes, or of one of several runs, are folded away. */
static void write_folded_class_curves(const report_run *run, FILE *page)
{
    const report_test_results *t = run->test;

    fprintf(page, "<details class=\"card r%d\">\n<summary>ROC, precision and recall of ",
            run->number);
    html_write_text(page, run->path);
    if (t->curve_count < t->metrics.classes) {
        fprintf(page, ", the first %d of %d classes", t->curve_count, t->metrics.classes);
    } else {
        fputs(" by class", page);
    }
    fputs("</summary>\n<div class=\"cards\">\n", page);
    write_class_curves(run, page);
    fputs("</div>\n</details>\n", page);
}

/* One run of more than two classes. The matrix is as high as the two cards beside it. */
static void write_many_classes(const report_run *run, FILE *page)
{
    int  classes    = run->test->metrics.classes;
    bool has_matrix = classes <= MOST_IN_MATRIX;
    bool has_curves = classes <= MOST_CURVES;
    bool beside     = !has_curves && run->test->has_calibration;

    fprintf(page, "<div class=\"cards%s\">\n", has_matrix ? " around" : "");
    write_metrics(run, 1, run, page);
    if (has_matrix) {
        write_matrix(run, 1, page);
    }
    if (beside) {
        write_class_calibration(run, page);
    } else if (has_matrix) {
        write_classes(run, 1, page);
    }
    fputs("</div>\n", page);
    if (beside || !has_matrix) {
        write_classes(run, 1, page);
    }
    if (has_curves) {
        fputs("<div class=\"cards\">\n", page);
        write_class_curves(run, page);
        write_class_calibration(run, page);
        fputs("</div>\n", page);
    } else {
        write_folded_class_curves(run, page);
    }
}

/* One run of two classes, or a regression. */
static void write_one_run(const report_run *run, FILE *page)
{
    fputs("<div class=\"cards\">\n", page);
    write_metrics(run, 1, run, page);
    if (run->test->metrics.classes == 2) {
        write_matrix(run, 1, page);
    }
    write_binary_charts(run, 1, page);
    write_run_charts(run, 1, page);
    fputs("</div>\n", page);
}

/* Several runs: what they share, then each one folded away. */
static void write_several_runs(const report_run *run, int count, const report_run *first,
                               FILE *page)
{
    write_metrics(run, count, first, page);
    fputs("<div class=\"cards\">\n", page);
    write_binary_charts(run, count, page);
    fputs("</div>\n", page);
    for (int r = 0; r < count; r++) {
        if (run[r].test != NULL) {
            write_folded(&run[r], count, page);
        }
        if (run[r].test != NULL && run[r].test->metrics.classes > 2) {
            write_folded_class_curves(&run[r], page);
        }
    }
}

void report_test_section_write(const report_run *run, int count, FILE *page)
{
    const report_run *first = NULL;

    for (int r = count - 1; r >= 0; r--) {
        first = run[r].test != NULL ? &run[r] : first;
    }
    if (first == NULL) {
        return;
    }
    fputs("<h2 class=\"part\">How good: quality on test data</h2>\n", page);
    if (count > 1) {
        write_several_runs(run, count, first, page);
    } else if (first->test->metrics.classes > 2) {
        write_many_classes(first, page);
    } else {
        write_one_run(first, page);
    }
}
