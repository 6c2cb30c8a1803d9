/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svg_chart.c - a chart as an SVG figure of the page.
 *
 * The drawing is scaled to the window, and the page's style keeps its text readable on
 * phones and large screens. Colours are CSS variables, which follow the light or dark
 * scheme. Every point has the id of the table row with its values, which the page's
 * script shows. */
#include "cli/report/svg_chart.h"

#include <inttypes.h>
#include <math.h>

#include "cli/report/html_escape.h"
#include "cli/report/svg_axis.h"

enum {
    MAX_POINTS = 200, /* approximate limit of a curve */
    MAX_BANDS  = 3    /* more areas would hide each other */
};

/* The state of drawing. */
typedef struct drawing {
    const report_chart *chart;
    report_x_axis       x_axis;
    const report_run   *run;
    int                 count;
    int                 fields; /* with points */
    svg_axis            x, y;
} drawing;

/* One of this many records has a point. */
static int64_t stride_of(const report_series *series)
{
    return (series->count + MAX_POINTS - 1) / MAX_POINTS;
}

bool report_svg_chart_shows_record(const report_series *series, int64_t k)
{
    return k % stride_of(series) == 0 || k == series->count - 1;
}

void report_svg_chart_write_classes(int r, FILE *page)
{
    fprintf(page, "r%d c%d", r, r % REPORT_COLOURS);
}

void report_svg_chart_write_row_id(const report_series *series, int r, int64_t k,
                                   FILE *page)
{
    fprintf(page, "r%d-%s-%" PRId64, r, series->columns->group, k);
}

/* The range of x, or of y; low > high if there are no values. On a logarithmic axis
 * values of 0 or less are left out; returns true if there are any. */
