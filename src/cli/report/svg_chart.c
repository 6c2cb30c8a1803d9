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

#include "cli/report/html.h"

enum {
    WIDTH      = 440,
    HEIGHT     = 270,
    LEFT       = 54, /* edges of the plot; labels are outside */
    RIGHT      = 430,
    TOP        = 10,
    BOTTOM     = 228,
    MAX_POINTS = 200 /* approximate limit of a curve */
};

static const double min_span = 1e-100; /* of an axis that can be divided */

/* Maps values to coordinates. low and high are exponents of ten on a logarithmic axis;
 * there is a tick at every multiple of step. */
typedef struct axis {
    bool   logarithmic;
    double low, high;
    double step;
    double from, to;
} axis;

/* The state of drawing. */
typedef struct drawing {
    const report_chart *chart;
    report_x_axis       x_axis;
    const report_run   *run;
    int                 count;
    int                 fields; /* with points */
    axis                x, y;
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

/* Widen a range that is too narrow to divide. */
static void widen(double *low, double *high)
{
    double size   = fmax(fabs(*low), fabs(*high));
    double margin = size > min_span ? 0.1 * size : 1.0;

    if (*high - *low <= 1e-6 * size || *high - *low < min_span) {
        *low -= margin;
        *high += margin;
    }
}

/* Epochs and seconds start at 0. */
static axis make_x_axis(const drawing *d)
{
    axis a = { .from = LEFT, .to = RIGHT };

    (void)find_range(d, false, false, &a.low, &a.high);
    a.low  = fmin(a.low, 0.0);
    a.high = a.high - a.low > min_span ? a.high : a.low + 1.0;
    a.step = report_chart_tick_step(a.high - a.low);
    return a;
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
static axis make_y_axis(const drawing *d, bool *has_nonpositive)
{
    axis a = { .logarithmic = is_logarithmic(d), .from = BOTTOM, .to = TOP };

    *has_nonpositive =
        find_range(d, true, a.logarithmic, &a.low, &a.high) || *has_nonpositive;
    if (a.logarithmic) {
        bool   any    = a.low <= a.high;
        double lowest = any ? floor(log10(a.low)) : -1.0;

        a.high = fmax(any ? ceil(log10(a.high)) : 0.0, lowest + 1.0);
        a.step = ceil((a.high - lowest) / (REPORT_TICKS + 1));
        a.low  = a.high - a.step * ceil((a.high - lowest) / a.step);
    } else {
        widen(&a.low, &a.high);
        a.step = report_chart_tick_step(a.high - a.low);
        a.low  = floor(a.low / a.step) * a.step;
        a.high = ceil(a.high / a.step) * a.step;
    }
    return a;
}

/* The coordinate of a value; values without a logarithm are at the bottom of a
 * logarithmic axis. */
static double axis_position(const axis *a, double value)
{
    double t = !a->logarithmic ? value : value > 0.0 ? log10(value) : a->low;

    return a->from + (a->to - a->from) * (t - a->low) / (a->high - a->low);
}

/* The number at a tick, with the decimals that the step needs. */
static void write_number(const axis *a, double tick, FILE *page)
{
    char format[16];

    if (a->logarithmic) {
        fprintf(page, "10<tspan class=\"power\" dy=\"-5\">%s%.0f</tspan>",
                tick < 0.0 ? "\xe2\x88\x92" : "", fabs(tick));
    } else {
        report_chart_tick_format(fmax(fabs(a->low), fabs(a->high)), a->step, format);
        fprintf(page, format, tick);
    }
}

static void write_x_axis(const axis *a, const char *name, FILE *page)
{
    double first = ceil(a->low / a->step), last = floor(a->high / a->step + 1e-9);

    for (double k = first; k <= last; k++) {
        double x = axis_position(a, k * a->step);

        fprintf(page, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, TOP, BOTTOM);
        fprintf(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
                BOTTOM + 17);
        write_number(a, k * a->step, page);
        fputs("</text>\n", page);
    }
    fprintf(page,
            "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
            RIGHT, BOTTOM + 35, name);
}

static void write_y_axis(const axis *a, FILE *page)
{
    double ticks = rint((a->high - a->low) / a->step);

    for (double k = 0.0; k <= ticks; k++) {
        double tick = a->low + k * a->step;
        double y    = a->from + (a->to - a->from) * k / ticks;

        /* A rounding error would be printed as -0. */
        tick = fabs(tick) < 1e-9 * a->step ? 0.0 : tick;
        fprintf(page, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, RIGHT);
        fprintf(page, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6,
                y + 4.5);
        write_number(a, tick, page);
        fputs("</text>\n", page);
    }
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
            fprintf(page, "%s%.1f %.1f", drawn ? "L" : "M", axis_position(&d->x, x),
                    axis_position(&d->y, y));
            drawn = true;
        }
    }
    fputs("\"/>\n", page);
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
            axis_position(&d->x, x), axis_position(&d->y, y));
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

/* A line sample and its label, in the colour of run r unless that is negative. */
static void write_key(int r, bool dashed, const char *words, FILE *page)
{
    fputs("<span class=\"key ", page);
    if (r >= 0) {
        report_svg_chart_write_classes(r, page);
    }
    fprintf(page,
            "\"><svg class=\"sample%s\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path "
            "class=\"line\" d=\"M1 4H23\"/></svg> ",
            dashed ? " dashed" : "");
    html_write_text(page, words);
    fputs("</span>\n", page);
}

/* The runs if there are several, and the fields if there are several. */
static void write_legend(const report_chart *chart, int fields, const report_run *run,
                         int count, bool has_nonpositive, FILE *page)
{
    fputs("<figcaption>", page);
    for (int r = 0; r < count && count > 1; r++) {
        write_key(run[r].number, is_dashed(fields, r, 0), run[r].path, page);
    }
    for (int f = 0; f < fields && fields > 1; f++) {
        write_key(count > 1 ? -1 : 0, f > 0, chart->label[f], page);
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
            name, WIDTH, HEIGHT, chart->title, name, chart->label[0],
            chart->label[1] != NULL ? chart->label[1] : "");
    write_x_axis(&d->x, name, page);
    write_y_axis(&d->y, page);
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
