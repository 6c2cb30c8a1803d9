/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_scores.c - scores of test data as panels of a figure. */
#include "cli/report/gnuplot_scores.h"

#include <math.h>

#include "cli/report/chart_contents.h"
#include "cli/report/gnuplot_legend.h"
#include "cli/report/test_scoring.h"

/* The number of curves: one per run of two classes, or per class of one run. */
static int count_curves(const report_run *run, int count)
{
    return count == 1 && run[0].test != NULL && run[0].class_count > 0
               ? run[0].test->curve_count
               : count;
}

/* A curve, or NULL. */
static const sdca_curve *find_curve(const report_run *run, int k)
{
    if (run[0].class_count > 0) {
        return run[0].test != NULL ? &run[0].test->curves[k] : NULL;
    }
    return run[k].test != NULL && run[k].test->metrics.classes == 2
               ? &run[k].test->curves[0]
               : NULL;
}

static bool has_curve(const report_run *run, int k)
{
    const sdca_curve *curve = find_curve(run, k);

    return curve != NULL && curve->count > 0;
}

bool gnuplot_scores_has(gnuplot_score_panel which, const report_run *run, int count)
{
    if (which == GNUPLOT_HISTOGRAM) {
        return count == 1 && run[0].test != NULL && run[0].test->has_histogram;
    }
    for (int k = 0; k < count_curves(run, count); k++) {
        if (has_curve(run, k)) {
            return true;
        }
    }
    return false;
}

/* Steps: between two points the precision is that of the second. */
static void write_corners(gnuplot_score_panel which, const sdca_curve *c, FILE *script)
{
    if (which == GNUPLOT_ROC) {
        fputs("0 0\n", script);
    }
    for (int k = 0; k < c->count; k++) {
        const sdca_curve_corner *corner = &c->corner[k];

        if (which == GNUPLOT_ROC) {
            fprintf(script, "%.5f %.5f\n", corner->false_positive_rate,
                    corner->true_positive_rate);
        } else {
            fprintf(script, "%.5f %.5f\n",
                    k > 0 ? c->corner[k - 1].true_positive_rate : 0.0, corner->precision);
            fprintf(script, "%.5f %.5f\n", corner->true_positive_rate, corner->precision);
        }
    }
}

static void write_bins(const sdca_score_histogram *h, const double *weight, FILE *script)
{
    double width = (h->high - h->low) / SDCA_HISTOGRAM_BINS;

    for (int b = 0; b < SDCA_HISTOGRAM_BINS; b++) {
        fprintf(script, "%.9g %.9g\n", h->low + b * width, weight[b]);
    }
    fprintf(script, "%.9g 0\n", h->high);
}

void gnuplot_scores_write_data(gnuplot_score_panel which, int k, const report_run *run,
                               int count, FILE *script)
{
    if (which == GNUPLOT_HISTOGRAM) {
        const sdca_score_histogram *h = &run[0].test->histogram;

        fprintf(script, "$d%d_0_0 << END\n", k);
        write_bins(h, h->negative, script);
        fprintf(script, "END\n$d%d_1_0 << END\n", k);
        write_bins(h, h->positive, script);
        fputs("END\n", script);
        return;
    }
    for (int r = 0; r < count_curves(run, count); r++) {
        fprintf(script, "$d%d_%d_0 << END\n", k, r);
        if (has_curve(run, r)) {
            write_corners(which, find_curve(run, r), script);
        }
        fputs("END\n", script);
    }
}

/* The title; of one curve with the area below it. */
static void write_curves_title(bool roc, const report_run *run, int count, FILE *script)
{
    const sdca_class_metrics *m =
        count_curves(run, count) == 1 ? &run[0].test->metrics.by_class[1] : NULL;
    double area = m == NULL ? NAN : roc ? m->auc : m->average_precision;

    fprintf(script, "set title \"{/:Bold %s}",
            roc ? "ROC curve on test data" : "Precision and recall on test data");
    if (!isnan(area)) {
        fprintf(script, " (%s %.4f)", roc ? "AUC" : "average", area);
    }
    fprintf(script, "\"\nset xlabel \"%s\" offset 0,0.6\n",
            roc ? "false positive rate" : "recall");
}

