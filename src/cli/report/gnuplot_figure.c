/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_figure.c - the curves of runs as one figure, drawn by gnuplot. */
#include "cli/report/gnuplot_figure.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/assets.h"
#include "cli/report/charts.h"
#include "cli/report/gnuplot.h"
#include "cli/report/html.h"

enum {
    PANELS          = 16,  /* every chart against epochs and against seconds */
    COLUMNS         = 2,   /* of panels */
    WIDTH           = 460, /* of a panel */
    HEIGHT          = 300,
    LEGEND          = 40, /* height above all panels, for one line of names ... */
    LEGEND_LINE     = 20, /* ... and for each further line */
    CHARACTER_WIDTH = 8,  /* approximate */
    SAMPLE_WIDTH    = 80, /* of a line sample in the legend, with margins */
    MAX_LABEL       = 70  /* characters of a name that fit beside a sample */
};

static const double min_span = 1e-100; /* of an axis that can be divided */

/* An output format: gnuplot's terminal, and the end of a complete figure. */
typedef struct figure_format {
    const char *format;
    const char *terminal;
    const char *end; /* without newlines */
} figure_format;

static const figure_format figure_formats[] = {
    { "svg", "svg enhanced background \"white\" font \"sans-serif,13\"", "</svg>" },
    { "png", "pngcairo enhanced background \"white\" font \"sans-serif,11\"",
      "IEND\xae\x42\x60\x82" },
};

typedef struct panel {
    const report_chart *chart;
    report_x_axis       x_axis;
} panel;

/* All charts against epochs, and the gap against seconds as well. */
static int choose_panels(const report_run *run, int count, panel *out)
{
    int found = 0;

    for (const report_chart *chart = report_charts; chart->title != NULL; chart++) {
        for (int a = 0; a < REPORT_X_AXES && !chart->is_per_round; a++) {
            if ((a == REPORT_X_EPOCHS || chart->logarithmic) &&
                report_chart_has_content(chart, (report_x_axis)a, run, count)) {
                out[found++] = (panel){ chart, (report_x_axis)a };
            }
        }
    }
    return found;
}

/* A text in gnuplot's single quotes, where only quotes and newlines are special. Invalid
 * characters become question marks. */
static void write_text(const char *text, const char *end, FILE *script)
{
    while (text < end) {
        size_t size = html_character_length(text);

        fputs(*text == '\'' ? "'" : "", script);
        if (size == 0 || *text == '\n' || *text == '\t') {
            fputc('?', script);
        } else {
            fwrite(text, 1, size, script);
        }
        text += size > 0 ? size : 1;
    }
}

/* The label of a run: the end of its path, without the suffix. */
typedef struct run_label {
    const char *begin, *end;
    int         characters;
    bool        is_truncated; /* at its start */
} run_label;

static run_label make_run_label(const report_run *run)
{
    run_label   n   = { .begin = run->path, .end = run->path + strlen(run->path) };
    const char *dot = strrchr(run->path, '.');

    if (dot != NULL && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".csv") == 0)) {
        n.end = dot;
    }
    for (const char *at = n.begin; at < n.end; n.characters++) {
        size_t size = html_character_length(at);

        at += size > 0 ? size : 1;
    }
    n.is_truncated = n.characters > MAX_LABEL;
    for (; n.characters > MAX_LABEL - 3 && n.is_truncated;
         n.characters--) { /* room for "..." */
        size_t size = html_character_length(n.begin);

        n.begin += size > 0 ? size : 1;
    }
    return n;
}

static void write_run_label(const report_run *run, FILE *script)
{
    run_label n = make_run_label(run);

    fputs(n.is_truncated ? "'..." : "'", script);
    write_text(n.begin, n.end, script);
    fputc('\'', script);
}

