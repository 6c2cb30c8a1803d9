/* SPDX-License-Identifier: BSD-3-Clause
 *
 * selection_section.c - how lambda was chosen, as a part of the page. */
#include "cli/report/selection_section.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli/report/html_escape.h"
#include "cli/report/svg_axis.h"
#include "cli/report/svg_chart.h"

/* Is something proven about the other lambda? The bound is one of the error. */
static bool has_band(const sdca_selection *s)
{
    bool any = false;

    for (int k = 0; k + 1 < s->fits && isfinite(s->error_bound); k++) {
        any = any || s->interval_bound[k] > 0.0;
    }
    return any && strcmp(s->metric, "error") == 0;
}

static double deviation(const sdca_selection *s, int k)
{
    return isfinite(s->standard_error[k]) ? s->standard_error[k] : 0.0;
}

/* Can the curve be drawn? */
static bool is_drawable(const sdca_selection *s)
{
    bool drawable = s->fits > 0;

    for (int k = 0; k < s->fits; k++) {
        drawable = drawable && s->lambda[k] > 0.0 && isfinite(s->lambda[k]) &&
                   isfinite(s->mean[k]) && fabs(s->mean[k]) < 1e100 &&
                   deviation(s, k) < 1e100;
        for (int f = 0; f < s->folds; f++) {
            double value = s->value[(size_t)k * (size_t)s->folds + (size_t)f];

            drawable = drawable && isfinite(value) && fabs(value) < 1e100;
        }
    }
    return drawable;
}

static svg_axis vertical_axis(const sdca_selection *s)
{
    double low = INFINITY, high = -INFINITY;

    for (int k = 0; k < s->fits; k++) {
        low  = fmin(low, s->mean[k] - deviation(s, k));
        high = fmax(high, s->mean[k] + deviation(s, k));
        for (int f = 0; f < s->folds; f++) {
            double value = s->value[(size_t)k * (size_t)s->folds + (size_t)f];

            low  = fmin(low, value);
            high = fmax(high, value);
        }
    }
    return svg_axis_vertical(has_band(s) ? 0.0 : low, high);
}

/* The area in which no lambda can be, in steps from each tested lambda to the next. */
static void write_band(const sdca_selection *s, const svg_axis *x, const svg_axis *y,
                       FILE *page)
{
    fprintf(page, "<path class=\"band\" d=\"M%.1f %d", svg_axis_position(x, s->lambda[0]),
            SVG_BOTTOM);
    for (int k = 0; k + 1 < s->fits; k++) {
        fprintf(page, "V%.1fH%.1f",
                svg_axis_position(y, fmin(y->high, fmax(0.0, s->interval_bound[k]))),
                svg_axis_position(x, s->lambda[k + 1]));
    }
    fprintf(page, "V%dZ\"/>\n", SVG_BOTTOM);
}

/* The folds as dots, and the standard error of their mean. */
static void write_folds(const sdca_selection *s, int k, const svg_axis *x,
                        const svg_axis *y, FILE *page)
{
    double across = svg_axis_position(x, s->lambda[k]);

    for (int f = 0; f < s->folds; f++) {
        double value = s->value[(size_t)k * (size_t)s->folds + (size_t)f];

        fprintf(page,
                "<circle class=\"fold\" cx=\"%.1f\" cy=\"%.1f\" r=\"1.8\"><title>fold "
                "%d: %.6g</title></circle>",
                across, svg_axis_position(y, value), f + 1, value);
    }
    fprintf(page, "<path class=\"spread\" d=\"M%.1f %.1fV%.1f\"/>", across,
            svg_axis_position(y, s->mean[k] - deviation(s, k)),
            svg_axis_position(y, s->mean[k] + deviation(s, k)));
}

static void write_curve(const sdca_selection *s, const svg_axis *x, const svg_axis *y,
                        FILE *page)
{
    double chosen = svg_axis_position(x, s->lambda[s->chosen]);

    fputs("<path class=\"line\" d=\"", page);
    for (int k = 0; k < s->fits; k++) {
        fprintf(page, "%s%.1f %.1f", k > 0 ? "L" : "M",
                svg_axis_position(x, s->lambda[k]), svg_axis_position(y, s->mean[k]));
    }
    fputs("\"/>\n", page);
    for (int k = 0; k < s->fits && s->folds > 1; k++) {
        write_folds(s, k, x, y, page);
    }
    fprintf(page, "\n<path class=\"target\" d=\"M%.1f %dV%d\"/>\n", chosen, SVG_TOP,
            SVG_BOTTOM);
    for (int k = 0; k < s->fits; k++) {
        fprintf(page,
                "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>lambda %g: "
                "%.6g</title></circle>",
                k == s->chosen ? " class=\"chosen\"" : "",
                svg_axis_position(x, s->lambda[k]), svg_axis_position(y, s->mean[k]),
                k == s->chosen ? "5" : "2.6", s->lambda[k], s->mean[k]);
    }
}

