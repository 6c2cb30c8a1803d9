/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.c - how far work has come, in one line: numbers in, words out. */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 6, FIELD_SIZE = PROGRESS_LEFT_SIZE };

/* A bar, with its brackets: still worth its place, and long enough. */
enum { SHORTEST = 8, LONGEST = 32 };

typedef struct fields {
    int  count;
    char text[MOST_FIELDS][FIELD_SIZE];
} fields;

static void draw_bar(double share, int length, progress_line *line)
{
    int room = length - 2;
    int done = (int)(fmin(1.0, fmax(0.0, share)) * room);

    line->text[0] = '[';
    memset(line->text + 1, '=', (size_t)done);
    memset(line->text + 1 + done, '.', (size_t)(room - done));
    line->text[length - 1] = ']';
    line->text[length]     = '\0';
    line->painted          = done + 1;
}

/* Characters that the first count fields take, each behind two blanks. */
static int length_of(const fields *f, int count)
{
    int length = 0;

    for (int k = 0; k < count; k++) {
        length += 2 + (int)strlen(f->text[k]);
    }
    return length;
}

/* The bar, unless share is NaN, and as many fields as fit. */
static progress_line put_together(double share, const fields *f, int width)
{
    progress_line line  = { .painted = 0 };
    int           bar   = isnan(share) ? 0 : SHORTEST;
    int           count = f->count;
    size_t        used;

    width = width < PROGRESS_SIZE - 1 ? width : PROGRESS_SIZE - 1;
    while (count > 0 && bar + length_of(f, count) > width) {
        count--;
    }
    if (bar > 0 && width >= SHORTEST) {
        bar = width - length_of(f, count);
        draw_bar(share, bar < LONGEST ? bar : LONGEST, &line);
    }
    for (int k = 0; k < count; k++) {
        used = strlen(line.text);
        snprintf(line.text + used, sizeof line.text - used, "%s%s", used > 0 ? "  " : "",
                 f->text[k]);
    }
    return line;
}

/* The next field, which is to be written to. */
static char *add(fields *f)
{
    return f->text[f->count++];
}

void progress_write_left(double seconds, char text[PROGRESS_LEFT_SIZE])
{
    int whole;

    if (!(seconds < 360000.0)) {
        snprintf(text, PROGRESS_LEFT_SIZE, "   ? left");
        return;
    }
    whole = (int)ceil(seconds);
    if (whole < 60) {
        snprintf(text, PROGRESS_LEFT_SIZE, "%2d s left", whole);
    } else if (whole < 3600) {
        snprintf(text, PROGRESS_LEFT_SIZE, "%d:%02d left", whole / 60, whole % 60);
    } else {
        snprintf(text, PROGRESS_LEFT_SIZE, "%d:%02d:%02d left", whole / 3600,
                 whole / 60 % 60, whole % 60);
    }
}

progress_line progress_of_run(const progress_run *run, int width)
{
    fields f = { .count = 0 };

    progress_write_left(run->left, add(&f));
    snprintf(add(&f), FIELD_SIZE, "gap %.1e", run->gap);
    snprintf(add(&f), FIELD_SIZE, "%.1f epochs", run->epoch);
    if (!isnan(run->test)) {
        snprintf(add(&f), FIELD_SIZE, "%s %.4g", run->test_name, run->test);
    }
    if (!isnan(run->exchange)) {
        snprintf(add(&f), FIELD_SIZE, "exchange %2.0f %%", 100.0 * run->exchange);
    }
    return put_together(run->share, &f, width);
}

progress_line progress_of_work(const progress_work *work, int width)
{
    fields f = { .count = 0 };

    if (!isnan(work->share)) {
        snprintf(add(&f), FIELD_SIZE, "%3.0f %%", floor(100.0 * work->share));
        progress_write_left(work->share > 0.0 ? work->seconds * (1.0 / work->share - 1.0)
                                              : INFINITY,
                            add(&f));
    }
    snprintf(add(&f), FIELD_SIZE, "%lld rows", (long long)work->rows);
    if (!isnan(work->bytes)) {
        snprintf(add(&f), FIELD_SIZE, "%.0f MB/s", 1e-6 * work->bytes / work->seconds);
    }
    snprintf(add(&f), FIELD_SIZE, "%s", work->name);
    return put_together(work->share, &f, width);
}

double progress_share(double first, double gap, double target)
{
    double share = log(first / gap) / log(first / target);

    return isfinite(share) ? fmin(1.0, fmax(0.0, share)) : gap <= target;
}

/* Of three points, the middle one is at more than half of the time behind us, the first
 * at more than a quarter: between first and last is the later part. */
void progress_note(progress_forecast *forecast, double seconds, double gap)
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

double progress_left(const progress_forecast *forecast, double seconds, double target)
{
    int    last = forecast->count - 1;
    double gone, fallen, to_fall;

    if (last < 1) {
        return INFINITY;
    }
    gone    = forecast->point[last].seconds - forecast->point[0].seconds;
    fallen  = forecast->point[0].ln_gap - forecast->point[last].ln_gap;
    to_fall = forecast->point[last].ln_gap - log(target);
    return fallen > 0.0 ? fmax(0.0, gone * to_fall / fallen -
                                        (seconds - forecast->point[last].seconds))
                        : INFINITY;
}