/* The number of labels that fit side by side. */
static int labels_per_line(const report_run *run, int count)
{
    int most = 1, fit;

    for (int r = 0; r < count; r++) {
        run_label n = make_run_label(&run[r]);

        most = n.characters > most ? n.characters : most;
    }
    fit = COLUMNS * WIDTH / (most * CHARACTER_WIDTH + SAMPLE_WIDTH);
    return fit > 1 ? fit : 1;
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

static void write_data(const panel *p, int number, const report_run *run, int count,
                       FILE *script)
{
    for (int r = 0; r < count; r++) {
        for (int f = 0; f < REPORT_CHART_FIELDS && p->chart->label[f] != NULL; f++) {
            fprintf(script, "$d%d_%d_%d << END\n", number, r, f);
            write_points(p, &run[r], f, script);
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

/* The second field of a run is thinner, in the same colour and dashes. */
static void write_panel(const panel *p, int number, const report_run *run, int count,
                        FILE *script)
{
    const char *separator = "plot ";

    fprintf(script, "set title \"%s", p->chart->title);
    if (p->chart->label[1] != NULL) {
        fprintf(script, " (thin: %s)", p->chart->label[1]);
    }
    fputs("\"\n", script);
    write_x_axis(p, run, count, script);
    fputs(is_logarithmic(p, run, count)
              ? "set logscale y 10\nset format y \"10^{%L}\"\nset mytics 1\n"
              : "unset logscale y\nset format y \"%h\"\n",
          script);
    for (int r = 0; r < count; r++) {
        for (int f = 0; f < REPORT_CHART_FIELDS && p->chart->label[f] != NULL; f++) {
            fprintf(script, "%s$d%d_%d_%d with %s linestyle %d%s notitle", separator,
                    number, r, f,
                    run[r].model.history.count > REPORT_MAX_DOTS ? "lines"
                                                                 : "linespoints",
                    1 + r % REPORT_COLOURS, f > 0 ? " linewidth 1" : "");
            separator = ", \\\n     ";
        }
    }
    fputc('\n', script);
}

static void write_legend(const report_run *run, int count, FILE *script)
{
    fprintf(script,
            "%sset key at screen 0.5, 0.99 noenhanced maxcols %d\nplot NaN notitle",
            plot_legend_gp, labels_per_line(run, count));
    for (int r = 0; r < count; r++) {
        fprintf(script, ", \\\n     keyentry with lines linestyle %d title ",
                1 + r % REPORT_COLOURS);
        write_run_label(&run[r], script);
    }
    fputc('\n', script);
}

/* All commands; the data come first, because they must be outside the multiplot. */
static void write_script(const report_run *run, int count, const panel *p, int panels,
                         const char *terminal, FILE *script)
{
    int rows          = (panels + COLUMNS - 1) / COLUMNS;
    int legend_height = LEGEND + (count - 1) / labels_per_line(run, count) * LEGEND_LINE;
    int height        = rows * HEIGHT + legend_height;

    fprintf(script, "set terminal %s size %d,%d\n%s", terminal, COLUMNS * WIDTH, height,
            plot_look_gp);
    for (int k = 0; k < panels; k++) {
        write_data(&p[k], k, run, count, script);
    }
    fprintf(script,
            "set multiplot layout %d,%d margins screen 0.075,0.965,%g,%g spacing screen "
            "0.085,%g\n",
            rows, COLUMNS, 56.0 / height, 1.0 - (legend_height + 25.0) / height,
            96.0 / height);
    for (int k = 0; k < panels; k++) {
        write_panel(&p[k], k, run, count, script);
    }
    write_legend(run, count, script);
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
    const figure_format *kind = find_figure_format(format);
    panel                p[PANELS];
    int                  panels = choose_panels(run, count, p);
    FILE                *script = NULL;
    sdca_status          status = SDCA_OK;

    if (panels == 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no values to draw", run[0].path);
    }
    script = tmpfile();
    if (script == NULL) {
        return SDCA_FAIL(SDCA_IO, "cannot make a temporary file: %s", strerror(errno));
    }
    write_script(run, count, p, panels, kind->terminal, script);
    status = gnuplot_draw(script, kind->end, path);
    fclose(script);
    return status;
}
