/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_figure.c - runs as one figure, drawn by gnuplot. */
#include "cli/report/gnuplot_figure.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/assets.h"
#include "cli/report/chart_contents.h"
#include "cli/report/gnuplot_headline.h"
#include "cli/report/gnuplot_legend.h"
#include "cli/report/gnuplot_process.h"
#include "cli/report/gnuplot_scores.h"

enum {
    PANELS          = 16,  /* every chart against epochs and against seconds */
    COLUMNS         = 2,   /* of panels */
    WIDTH           = 460, /* of a panel */
    HEIGHT          = 300,
    MARGIN          = 12, /* below a headline without names */
    MAX_BANDS       = 3,  /* more areas would hide each other */
    LABEL_OF_TARGET = 1
};

static const double min_span = 1e-100; /* of an axis that can be divided */

/* An output format: gnuplot's terminal, and the end of a complete figure. */
typedef struct figure_format {
    const char *format;
    const char *terminal;
    int         scale; /* pixels per unit of length */
    const char *style; /* or NULL */
    const char *end;   /* without newlines */
} figure_format;

static const figure_format figure_formats[] = {
    { "svg", "svg enhanced background \"white\" font \"sans-serif,13\"", 1, plot_dark_svg,
      "</svg>" },
    { "png",
      "pngcairo enhanced background \"white\" font \"sans-serif,11\" fontscale 2 "
      "linewidth 2 pointscale 2",
      2, NULL, "IEND\xae\x42\x60\x82" },
};

typedef struct panel {
    const report_chart *chart; /* or NULL: scores of test data */
    report_x_axis       x_axis;
    gnuplot_score_panel scores;
} panel;

/* What is drawn: runs, whose classes are the curves if there is one run of several. */
typedef struct figure {
    const report_run *run;
    int               count;
    const report_run *curve; /* the runs or classes */
    int               curves;
    panel             panel[PANELS];
    int               panels;
} figure;

static void add_scores(figure *f, gnuplot_score_panel which)
{
    if (gnuplot_scores_has(which, f->run, f->count)) {
        f->panel[f->panels++] = (panel){ NULL, REPORT_X_EPOCHS, which };
    }
}

static void add_chart(figure *f, const report_chart *chart, report_x_axis x_axis)
{
    if (report_chart_has_content(chart, x_axis, f->curve, f->curves)) {
        f->panel[f->panels++] = (panel){ chart, x_axis, GNUPLOT_ROC };
    }
}

/* Charts against epochs: the error on test data, or the others. */
static void add_charts(figure *f, bool of_test_set)
{
    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        if (!chart->is_per_round && chart->uses_test_set == of_test_set) {
            add_chart(f, chart, REPORT_X_EPOCHS);
        }
    }
}

static void add_gap_against_seconds(figure *f)
{
    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        if (chart->logarithmic) {
            add_chart(f, chart, REPORT_X_SECONDS);
        }
    }
}

/* Objective and gap, scores of test data, and errors. An odd number of panels would leave
 * a blank one, which the next best fills. */
static void choose_panels(figure *f)
{
    int charts = 0;

    add_charts(f, false);
    charts = f->panels;
    add_scores(f, GNUPLOT_ROC);
    add_scores(f, GNUPLOT_HISTOGRAM);
    if (f->panels == charts || f->panels % COLUMNS != 0) {
        add_charts(f, true);
    }
    if (f->panels % COLUMNS != 0) {
        add_scores(f, GNUPLOT_RECALL);
    }
    if (f->panels % COLUMNS != 0) {
        add_gap_against_seconds(f);
    }
}

/* The points of a curve as a data block; an empty line interrupts the curve. */
static void write_points(const panel *p, const report_run *run, int f, FILE *script)
{
    report_curve curve = report_chart_curve(p->chart, f, p->x_axis, run);
    double       x, y;

    for (int64_t k = 0; k < curve.series.count; k++) {
        if (report_curve_get_point(&curve, k, &x, &y)) {
            fprintf(script, "%.9g %.9g\n", x, y);
        } else {
            fputc('\n', script);
        }
    }
}

