/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_legend.c - the names of the runs above the panels of a figure. */
#include "cli/report/gnuplot_legend.h"

#include <stdbool.h>
#include <string.h>

#include "cli/report/assets.h"
#include "cli/report/chart_contents.h"
#include "cli/report/html_escape.h"

enum {
    LEGEND          = 40, /* height for one line of names ... */
    LEGEND_LINE     = 20, /* ... and for each further line */
    CHARACTER_WIDTH = 8,  /* approximate */
    SAMPLE_WIDTH    = 80, /* of a line sample in the legend, with margins */
    MAX_LABEL       = 70  /* characters of a name that fit beside a sample */
};

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

void gnuplot_legend_write_text(const char *text, FILE *script)
{
    fputc('\'', script);
    write_text(text, text + strlen(text), script);
    fputc('\'', script);
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
         n.characters--) { /* space for "..." */
        size_t size = html_character_length(n.begin);

        n.begin += size > 0 ? size : 1;
    }
    return n;
}

void gnuplot_legend_write_name(const report_run *run, FILE *script)
{
    run_label n = make_run_label(run);

    fputs(n.is_truncated ? "'..." : "'", script);
    write_text(n.begin, n.end, script);
    fputc('\'', script);
}

/* The number of labels that fit side by side. */
static int labels_per_line(const report_run *run, int count, int width)
{
    int most = 1, fit;

    for (int r = 0; r < count; r++) {
        run_label n = make_run_label(&run[r]);

        most = n.characters > most ? n.characters : most;
    }
    fit = width / (most * CHARACTER_WIDTH + SAMPLE_WIDTH);
    return fit > 1 ? fit : 1;
}

int gnuplot_legend_height(const report_run *run, int count, int width)
{
    return LEGEND + (count - 1) / labels_per_line(run, count, width) * LEGEND_LINE;
}

void gnuplot_legend_write(const report_run *run, int count, int width, int height,
                          int top, FILE *script)
{
    fputs(plot_legend_gp, script);
    fprintf(script, "set key at screen 0.5, %g noenhanced maxcols %d\nplot NaN notitle",
            1.0 - (top + 4.0) / height, labels_per_line(run, count, width));
    for (int r = 0; r < count; r++) {
        fprintf(script, ", \\\n     keyentry with lines linestyle %d title ",
                1 + r % REPORT_COLOURS);
        gnuplot_legend_write_name(&run[r], script);
    }
    fputc('\n', script);
}
