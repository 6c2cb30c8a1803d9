/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live_progress.c - the progress of a command, as one line that is redrawn on the
 * terminal.
 */
#include "cli/ui/live_progress.h"

#include <math.h>
#include <sys/stat.h>

live_progress live_progress_open(bool is_enabled)
{
    return (live_progress){ .terminal = terminal_line_open(is_enabled) };
}

void live_progress_close(live_progress *l)
{
    terminal_line_close(&l->terminal);
}

static void draw_line(live_progress *l, progress_line line)
{
    terminal_line_draw(&l->terminal, line.text, line.coloured);
}

void live_progress_begin_rows(live_progress *l, const char *name)
{
    struct stat info;

    terminal_line_clear(&l->terminal);
    l->file_name  = name;
    l->start      = terminal_line_clock();
    l->file_bytes = name != NULL && stat(name, &info) == 0 ? (double)info.st_size : NAN;
}

void live_progress_update_rows(live_progress *l, double fraction, double bytes,
                               int64_t rows)
{
    if (terminal_line_is_redraw_due(&l->terminal)) {
        progress_rows work = { l->file_name, fraction, terminal_line_clock() - l->start,
                               bytes, rows };

        draw_line(l, progress_format_rows(&work, terminal_line_width(&l->terminal)));
    }
}

/* The other ranks read the rest of the file, and are assumed to be equally far. */
void live_progress_update_reader(void *context, int64_t rows, int64_t of)
{
    const live_progress *l        = context;
    double               fraction = (double)rows / (double)of;

    live_progress_update_rows(context, fraction, fraction * l->file_bytes, rows);
}

void live_progress_begin_training(live_progress *l, const sdca_train_options *training,
                                  bool is_distributed, const char *test_name)
{
    terminal_line_clear(&l->terminal);
    l->start          = terminal_line_clock();
    l->training       = training;
    l->is_distributed = is_distributed;
    l->test_name      = test_name;
    l->batch_start    = 0.0;
    live_progress_begin_class(l, 0, 0);
}

void live_progress_begin_fit(live_progress *l, int k, int fits, int fit_folds)
{
    double clock = terminal_line_clock();

    live_progress_begin_class(l, 0, 0);
    l->batch_start = 0.0;
    l->fit_seconds = l->fits > 0 ? clock - l->fit_start : 0.0;
    l->fit_start   = clock;
    l->fits        = fits;
    l->fit_index   = k;
    l->fit_folds   = fit_folds;
}

void live_progress_begin_folds(live_progress *l, int first, int last, int folds)
{
    live_progress_begin_class(l, 0, 0);
    l->batch_start = 0.0;
    l->folds       = folds;
    l->first_fold  = first;
    l->last_fold   = last;
}

void live_progress_begin_class(live_progress *l, int k, int classes)
{
    l->initial_gap = 0.0;
    l->last_record = (sdca_history_record){ .test_error = NAN };
    l->forecast    = (progress_forecast){ 0 };
    l->folds       = 0;
    l->classes     = classes;
    l->class_index = k;
}

void live_progress_add_evaluation(live_progress *l, const sdca_history_record *record)
{
    l->initial_gap = l->initial_gap > 0.0 ? l->initial_gap : record->gap;
    l->last_record = *record;
    l->batch_start = record->epoch > 0.0 ? l->batch_start : record->seconds;
    progress_forecast_add(&l->forecast, record->seconds - l->batch_start, record->gap);
}

/* Seconds until a budget is spent at the mean speed so far. */
static double seconds_until_spent(double budget, double spent, double seconds)
{
    return budget > 0.0 && spent > 0.0 ? fmax(0.0, seconds * (budget / spent - 1.0))
                                       : INFINITY;
}

/* Seconds until the last fit of a path is finished, with its folds. stage is what the
 * present models need. */
static double path_seconds_left(const live_progress *l, double stage)
{
    double within = terminal_line_clock() - l->fit_start, fit = l->fit_seconds;

    if (fit <= 0.0) { /* the first */
        fit = l->fit_folds > 0 ? INFINITY : within + stage;
    }
    fit = fmax(fit, within);
    return fit - within + fit * (l->fits - l->fit_index - 1);
}

double live_progress_seconds_left(live_progress *l, const sdca_progress *now)
{
    double target;
    double since  = now->seconds - l->batch_start;
    double epochs = seconds_until_spent((double)l->training->epochs, now->epoch, since);
    double rounds = seconds_until_spent((double)l->training->rounds, now->round, since);
    double clock =
        terminal_line_clock() - l->start; /* now->seconds may include an earlier run */
    double seconds = seconds_until_spent(l->training->seconds, clock, clock);

    progress_forecast_add(&l->forecast, since, now->gap);
    target = progress_forecast_seconds_left(&l->forecast, since, now->target_gap);
    target = fmin(target, fmin(epochs, rounds));
    return fmin(l->fits > 0 ? path_seconds_left(l, target) : target, seconds);
}

/* The share of the work that is done, if the present models have come this far: each fit
 * of a path counts the same, and half of it are its folds. */
static double run_fraction(const live_progress *l, double models)
{
    double fit = models;

    if (l->fits == 0) {
        return models;
    }
    if (l->folds > 0) {
        fit = 0.5 + 0.5 * (l->first_fold + models * (l->last_fold + 1 - l->first_fold)) /
                        l->folds;
    } else if (l->fit_folds > 0) {
        fit = 0.5 * models;
    }
    return (l->fit_index + fit) / l->fits;
}

void live_progress_update_round(live_progress *l, const sdca_progress *now)
{
    if (l->initial_gap <= 0.0) { /* a resumed run, which has no evaluation yet */
        l->initial_gap = l->last_record.gap = now->gap;
    }
    if (terminal_line_is_redraw_due(&l->terminal)) {
        double models    = progress_fraction(l->initial_gap, now->gap, now->target_gap);
        progress_run run = { .fraction   = run_fraction(l, models),
                             .gap        = l->folds > 0 ? now->gap : l->last_record.gap,
                             .epoch      = now->epoch,
                             .test_error = l->last_record.test_error,
                             .communication_fraction =
                                 l->is_distributed ? now->communication_fraction : NAN };

        run.test_name    = l->test_name;
        run.fits         = l->fits;
        run.fit_index    = l->fit_index;
        run.folds        = l->folds;
        run.first_fold   = l->first_fold;
        run.last_fold    = l->last_fold;
        run.classes      = l->classes;
        run.class_index  = l->class_index;
        run.seconds_left = live_progress_seconds_left(l, now);
        draw_line(l, progress_format_run(&run, terminal_line_width(&l->terminal)));
    }
}