/* Primal and best dual of the records that have both. */
static void write_band(const panel *p, const report_run *run, FILE *script)
{
    report_curve high = report_chart_curve(p->chart, 0, p->x_axis, run);
    report_curve low  = report_chart_curve(p->chart, 1, p->x_axis, run);
    double       x, y, other;

    for (int64_t k = 0; k < high.series.count; k++) {
        if (report_curve_get_point(&high, k, &x, &y) &&
            report_curve_get_point(&low, k, &x, &other)) {
            fprintf(script, "%.9g %.9g %.9g\n", x, y, other);
        }
    }
}

static bool has_band(const panel *p, const report_run *run, int count)
{
    return p->chart->is_band && count <= MAX_BANDS &&
           report_chart_count_fields(p->chart, p->x_axis, run, 1) > 1;
}

static void write_data(const figure *f, int number, FILE *script)
{
    const panel      *p     = &f->panel[number];
    const report_run *run   = f->curve;
    int               count = f->curves;

    if (p->chart == NULL) {
        gnuplot_scores_write_data(p->scores, number, f->run, f->count, script);
        return;
    }
    for (int r = 0; r < count; r++) {
        if (has_band(p, &run[r], count)) {
            fprintf(script, "$b%d_%d << END\n", number, r);
            write_band(p, &run[r], script);
            fputs("END\n", script);
        }
        for (int k = 0; k < REPORT_CHART_FIELDS && p->chart->label[k] != NULL; k++) {
            fprintf(script, "$d%d_%d_%d << END\n", number, r, k);
            write_points(p, &run[r], k, script);
            fputs("END\n", script);
        }
    }
}

/* A logarithmic axis needs a value above 0. */
static bool is_logarithmic(const panel *p, const report_run *run, int count)
{
    report_point at = { 0 };

    while (p->chart->logarithmic &&
           report_chart_next_point(p->chart, p->x_axis, run, count, &at)) {
        if (at.y > 0.0) {
            return true;
        }
    }
    return false;
}

/* Few ticks in one format: gnuplot's own labels overlap if the numbers are small. */
static void write_x_axis(const panel *p, const report_run *run, int count, FILE *script)
{
    report_point at  = { 0 };
    double       low = 0.0, high = 0.0;
    char         format[16];

    while (report_chart_next_point(p->chart, p->x_axis, run, count, &at)) {
        low  = fmin(low, at.x);
        high = fmax(high, at.x);
    }
    fprintf(script, "set xlabel \"%s\" offset 0,0.6\n",
            report_chart_x_axis_name(p->x_axis));
    if (high - low > min_span) {
        double step = report_chart_tick_step(high - low);

        report_chart_tick_format(fmax(fabs(low), high), step, format);
        fprintf(script, "set xtics %.9g\nset format x \"%s\"\n", step, format);
    } else {
        fputs("set xtics autofreq\nset format x \"%h\"\n", script);
    }
}

/* What is drawn beside the curves: the areas between them, and the lines of targets. */
static void write_guides(const panel *p, int number, const report_run *run, int count,
                         FILE *script)
{
    for (int r = 0; r < count; r++) {
        double target = report_chart_target(p->chart, &run[r]);
        int    style  = 1 + r % REPORT_COLOURS;

        if (has_band(p, &run[r], count)) {
            fprintf(script,
                    ", \\\n     $b%d_%d with filledcurves linestyle %d fillstyle "
                    "transparent solid 0.12 noborder notitle",
                    number, r, style);
        }
        if (!isnan(target)) {
            fprintf(script,
                    ", \\\n     %.9g with lines linestyle %d linewidth 1 dashtype (2, 3) "
                    "%s notitle",
                    target, style, count == 1 ? "linecolor \"#666666\"" : "");
        }
    }
}

/* The title, which says what thin and dotted lines are; but the line of the target of one
 * gap has a name, as the curve is far above its left end. */
static void write_title(const panel *p, const report_run *run, int count, FILE *script)
{
    double target = report_chart_target(p->chart, &run[0]);

    fprintf(script, "set title \"{/:Bold %s}", p->chart->title);
    if (p->chart->label[1] != NULL) {
        fprintf(script, " (thin: %s%s)", p->chart->label[1],
                isnan(target) ? "" : ", dotted: target");
    } else if (count > 1 && !isnan(target)) {
        fputs(" (dotted: target)", script);
    }
    fputs("\"\n", script);
    if (count == 1 && !p->chart->is_band && !isnan(target)) {
        fprintf(script,
                "set label %d \"target\" at graph 0.03, first %.9g offset 0,0.5 font "
                "\",10\" textcolor \"#666666\"\n",
                LABEL_OF_TARGET, target);
    }
}