static bool find_range(const drawing *d, bool vertical, bool logarithmic, double *low,
                       double *high)
{
    report_point at              = { 0 };
    bool         has_nonpositive = false;

    *low  = HUGE_VAL;
    *high = -HUGE_VAL;
    while (report_chart_next_point(d->chart, d->x_axis, d->run, d->count, &at)) {
        double value = vertical ? at.y : at.x;

        if (logarithmic && !(value > 0.0)) {
            has_nonpositive = true;
        } else {
            *low  = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
    return has_nonpositive;
}

/* Epochs and seconds start at 0. */
static svg_axis make_x_axis(const drawing *d)
{
    double low, high;

    (void)find_range(d, false, false, &low, &high);
    return svg_axis_horizontal(fmin(low, 0.0), high);
}

/* Settings have a logarithmic axis if they span a large ratio. */
static bool is_logarithmic(const drawing *d)
{
    const double log_ratio = 50.0; /* high / low */
    double       low, high;

    (void)find_range(d, true, false, &low, &high);
    return d->chart->logarithmic ||
           (d->chart->is_per_round && low > 0.0 && high > log_ratio * low);
}

/* Sets *has_nonpositive if there are points that a logarithmic axis cannot show. */
static svg_axis make_y_axis(const drawing *d, bool *has_nonpositive)
{
    bool   logarithmic = is_logarithmic(d);
    double low, high;

    *has_nonpositive = find_range(d, true, logarithmic, &low, &high) || *has_nonpositive;
    for (int r = 0; r < d->count && low <= high; r++) {
        double target = report_chart_target(d->chart, &d->run[r]);

        low  = fmin(low, target); /* ignores NaN */
        high = fmax(high, target);
    }
    return logarithmic ? svg_axis_logarithmic(low, high) : svg_axis_vertical(low, high);
}

/* Of the records that share a point, starting with first: the smallest and the largest.
 */
static void find_extremes(const report_curve *curve, int64_t first, int64_t *least,
                          int64_t *greatest)
{
    int64_t end = first + stride_of(&curve->series);
    double  low = HUGE_VAL, high = -HUGE_VAL, x, y;

    for (int64_t k = first; k < end && k < curve->series.count; k++) {
        if (report_curve_get_point(curve, k, &x, &y)) {
            *least    = y < low ? k : *least;
            *greatest = y > high ? k : *greatest;
            low       = fmin(low, y);
            high      = fmax(high, y);
        }
    }
}

/* The line of a curve, interrupted at missing values. If a point stands for many records,
 * the line includes their extremes. */
static void write_line(const drawing *d, const report_curve *curve, FILE *page)
{
    int64_t least = 0, greatest = 0;
    bool    drawn = false;
    double  x, y;

    fputs("<path class=\"line\" d=\"", page);
    for (int64_t k = 0; k < curve->series.count; k++) {
        if (k % stride_of(&curve->series) == 0) {
            find_extremes(curve, k, &least, &greatest);
        }
        if (!report_curve_get_point(curve, k, &x, &y)) {
            drawn = false;
        } else if (k == least || k == greatest ||
                   report_svg_chart_shows_record(&curve->series, k)) {
            fprintf(page, "%s%.1f %.1f", drawn ? "L" : "M", svg_axis_position(&d->x, x),
                    svg_axis_position(&d->y, y));
            drawn = true;
        }
    }
    fputs("\"/>\n", page);
}

/* The area between the two fields of a run, where both have points. */
static void write_band(const drawing *d, int r, FILE *page)
{
    report_curve low  = report_chart_curve(d->chart, 1, d->x_axis, &d->run[r]);
    report_curve high = report_chart_curve(d->chart, 0, d->x_axis, &d->run[r]);
    const char  *step = "M";
    double       x, y, other;

    fputs("<path class=\"band ", page);
    report_svg_chart_write_classes(d->run[r].number, page);
    fputs("\" d=\"", page);
    for (int64_t k = 0; k < 2 * high.series.count; k++) { /* there and back */
        bool    back = k >= high.series.count;
        int64_t at   = back ? 2 * high.series.count - 1 - k : k;

        if (report_svg_chart_shows_record(&high.series, at) &&
            report_curve_get_point(&high, at, &x, &y) &&
            report_curve_get_point(&low, at, &x, &other)) {
            fprintf(page, "%s%.1f %.1f", step, svg_axis_position(&d->x, x),
                    svg_axis_position(&d->y, back ? other : y));
            step = "L";
        }
    }
    fputs("\"/>\n", page);
}

static void write_target(const drawing *d, int r, FILE *page)
{
    double target = report_chart_target(d->chart, &d->run[r]);

    if (isnan(target)) {
        return;
    }
    fputs("<path class=\"target ", page);
    if (d->count > 1) {
        report_svg_chart_write_classes(d->run[r].number, page);
    }
    fprintf(page, "\" d=\"M%d %.1fH%d\"/>\n", SVG_LEFT, svg_axis_position(&d->y, target),
            SVG_RIGHT);
}

/* A point, if record k has values; its title is shown without the script. */
static void write_dot(const drawing *d, int r, int f, const report_curve *curve,
                      int64_t k, FILE *page)
{
    double x, y;

    if (!report_curve_get_point(curve, k, &x, &y)) {
        return;
    }
    fprintf(page, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" data-row=\"",
            d->y.logarithmic && !(y > 0.0) ? " class=\"zero\"" : "",
            svg_axis_position(&d->x, x), svg_axis_position(&d->y, y));
    report_svg_chart_write_row_id(&curve->series, d->run[r].number, k, page);
    fputs("\"><title>", page);
    html_write_text(page, d->run[r].path);
    fprintf(page, ": %s %.6g, %s %.6g</title></circle>\n",
            report_chart_x_axis_name(d->x_axis), x, d->chart->label[f], y);
}

/* Colours distinguish the runs, dashes the fields; with one field, dashes distinguish the
 * runs beyond the palette. */
static bool is_dashed(int fields, int r, int f)
{
    return f > 0 || (fields == 1 && r >= REPORT_COLOURS);
}

static void write_curve(const drawing *d, int r, int f, FILE *page)
{
    report_curve curve = report_chart_curve(d->chart, f, d->x_axis, &d->run[r]);

    fprintf(page, "<g class=\"curve%s%s ", is_dashed(d->fields, r, f) ? " dashed" : "",
            curve.series.count > REPORT_MAX_DOTS ? " many" : "");
    report_svg_chart_write_classes(d->run[r].number, page);
    fputs("\" data-run=\"", page);
    html_write_text(page, d->run[r].path);
    fputs("\">\n", page);
    write_line(d, &curve, page);
    for (int64_t k = 0; k < curve.series.count; k++) {
        if (report_svg_chart_shows_record(&curve.series, k)) {
            write_dot(d, r, f, &curve, k, page);
        }
    }
    fputs("</g>\n", page);
}

void report_svg_chart_write_key(int r, const char *style, const char *words, FILE *page)
{
    fputs("<span class=\"key ", page);
    if (r >= 0) {
        report_svg_chart_write_classes(r, page);
    }
    fprintf(page,
            "\"><svg class=\"sample %s\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path "
            "class=\"line\" d=\"M1 4H23\"/></svg> ",
            style);
    html_write_text(page, words);
    fputs("</span>\n", page);
}

static bool has_points(const report_chart *chart, const report_run *run)
{
    report_point at = { 0 };

    return report_chart_next_point(chart, REPORT_X_EPOCHS, run, 1, &at);
}

/* The runs if there are several, and the fields if there are several. */
static void write_legend(const report_chart *chart, int fields, const report_run *run,
                         int count, bool has_nonpositive, FILE *page)
{
    fputs("<figcaption>", page);
    for (int r = 0; r < count && count > 1; r++) {
        if (has_points(chart, &run[r])) {
            report_svg_chart_write_key(run[r].number,
                                       is_dashed(fields, r, 0) ? "dashed" : "",
                                       run[r].path, page);
        }
    }
    for (int f = 0; f < fields && fields > 1; f++) {
        report_svg_chart_write_key(count > 1 ? -1 : 0, f > 0 ? "dashed" : "",
                                   chart->label[f], page);
    }
    for (int r = 0; r < count; r++) {
        if (!isnan(report_chart_target(chart, &run[r]))) {
            report_svg_chart_write_key(-1, "dotted", chart->target_label, page);
            break;
        }
    }
    if (has_nonpositive) {
        fputs("<span>Hollow points are 0 or less.</span>\n", page);
    }
    fputs("</figcaption>\n", page);
}

static void write_drawing(const drawing *d, FILE *page)
{
    const report_chart *chart = d->chart;
    const char         *name  = report_chart_x_axis_name(d->x_axis);

    fprintf(page,
            "<svg class=\"chart by-%s\" viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"%s against %s\" data-fields=\"%s,%s\">\n",
            name, SVG_WIDTH, SVG_HEIGHT, chart->title, name, chart->label[0],
            chart->label[1] != NULL ? chart->label[1] : "");
    svg_axis_write_horizontal(&d->x, name, page);
    svg_axis_write_vertical(&d->y, chart->y_name, page);
    for (int r = 0; r < d->count; r++) {
        if (d->chart->is_band && d->fields > 1 && d->count <= MAX_BANDS) {
            write_band(d, r, page);
        }
        write_target(d, r, page);
    }
    for (int r = 0; r < d->count; r++) {
        for (int f = 0; f < d->fields; f++) {
            write_curve(d, r, f, page);
        }
    }
    fputs("</svg>\n", page);
}

void report_svg_chart_write(const report_chart *chart, const report_run *run, int count,
                            FILE *page)
{
    bool has_nonpositive = false;
    int  fields          = report_chart_count_fields(chart, REPORT_X_EPOCHS, run, count);

    fprintf(page, "<figure>\n<h2>%s</h2>\n", chart->title);
    for (int x_axis = 0; x_axis < REPORT_X_AXES; x_axis++) {
        drawing d = { .chart  = chart,
                      .x_axis = (report_x_axis)x_axis,
                      .run    = run,
                      .count  = count,
                      .fields = fields };

        if (report_chart_has_content(chart, d.x_axis, run, count)) {
            d.x = make_x_axis(&d);
            d.y = make_y_axis(&d, &has_nonpositive);
            write_drawing(&d, page);
        }
    }
    write_legend(chart, fields, run, count, has_nonpositive, page);
    fputs("</figure>\n", page);
}
