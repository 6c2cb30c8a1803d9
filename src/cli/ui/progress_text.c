/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress_text.c - the progress of a run or of reading rows, formatted as one line. */
#include "cli/ui/progress_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FIELDS = 7, FIELD_SIZE = PROGRESS_TIME_SIZE };

/* The length of the bar with its brackets. */
enum { MIN_BAR = 8, MAX_BAR = 32 };

typedef struct field_list {
    int  count;
    char text[MAX_FIELDS][FIELD_SIZE];
} field_list;

static void draw_bar(double fraction, int length, progress_line *line)
{
    int cells = length - 2;
    int done  = (int)(fmin(1.0, fmax(0.0, fraction)) * cells);

    line->text[0] = '[';
    memset(line->text + 1, '=', (size_t)done);
    memset(line->text + 1 + done, '.', (size_t)(cells - done));
    line->text[length - 1] = ']';
    line->text[length]     = '\0';
    line->coloured         = done + 1;
}

/* The length of the first count fields, each after two blanks. */
static int fields_length(const field_list *f, int count)
{
    int length = 0;

    for (int k = 0; k < count; k++) {
        length += 2 + (int)strlen(f->text[k]);
    }
    return length;
}

/* The bar, unless fraction is NaN, and the fields that fit. */
static progress_line format_line(double fraction, const field_list *f, int width)
{
    progress_line line  = { .coloured = 0 };
    int           bar   = isnan(fraction) ? 0 : MIN_BAR;
    int           count = f->count;
    size_t        used;

    width = width < PROGRESS_LINE_SIZE - 1 ? width : PROGRESS_LINE_SIZE - 1;
    while (count > 0 && bar + fields_length(f, count) > width) {
        count--;
    }
    if (bar > 0 && width >= MIN_BAR) {
        bar = width - fields_length(f, count);
        draw_bar(fraction, bar < MAX_BAR ? bar : MAX_BAR, &line);
    }
    for (int k = 0; k < count; k++) {
        used = strlen(line.text);
        snprintf(line.text + used, sizeof line.text - used, "%s%s", used > 0 ? "  " : "",
                 f->text[k]);
    }
    return line;
}

/* The next free field. */
static char *next_field(field_list *f)
{
    return f->text[f->count++];
}

void progress_format_time_left(double seconds, char text[PROGRESS_TIME_SIZE])
{
    int total;

    if (!(seconds < 360000.0)) {
        snprintf(text, PROGRESS_TIME_SIZE, "   ? left");
        return;
    }
    total = (int)ceil(seconds);
    if (total < 60) {
        snprintf(text, PROGRESS_TIME_SIZE, "%2d s left", total);
    } else if (total < 3600) {
        snprintf(text, PROGRESS_TIME_SIZE, "%d:%02d left", total / 60, total % 60);
    } else {
        snprintf(text, PROGRESS_TIME_SIZE, "%d:%02d:%02d left", total / 3600,
                 total / 60 % 60, total % 60);
    }
}

progress_line progress_format_run(const progress_run *run, int width)
{
    field_list f = { .count = 0 };

    progress_format_time_left(run->seconds_left, next_field(&f));
    if (run->fits > 0) {
        snprintf(next_field(&f), FIELD_SIZE, "lambda %d/%d", run->fit_index + 1,
                 run->fits);
    }
    if (run->folds > 0 && run->last_fold > run->first_fold) {
        snprintf(next_field(&f), FIELD_SIZE, "folds %d-%d/%d", run->first_fold + 1,
                 run->last_fold + 1, run->folds);
    } else if (run->folds > 0) {
        snprintf(next_field(&f), FIELD_SIZE, "fold %d/%d", run->first_fold + 1,
                 run->folds);
    }
    if (run->classes > 0) {
        snprintf(next_field(&f), FIELD_SIZE, "class %d/%d", run->class_index + 1,
                 run->classes);
    }
    snprintf(next_field(&f), FIELD_SIZE, "gap %.1e", run->gap);
    snprintf(next_field(&f), FIELD_SIZE, "%.1f epochs", run->epoch);
    if (!isnan(run->test_error)) {
        snprintf(next_field(&f), FIELD_SIZE, "%s %.4g", run->test_name, run->test_error);
    }
    if (!isnan(run->communication_fraction)) {
        snprintf(next_field(&f), FIELD_SIZE, "MPI time %2.0f %%",
                 100.0 * run->communication_fraction);
    }
    return format_line(run->fraction, &f, width);
}

progress_line progress_format_rows(const progress_rows *work, int width)
{
    field_list f = { .count = 0 };

    if (!isnan(work->fraction)) {
        snprintf(next_field(&f), FIELD_SIZE, "%3.0f %%", floor(100.0 * work->fraction));
        progress_format_time_left(work->fraction > 0.0
                                      ? work->seconds * (1.0 / work->fraction - 1.0)
                                      : INFINITY,
                                  next_field(&f));
    }
    snprintf(next_field(&f), FIELD_SIZE, "%lld rows", (long long)work->rows);
    if (!isnan(work->bytes)) {
        snprintf(next_field(&f), FIELD_SIZE, "%.0f MB/s",
                 1e-6 * work->bytes / work->seconds);
    }
    snprintf(next_field(&f), FIELD_SIZE, "%s", work->name);
    return format_line(work->fraction, &f, width);
}

double progress_fraction(double first, double gap, double target)
{
    double fraction = log(first / gap) / log(first / target);

    return isfinite(fraction) ? fmin(1.0, fmax(0.0, fraction)) : gap <= target;
}

/* Of the three points, the middle one lies after half of the elapsed time and the first
 * one after a quarter, so that they span the later part of the run. */
void progress_forecast_add(progress_forecast *forecast, double seconds, double gap)
{
    int    last   = forecast->count - 1;
    double ln_gap = log(gap);

    if (last >= 0 && forecast->point[last].ln_gap == ln_gap) {
        return;
    }
    if (last < 2) {
        last = forecast->count++;
    } else if (seconds >= 2.0 * forecast->point[1].seconds) {
        forecast->point[0] = forecast->point[1];
        forecast->point[1] = forecast->point[2];
    }
    forecast->point[last].seconds = seconds;
    forecast->point[last].ln_gap  = ln_gap;
}

double progress_forecast_seconds_left(const progress_forecast *forecast, double seconds,
                                      double target)
{
    int    last = forecast->count - 1;
    double elapsed, decrease, remaining;

    if (last < 1) {
        return INFINITY;
    }
    elapsed   = forecast->point[last].seconds - forecast->point[0].seconds;
    decrease  = forecast->point[0].ln_gap - forecast->point[last].ln_gap;
    remaining = forecast->point[last].ln_gap - log(target);
    return decrease > 0.0 ? fmax(0.0, elapsed * remaining / decrease -
                                          (seconds - forecast->point[last].seconds))
                          : INFINITY;
}
