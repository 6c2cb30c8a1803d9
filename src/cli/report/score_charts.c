/* SPDX-License-Identifier: BSD-3-Clause
 *
 * score_charts.c - scores of test data as SVG figures of the page. */
#include "cli/report/score_charts.h"

#include <math.h>
#include <stdbool.h>

#include "cli/report/html_escape.h"
#include "cli/report/svg_axis.h"
#include "cli/report/svg_chart.h"

static void begin(const char *title, const char *label, FILE *page)
{
    fputs("<figure>\n<h2>", page);
    html_write_text(page, title);
    fprintf(page,
            "</h2>\n<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"%s\">\n",
            SVG_WIDTH, SVG_HEIGHT, label);
}

/* Both axes from 0 to 1, and the diagonal. */
static svg_axis write_unit_axes(const char *name, const char *y_name, bool diagonal,
                                svg_axis *y, FILE *page)
{
    svg_axis x = svg_axis_horizontal(0.0, 1.0);

    *y = svg_axis_vertical(0.0, 1.0);
    svg_axis_write_horizontal(&x, name, page);
    svg_axis_write_vertical(y, y_name, page);
    if (diagonal) {
        fprintf(page, "<path class=\"guide\" d=\"M%d %dL%d %d\"/>\n", SVG_LEFT,
                SVG_BOTTOM, SVG_RIGHT, SVG_TOP);
    }
    return x;
}

static void begin_series(const report_score_series *s, FILE *page)
{
    fputs("<g class=\"series ", page);
    report_svg_chart_write_classes(s->number, page);
    fputs("\">", page);
}

/* A legend of the series with a number each; of one series the number only. */
static void write_legend(const report_score_series *s, int count, bool roc, FILE *page)
{
    const char *name = roc ? "AUC" : "average precision";

    if (count > 1) {
        fprintf(page, "<span>%s:</span>\n", name);
    }
    for (int k = 0; k < count; k++) {
        double value = roc ? s[k].metrics->auc : s[k].metrics->average_precision;
        char   text[64];

        snprintf(text, sizeof text, "%s %.4f", count > 1 ? "" : name, value);
        if (count == 1) {
            fprintf(page, "<span>%s</span>\n", isnan(value) ? "" : text);
            continue;
        }
        fputs("<span class=\"key ", page);
        report_svg_chart_write_classes(s[k].number, page);
        fputs("\"><svg class=\"sample\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path "
              "class=\"line\" d=\"M1 4H23\"/></svg> ",
              page);
        html_write_text(page, s[k].name);
        fprintf(page, "%s</span>\n", isnan(value) ? "" : text);
    }
}

static void write_roc(const report_score_series *s, int count, FILE *page)
{
    svg_axis x, y;

    begin("ROC curve", "True positive rate against false positive rate", page);
    x = write_unit_axes("false positive rate", "true positive rate", true, &y, page);
    for (int k = 0; k < count; k++) {
        begin_series(&s[k], page);
        fprintf(page, "<path class=\"line\" d=\"M%d %d", SVG_LEFT, SVG_BOTTOM);
        for (int p = 0; p < s[k].curve->count; p++) {
            const sdca_curve_corner *corner = &s[k].curve->corner[p];

            fprintf(page, "L%.1f %.1f",
                    svg_axis_position(&x, corner->false_positive_rate),
                    svg_axis_position(&y, corner->true_positive_rate));
        }
        fputs("\"/></g>\n", page);
    }
    fputs("</svg>\n<figcaption>", page);
    write_legend(s, count, true, page);
    report_svg_chart_write_key(-1, "guessed", "guessing", page);
    fputs("</figcaption>\n</figure>\n", page);
}

