/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_chart.c - curves of histories as one figure of a page, in SVG.
 *
 * The drawing has units of its own, chosen so that its letters have a readable
 * size both on a telephone, where it shrinks, and on a screen, where it grows.
 * Colours are the page's, by number, so that they follow light and dark. */
#include "report_chart.h"

#include <math.h>

#include "html.h"

enum {
    WIDTH  = 420,
    HEIGHT = 270,
    LEFT   = 56, /* the plot is between these ... */
    RIGHT  = 408,
    TOP    = 10,
    BOTTOM = 228, /* ... and the labels around it */
    TICKS  = 5,   /* about so many on an axis */
    PLAIN  = 60   /* curves of at most so many points show them all */
};

static const double beyond = 1e100; /* no objective, and safe to calculate with */

/* From values to the drawing. low and high are powers of ten on a logarithmic
 * axis; a tick is at every multiple of step. */
typedef struct axis {
    bool   logarithmic;
    double low, high;
    double step;
    double from, to;
} axis;

static double value_of(const sdca_record *record, size_t field)
{
    return *(const double *)((const char *)record + field);
}

/* False also for what is not a number. */
static bool is_drawable(double value)
{
    return fabs(value) < beyond;
}

static bool has_point(const report_chart *chart, const report_curve *curve, int64_t k)
{
    const sdca_record *record = &curve->history->record[k];

    return is_drawable(value_of(record, chart->x)) &&
           is_drawable(value_of(record, curve->field));
}

bool report_chart_has_points(const report_chart *chart)
{
    for (int c = 0; c < chart->curves; c++) {
        for (int64_t k = 0; k < chart->curve[c].history->count; k++) {
            if (has_point(chart, &chart->curve[c], k)) {
                return true;
            }
        }
    }
    return false;
}

bool report_chart_shows(const sdca_history *history, int64_t k)
{
    int64_t stride = (history->count + REPORT_CHART_DOTS - 1) / REPORT_CHART_DOTS;

    return k % stride == 0 || k == history->count - 1;
}

/* The range of what is drawn: of x, or of y, where a logarithmic axis leaves
 * out what is not above 0. low > high if there is nothing. */
static void find_range(const report_chart *chart, bool vertical, double *low,
                       double *high)
{
    *low  = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int c = 0; c < chart->curves; c++) {
        const report_curve *curve = &chart->curve[c];

        for (int64_t k = 0; k < curve->history->count; k++) {
            double value =
                value_of(&curve->history->record[k], vertical ? curve->field : chart->x);

            if (has_point(chart, curve, k) &&
                (!vertical || !chart->logarithmic || value > 0.0)) {
                *low  = fmin(*low, value);
                *high = fmax(*high, value);
            }
        }
    }
}

/* 1, 2 or 5 times a power of ten, whichever is nearest in ratio to a TICKS-th of
 * the span. */
static double round_step(double span)
{
    double rough = span / TICKS;
    double power = pow(10.0, floor(log10(rough)));
    double share = rough * rough / (power * power);

    return power * (share < 2.0 ? 1.0 : share < 10.0 ? 2.0 : share < 50.0 ? 5.0 : 10.0);
}

/* Give a range of hardly any width one that can be divided. */
static void widen(double *low, double *high)
{
    double size = fmax(fabs(*low), fabs(*high));
    double room = size > 1.0 / beyond ? 0.1 * size : 1.0;

    if (*high - *low <= 1e-6 * size || *high - *low < 1.0 / beyond) {
        *low -= room;
        *high += room;
    }
}

/* Epochs and seconds count from 0. */
static axis make_x_axis(const report_chart *chart)
{
    axis a = { .from = LEFT, .to = RIGHT };

    find_range(chart, false, &a.low, &a.high);
    a.low  = fmin(a.low, 0.0);
    a.high = a.high - a.low > 1.0 / beyond ? a.high : a.low + 1.0;
    a.step = round_step(a.high - a.low);
    return a;
}

static axis make_y_axis(const report_chart *chart)
{
    axis a = { .logarithmic = chart->logarithmic, .from = BOTTOM, .to = TOP };

    find_range(chart, true, &a.low, &a.high);
    if (a.logarithmic) {
        bool   any    = a.low <= a.high;
        double lowest = any ? floor(log10(a.low)) : -1.0;

        a.high = fmax(any ? ceil(log10(a.high)) : 0.0, lowest + 1.0);
        a.step = ceil((a.high - lowest) / (TICKS + 1));
        a.low  = a.high - a.step * ceil((a.high - lowest) / a.step);
    } else {
        widen(&a.low, &a.high);
        a.step = round_step(a.high - a.low);
        a.low  = floor(a.low / a.step) * a.step;
        a.high = ceil(a.high / a.step) * a.step;
    }
    return a;
}

/* Where a value is in the drawing; on a logarithmic axis at the foot if it has
 * no logarithm. */
static double place(const axis *a, double value)
{
    double t = !a->logarithmic ? value : value > 0.0 ? log10(value) : a->low;

    return a->from + (a->to - a->from) * (t - a->low) / (a->high - a->low);
}