static void write_figure(const report_run *run, bool alone, FILE *page)
{
    const sdca_selection *s = &run->selection;
    svg_axis              x = svg_axis_logarithmic(s->lambda[s->fits - 1], s->lambda[0]);
    svg_axis              y = vertical_axis(s);

    x.from = SVG_LEFT;
    x.to   = SVG_RIGHT;

    fputs("<figure class=\"", page);
    report_svg_chart_write_classes(run->number, page);
    fputs("\">\n<h2>", page);
    html_write_text(page, s->metric);
    if (alone) {
        fputs(" on rows that were held out", page);
    } else {
        fputs(" on rows that were held out of ", page);
        html_write_text(page, run->path);
    }
    fprintf(page,
            "</h2>\n<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"The metric against lambda\">\n",
            SVG_WIDTH, SVG_HEIGHT);
    svg_axis_write_horizontal(&x, "lambda", page);
    svg_axis_write_vertical(&y, s->metric, page);
    if (has_band(s)) {
        write_band(s, &x, &y, page);
    }
    write_curve(s, &x, &y, page);
    fputs("</svg>\n<figcaption>", page);
    if (s->folds > 1) {
        fputs("<span>Dots: the folds. Line: their mean, with its standard "
              "error.</span>",
              page);
    }
    fputs("<span>Dotted: the chosen lambda.</span>", page);
    if (has_band(s)) {
        fputs("<span>Shaded: proven, no lambda has an error there.</span>", page);
    }
    fputs("</figcaption>\n</figure>\n", page);
}

static void write_table(const report_run *run, FILE *page)
{
    const sdca_selection *s     = &run->selection;
    bool                  folds = s->folds > 1, band = has_band(s);
    bool                  nonzeros = isfinite(s->nonzero_columns[0]);

    fprintf(page,
            "<div class=\"card r%d scroll\">\n<table>\n<thead><tr><th>lambda</th>"
            "<th>",
            run->number);
    html_write_text(page, s->metric);
    fprintf(page, "</th>%s<th>gap</th>%s%s<th></th></tr></thead>\n<tbody>\n",
            folds ? "<th>standard error</th>" : "",
            nonzeros ? "<th>non-zero columns</th>" : "", band ? "<th>proven</th>" : "");
    for (int k = 0; k < s->fits; k++) {
        fprintf(page, "<tr><th scope=\"row\">%.4g</th><td>%.6f</td>", s->lambda[k],
                s->mean[k]);
        if (folds) {
            fprintf(page, "<td>%.6f</td>", s->standard_error[k]);
        }
        fprintf(page, "<td>%.2e</td>", s->full_gap[k]);
        if (nonzeros) {
            fprintf(page, "<td>%.0f</td>", s->nonzero_columns[k]);
        }
        if (band && k + 1 < s->fits && s->interval_bound[k] >= 1e-5) {
            fprintf(page, "<td>\xe2\x89\xa5 %.5f</td>",
                    floor(s->interval_bound[k] * 1e5) / 1e5);
        } else if (band) {
            fputs("<td></td>", page);
        }
        fprintf(page, "<td>%s</td></tr>\n",
                k == s->chosen ? "chosen"
                : k == s->best ? "best"
                               : "");
    }
    fputs("</tbody>\n</table>\n", page);
    if (band && s->error_bound > 0.0) {
        fprintf(page,
                "<p class=\"note\">Proven, tested or not: no lambda between %g and %g "
                "has an error below %.5f; the table has this from each lambda to the "
                "next.</p>\n",
                s->lambda[s->fits - 1], s->lambda[0], floor(s->error_bound * 1e5) / 1e5);
    } else if (band) {
        fputs("<p class=\"note\">Proven, tested or not: no lambda from one line of the "
              "table to the next has an error below that number.</p>\n",
              page);
    }
    fputs("</div>\n", page);
}

void report_selection_section_write(const report_run *run, int count, FILE *page)
{
    bool any = false;

    for (int r = 0; r < count; r++) {
        if (!is_drawable(&run[r].selection)) {
            continue;
        }
        fputs(any ? "" : "<h2 class=\"part\">How lambda was chosen</h2>\n", page);
        any = true;
        fputs("<div class=\"cards choice\">\n", page);
        write_figure(&run[r], count == 1, page);
        write_table(&run[r], page);
        fputs("</div>\n", page);
    }
}