/* Steps: between two points the precision is that of the second. */
static void write_recall(const report_score_series *s, int count, FILE *page)
{
    svg_axis x, y;

    begin("Precision and recall", "Precision against recall", page);
    x = write_unit_axes("recall", "precision", false, &y, page);
    for (int k = 0; k < count; k++) {
        const sdca_curve *c = s[k].curve;

        begin_series(&s[k], page);
        if (count == 1 && c->count > 0) {
            fprintf(page, "<path class=\"guide\" d=\"M%d %.1fH%d\"/>", SVG_LEFT,
                    svg_axis_position(&y, c->corner[c->count - 1].precision), SVG_RIGHT);
        }
        fputs("<path class=\"line\" d=\"", page);
        for (int p = 0; p < c->count; p++) {
            double across = svg_axis_position(&x, c->corner[p].true_positive_rate);
            double up     = svg_axis_position(&y, c->corner[p].precision);

            if (p == 0) {
                fprintf(page, "M%d %.1fH%.1f", SVG_LEFT, up, across);
            } else {
                fprintf(page, "V%.1fH%.1f", up, across);
            }
        }
        fputs("\"/></g>\n", page);
    }
    fputs("</svg>\n<figcaption>", page);
    write_legend(s, count, false, page);
    if (count == 1) {
        report_svg_chart_write_key(-1, "guessed", "guessing", page);
    }
    fputs("</figcaption>\n</figure>\n", page);
}

/* The area of a dot is the share of the rows, down to a size that can be seen. */
static void write_bins(const report_score_series *s, const svg_axis *x, const svg_axis *y,
                       FILE *page)
{
    const sdca_calibration_bin *c     = s->calibration;
    const char                 *step  = "M";
    double                      total = 0.0;

    for (int b = 0; b < SDCA_CALIBRATION_BINS; b++) {
        total += c[b].weight;
    }
    begin_series(s, page);
    fputs("<path class=\"line\" d=\"", page);
    for (int b = 0; b < SDCA_CALIBRATION_BINS; b++) {
        if (c[b].weight > 0.0) {
            fprintf(page, "%s%.1f %.1f", step, svg_axis_position(x, c[b].probability),
                    svg_axis_position(y, c[b].positive));
            step = "L";
        }
    }
    fputs("\"/>", page);
    for (int b = 0; b < SDCA_CALIBRATION_BINS; b++) {
        if (c[b].weight > 0.0) {
            fprintf(page,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>%.6g rows: mean "
                    "probability %.4f, in truth %.4f</title></circle>",
                    svg_axis_position(x, c[b].probability),
                    svg_axis_position(y, c[b].positive),
                    2.0 + 7.0 * sqrt(c[b].weight / total), c[b].weight, c[b].probability,
                    c[b].positive);
        }
    }
    fputs("</g>\n", page);
}

void report_score_charts_write_calibration(const report_score_series *s, int count,
                                           const char *x_name, const char *y_name,
                                           FILE *page)
{
    bool     any = false;
    svg_axis x, y;

    for (int k = 0; k < count; k++) {
        any = any || s[k].calibration != NULL;
    }
    if (!any) {
        return;
    }
    begin("Calibration", "Frequency against predicted probability", page);
    x = write_unit_axes(x_name, y_name, true, &y, page);
    for (int k = 0; k < count; k++) {
        if (s[k].calibration != NULL) {
            write_bins(&s[k], &x, &y, page);
        }
    }
    fputs("</svg>\n<figcaption>", page);
    for (int k = 0; k < count && count > 1; k++) {
        if (s[k].calibration != NULL) {
            report_svg_chart_write_key(s[k].number, "", s[k].name, page);
        }
    }
    report_svg_chart_write_key(-1, "guessed", "exact", page);
    fputs("<span>Larger dots have more rows.</span></figcaption>\n</figure>\n", page);
}

void report_score_charts_write(const report_score_series *series, int count, FILE *page)
{
    write_roc(series, count, page);
    write_recall(series, count, page);
}

static double highest_bin(const sdca_score_histogram *h)
{
    double highest = 0.0;

    for (int b = 0; b < SDCA_HISTOGRAM_BINS; b++) {
        highest = fmax(highest, fmax(h->positive[b], h->negative[b]));
    }
    return highest;
}