/* The number at a tick, with as many places as its neighbours need. */
static void write_number(const axis *a, double tick, FILE *page)
{
    double size   = fmax(fabs(a->low), fabs(a->high));
    double places = -floor(log10(a->step) + 1e-9);

    if (a->logarithmic) {
        fprintf(page, "10<tspan class=\"power\" dy=\"-5\">%s%.0f</tspan>",
                tick < 0.0 ? "\xe2\x88\x92" : "", fabs(tick));
    } else if (size < 1e6 && places <= 5.0) {
        fprintf(page, "%.*f", places > 0.0 ? (int)places : 0, tick);
    } else {
        fprintf(page, "%.*g", (int)fmax(1.0, floor(log10(size)) + places + 1.0), tick);
    }
}

static void write_x_axis(const axis *a, const char *name, FILE *page)
{
    double first = ceil(a->low / a->step), last = floor(a->high / a->step + 1e-9);

    for (double k = first; k <= last; k++) {
        double x = place(a, k * a->step);

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

        /* What rounding has left of 0 would show as -0. */
        tick = fabs(tick) < 1e-9 * a->step ? 0.0 : tick;
        fprintf(page, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", LEFT, y, RIGHT);
        fprintf(page, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 6,
                y + 4.5);
        write_number(a, tick, page);
        fputs("</text>\n", page);
    }
}

/* The line of a curve, broken where a value is missing. */
static void write_line(const report_chart *chart, const report_curve *curve,
                       const axis *x, const axis *y, FILE *page)
{
    bool drawing = false;

    fprintf(page, "<path class=\"line%s\" d=\"", curve->dashed ? " dashed" : "");
    for (int64_t k = 0; k < curve->history->count; k++) {
        const sdca_record *record = &curve->history->record[k];
        bool               here   = has_point(chart, curve, k);

        if (here) {
            fprintf(page, "%s%.1f %.1f", drawing ? "L" : "M",
                    place(x, value_of(record, chart->x)),
                    place(y, value_of(record, curve->field)));
        }
        drawing = here;
    }
    fputs("\"/>\n", page);
}

static void write_dot(const report_chart *chart, const report_curve *curve, int64_t k,
                      const axis *x, const axis *y, FILE *page)
{
    const sdca_record *record = &curve->history->record[k];
    double             across = value_of(record, chart->x);
    double             value  = value_of(record, curve->field);

    fprintf(page, "<circle%s cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"><title>",
            y->logarithmic && !(value > 0.0) ? " class=\"zero\"" : "", place(x, across),
            place(y, value));
    html_write_text(page, curve->name);
    fprintf(page, ": %s %.6g, %s %.6g</title></circle>\n", chart->across, across,
            curve->value, value);
}

static void write_curve(const report_chart *chart, const report_curve *curve,
                        const axis *x, const axis *y, FILE *page)
{
    int64_t count = curve->history->count;

    fprintf(page, "<g class=\"c%d%s\">\n", curve->colour, count > PLAIN ? " many" : "");
    write_line(chart, curve, x, y, page);
    for (int64_t k = 0; k < count; k++) {
        if (report_chart_shows(curve->history, k) && has_point(chart, curve, k)) {
            write_dot(chart, curve, k, x, y, page);
        }
    }
    fputs("</g>\n", page);
}

/* Is there a point at the foot of the axis, where it does not belong? */
static bool has_zero(const report_chart *chart)
{
    for (int c = 0; chart->logarithmic && c < chart->curves; c++) {
        const report_curve *curve = &chart->curve[c];

        for (int64_t k = 0; k < curve->history->count; k++) {
            if (has_point(chart, curve, k) &&
                !(value_of(&curve->history->record[k], curve->field) > 0.0)) {
                return true;
            }
        }
    }
    return false;
}

static void write_key(const report_chart *chart, const report_curve *curve, FILE *page)
{
    fprintf(page,
            "<span class=\"key\"><svg class=\"c%d\" viewBox=\"0 0 24 8\" width=\"24\" "
            "height=\"8\" aria-hidden=\"true\"><path class=\"line%s\" d=\"M1 "
            "4H23\"/></svg> ",
            curve->colour, curve->dashed ? " dashed" : "");
    html_write_text(page, chart->runs ? curve->name : "");
    fprintf(page, "%s%s</span>\n", chart->runs && chart->values ? ", " : "",
            chart->values ? curve->value : "");
}

static void write_legend(const report_chart *chart, FILE *page)
{
    fputs("<figcaption>\n", page);
    for (int c = 0; (chart->runs || chart->values) && c < chart->curves; c++) {
        write_key(chart, &chart->curve[c], page);
    }
    if (has_zero(chart)) {
        fputs("<span>Hollow points are 0 or less.</span>\n", page);
    }
    fputs("</figcaption>\n", page);
}

void report_chart_write(const report_chart *chart, FILE *page)
{
    axis x = make_x_axis(chart);
    axis y = make_y_axis(chart);

    fprintf(page,
            "<figure>\n<h2>%s</h2>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
            "aria-label=\"%s\">\n",
            chart->title, WIDTH, HEIGHT, chart->title);
    write_x_axis(&x, chart->across, page);
    write_y_axis(&y, page);
    for (int c = 0; c < chart->curves; c++) {
        write_curve(chart, &chart->curve[c], &x, &y, page);
    }
    fputs("</svg>\n", page);
    write_legend(chart, page);
    fputs("</figure>\n", page);
}