/* The second field of a run is thinner, in the same colour and dashes. */
static void write_panel(const figure *f, int number, FILE *script)
{
    const panel      *p         = &f->panel[number];
    const report_run *run       = f->curve;
    int               count     = f->curves;
    const char       *separator = "plot ";

    if (p->chart == NULL) {
        gnuplot_scores_write_panel(p->scores, number, f->run, f->count, script);
        return;
    }
    write_title(p, run, count, script);
    write_x_axis(p, run, count, script);
    fputs(is_logarithmic(p, run, count)
              ? "set logscale y 10\nset format y \"10^{%L}\"\nset mytics 1\n"
              : "unset logscale y\nset format y \"%g\"\n",
          script);
    for (int r = 0; r < count; r++) {
        for (int k = 0; k < REPORT_CHART_FIELDS && p->chart->label[k] != NULL; k++) {
            fprintf(script, "%s$d%d_%d_%d with %s linestyle %d%s notitle", separator,
                    number, r, k,
                    run[r].model.history.count > REPORT_MAX_DOTS ? "lines"
                                                                 : "linespoints",
                    1 + r % REPORT_COLOURS, k > 0 ? " linewidth 1" : "");
            separator = ", \\\n     ";
        }
    }
    write_guides(p, number, run, count, script);
    fprintf(script, "\nunset label %d\n", LABEL_OF_TARGET);
}

/* A headline names one run, and the curves of many classes cannot be told apart. */
static bool has_legend(const figure *f, int headline)
{
    return headline == 0 ||
           (f->curves > 1 && (f->count > 1 || f->curves <= REPORT_COLOURS));
}

/* All commands; the data come first, because they must be outside the multiplot. */
static void write_script(const figure *f, const figure_format *kind, FILE *script)
{
    int rows     = (f->panels + COLUMNS - 1) / COLUMNS;
    int headline = gnuplot_headline_height(f->run, f->count);
    int legend   = has_legend(f, headline)
                       ? gnuplot_legend_height(f->curve, f->curves, COLUMNS * WIDTH)
                       : 0;
    int top      = headline + (legend > 0 ? legend : MARGIN);
    int height   = rows * HEIGHT + top;

    fprintf(script, "set terminal %s size %d,%d\n%s", kind->terminal,
            kind->scale * COLUMNS * WIDTH, kind->scale * height, plot_look_gp);
    for (int k = 0; k < f->panels; k++) {
        write_data(f, k, script);
    }
    fprintf(script,
            "set multiplot layout %d,%d margins screen 0.075,0.965,%g,%g spacing screen "
            "0.085,%g\n",
            rows, COLUMNS, 56.0 / height, 1.0 - (top + 25.0) / height, 96.0 / height);
    for (int k = 0; k < f->panels; k++) {
        write_panel(f, k, script);
    }
    gnuplot_headline_write(f->run, f->count, height, script);
    gnuplot_legend_write(f->curve, legend > 0 ? f->curves : 0, COLUMNS * WIDTH, height,
                         headline, script);
    fputs("unset multiplot\n", script);
}

static const figure_format *find_figure_format(const char *format)
{
    return strcmp(format, figure_formats[0].format) == 0 ? &figure_formats[0]
                                                         : &figure_formats[1];
}

sdca_status report_gnuplot_figure_write(const report_run *run, int count,
                                        const char *format, const char *path)
{
    const figure_format *kind    = find_figure_format(format);
    bool                 classes = count == 1 && run[0].class_count > 0;
    figure               f       = { .run    = run,
                                     .count  = count,
                                     .curve  = classes ? run[0].classes : run,
                                     .curves = classes ? run[0].class_count : count };
    FILE                *script  = NULL;
    sdca_status          status  = SDCA_OK;

    choose_panels(&f);
    if (f.panels == 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no values to draw", run[0].path);
    }
    script = tmpfile();
    if (script == NULL) {
        return SDCA_FAIL(SDCA_IO, "cannot make a temporary file: %s", strerror(errno));
    }
    write_script(&f, kind, script);
    status = gnuplot_draw(script, kind->end, kind->style, path);
    fclose(script);
    return status;
}