static void write_curves(gnuplot_score_panel which, int number, const report_run *run,
                         int count, FILE *script)
{
    bool        roc       = which == GNUPLOT_ROC;
    const char *separator = "plot ";

    write_curves_title(roc, run, count, script);
    fputs("set xtics 0.2\nset ytics 0.2\n"
          "set format x \"%.1f\"\nset format y \"%.1f\"\nunset logscale y\n"
          "set xrange [0:1]\nset yrange [0:1]\n",
          script);
    for (int k = 0; k < count_curves(run, count); k++) {
        if (has_curve(run, k)) {
            fprintf(script, "%s$d%d_%d_0 with lines linestyle %d notitle", separator,
                    number, k, 1 + k % REPORT_COLOURS);
            separator = ", \\\n     ";
        }
    }
    fputs(roc ? ", x with lines linecolor \"#666666\" dashtype (2, 3) notitle\n" : "\n",
          script);
}

/* Ticks of the x axis: fewer if their numbers are long. */
static void write_ticks(const sdca_score_histogram *h, FILE *script)
{
    enum { SHORT = 5 /* characters */ };
    double magnitude = fmax(fabs(h->low), fabs(h->high)), span = h->high - h->low;
    double step = report_chart_tick_step(span);
    char   format[16], text[32];

    report_chart_tick_format(magnitude, step, format);
    if (snprintf(text, sizeof text, format, -magnitude) > SHORT) {
        step = report_chart_tick_step(1.5 * span);
        report_chart_tick_format(magnitude, step, format);
    }
    fprintf(script, "set xtics %.9g\nset format x \"%s\"\n", step, format);
}

/* With space for the names of the classes above the bars. */
static void write_histogram(int number, const report_run *run, FILE *script)
{
    const sdca_score_histogram *h         = &run->test->histogram;
    bool                        has_names = run->test->metrics.classes == 2;
    char                        label[SDCA_CLASS_TEXT_SIZE];
    double                      highest = 0.0;

    for (int b = 0; b < SDCA_HISTOGRAM_BINS; b++) {
        highest = fmax(highest, fmax(h->negative[b], h->positive[b]));
    }
    fprintf(script,
            "set title \"{/:Bold %s}\"\nset xlabel \"%s\" offset 0,0.6\n"
            "set format y \"%%g\"\n"
            "unset logscale y\nset xrange [%.9g:%.9g]\nset yrange [0:%.9g]\n"
            "set key top left noenhanced reverse Left horizontal samplen 1.5\n",
            has_names ? "Scores of test data by class" : "Errors on test data",
            has_names ? "score" : "prediction - label", h->low, h->high,
            has_names ? 1.2 * highest : 1.05 * highest);
    write_ticks(h, script);
    for (int k = 0; k < (has_names ? 2 : 1); k++) {
        fprintf(
            script,
            "%s$d%d_%d_0 with fillsteps linestyle %d fillstyle transparent solid 0.4 ",
            k == 0 ? "plot " : ", \\\n     ", number, k, k + 1);
        if (has_names) {
            fputs("title 'label '.", script);
            sdca_classes_format(&run->model.labels, k, label);
            gnuplot_legend_write_text(label, script);
        } else {
            fputs("notitle", script);
        }
    }
    fputs("\nunset key\n", script);
}

void gnuplot_scores_write_panel(gnuplot_score_panel which, int k, const report_run *run,
                                int count, FILE *script)
{
    if (which == GNUPLOT_HISTOGRAM) {
        write_histogram(k, &run[0], script);
    } else {
        write_curves(which, k, run, count, script);
    }
    fputs("set ytics autofreq\nset xrange [*:*]\nset yrange [*:*]\n", script);
}