static void write_steps(const double *weight, const char *class, const svg_axis *x,
                        const svg_axis *y, const sdca_score_histogram *h, FILE *page)
{
    double width = (h->high - h->low) / SDCA_HISTOGRAM_BINS;

    fprintf(page, "<path class=\"area %s\" d=\"M%.1f %d", class,
            svg_axis_position(x, h->low), SVG_BOTTOM);
    for (int b = 0; b < SDCA_HISTOGRAM_BINS; b++) {
        fprintf(page, "V%.1fH%.1f", svg_axis_position(y, weight[b]),
                svg_axis_position(x, h->low + (b + 1) * width));
    }
    fprintf(page, "V%dZ\"/>\n", SVG_BOTTOM);
}

void report_score_charts_write_histogram(const sdca_score_histogram *histogram,
                                         const char *title, const char *negative,
                                         const char *positive, FILE *page)
{
    svg_axis x = svg_axis_horizontal(histogram->low, histogram->high);
    svg_axis y = svg_axis_vertical(0.0, highest_bin(histogram));

    begin(title, positive != NULL ? "Scores by class" : "Errors of the predictions",
          page);
    svg_axis_write_horizontal(
        &x, positive != NULL ? "score" : "prediction \xe2\x88\x92 label", page);
    svg_axis_write_vertical(&y, "rows", page);
    write_steps(histogram->negative, "c0", &x, &y, histogram, page);
    if (positive != NULL) {
        write_steps(histogram->positive, "c1", &x, &y, histogram, page);
    }
    fprintf(page, "<path class=\"guide\" d=\"M%.1f %dV%d\"/>\n</svg>\n<figcaption>",
            svg_axis_position(&x, 0.0), SVG_TOP, SVG_BOTTOM);
    if (positive != NULL) {
        fputs("<span class=\"key c0\"><i></i>label ", page);
        html_write_text(page, negative);
        fputs("</span>\n<span class=\"key c1\"><i></i>label ", page);
        html_write_text(page, positive);
        fputs("</span>\n", page);
    }
    fputs("<span>The outermost bars include all rows beyond.</span></figcaption>\n"
          "</figure>\n",
          page);
}

void report_score_charts_write_density(const report_test_results *results,
                                       const char *title, FILE *page)
{
    double   low = results->density_low, high = results->density_high, most = 0.0;
    double   across = (double)(SVG_RIGHT - SVG_LEFT) / REPORT_DENSITY_CELLS;
    double   up     = (double)(SVG_BOTTOM - SVG_TOP) / REPORT_DENSITY_CELLS;
    svg_axis x      = svg_axis_horizontal(low, high);
    svg_axis y      = x;

    y.from = SVG_BOTTOM;
    y.to   = SVG_TOP;
    begin(title, "Predictions against labels", page);
    svg_axis_write_horizontal(&x, "label", page);
    svg_axis_write_vertical(&y, "prediction", page);
    for (int i = 0; i < REPORT_DENSITY_CELLS; i++) {
        for (int j = 0; j < REPORT_DENSITY_CELLS; j++) {
            most = fmax(most, results->density[i][j]);
        }
    }
    for (int i = 0; i < REPORT_DENSITY_CELLS; i++) {
        for (int j = 0; j < REPORT_DENSITY_CELLS; j++) {
            if (results->density[i][j] > 0.0) {
                fprintf(page,
                        "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\" opacity=\"%.2f\"/>\n",
                        SVG_LEFT + i * across, SVG_BOTTOM - (j + 1) * up, across - 0.5,
                        up - 0.5, 0.12 + 0.88 * sqrt(results->density[i][j] / most));
            }
        }
    }
    fprintf(page, "<path class=\"guide\" d=\"M%d %dL%d %d\"/>\n</svg>\n<figcaption>",
            SVG_LEFT, SVG_BOTTOM, SVG_RIGHT, SVG_TOP);
    report_svg_chart_write_key(-1, "guessed", "exact", page);
    fputs("<span>Stronger colour: more rows.</span></figcaption>\n</figure>\n", page);
}
