/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svg_axis.c - the axes of the page's charts: from values to coordinates, ticks and
 * grid. */
#include "cli/report/svg_axis.h"

#include <math.h>

#include "cli/report/chart_contents.h"

static const double min_span = 1e-100; /* of an axis that can be divided */

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

svg_axis svg_axis_horizontal(double low, double high)
{
    svg_axis a = { .low = low, .high = high, .from = SVG_LEFT, .to = SVG_RIGHT };

    a.high = a.high - a.low > min_span ? a.high : a.low + 1.0;
    a.step = report_chart_tick_step(a.high - a.low);
    return a;
}

svg_axis svg_axis_vertical(double low, double high)
{
    svg_axis a = { .low = low, .high = high, .from = SVG_BOTTOM, .to = SVG_TOP };

    widen(&a.low, &a.high);
    a.step = report_chart_tick_step(a.high - a.low);
    a.low  = floor(a.low / a.step) * a.step;
    a.high = ceil(a.high / a.step) * a.step;
    return a;
}

svg_axis svg_axis_logarithmic(double low, double high)
{
    svg_axis a      = { .logarithmic = true, .from = SVG_BOTTOM, .to = SVG_TOP };
    bool     any    = low <= high;
    double   lowest = any ? floor(log10(low)) : -1.0;

    a.high = fmax(any ? ceil(log10(high)) : 0.0, lowest + 1.0);
    a.step = ceil((a.high - lowest) / (REPORT_TICKS + 1));
    a.low  = a.high - a.step * ceil((a.high - lowest) / a.step);
    return a;
}

double svg_axis_position(const svg_axis *a, double value)
{
    double t = !a->logarithmic ? value : value > 0.0 ? log10(value) : a->low;

    return a->from + (a->to - a->from) * (t - a->low) / (a->high - a->low);
}

/* The number at a tick, with the decimals that the step needs. */
static void write_number(const svg_axis *a, double tick, FILE *page)
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

void svg_axis_write_horizontal(const svg_axis *a, const char *name, FILE *page)
{
    double first = ceil(a->low / a->step - 1e-9), last = floor(a->high / a->step + 1e-9);

    for (double k = first; k <= last; k++) {
        double tick = k == 0.0 ? 0.0 : k * a->step; /* not -0 */
        double x    = svg_axis_position(a, a->logarithmic ? pow(10.0, tick) : tick);

        fprintf(page, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>", x, SVG_TOP, SVG_BOTTOM);
        fprintf(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x,
                SVG_BOTTOM + 17);
        write_number(a, tick, page);
        fputs("</text>\n", page);
    }
    fprintf(page,
            "<text class=\"name\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
            SVG_RIGHT, SVG_BOTTOM + 35, name);
}

void svg_axis_write_vertical(const svg_axis *a, const char *name, FILE *page)
{
    double first = a->logarithmic ? a->low : ceil(a->low / a->step - 1e-9) * a->step;
    double last  = floor((a->high - first) / a->step + 1e-9);

    for (double k = 0.0; k <= last; k++) {
        double tick = first + k * a->step;
        double t    = (tick - a->low) / (a->high - a->low);
        double y    = a->from + (a->to - a->from) * t;

        /* A rounding error would be printed as -0. */
        tick = fabs(tick) < 1e-9 * a->step ? 0.0 : tick;
        fprintf(page, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>", SVG_LEFT, y, SVG_RIGHT);
        fprintf(page, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", SVG_LEFT - 6,
                y + 4.5);
        write_number(a, tick, page);
        fputs("</text>\n", page);
    }
    fprintf(page, "<text class=\"name\" x=\"4\" y=\"%d\">%s</text>\n", SVG_TOP - 16,
            name);
}
