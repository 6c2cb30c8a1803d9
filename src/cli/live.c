/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live.c - what goes on, drawn while it goes on: one line at the terminal. */
#include "live.h"

#include <math.h>
#include <sys/stat.h>

live live_open(bool wanted)
{
    return (live){ .screen = terminal_open(wanted) };
}

void live_close(live *l)
{
    terminal_close(&l->screen);
}

static void draw(live *l, progress_line line)
{
    terminal_draw(&l->screen, line.text, line.painted);
}

void live_begin_rows(live *l, const char *name)
{
    struct stat facts;

    terminal_clear(&l->screen);
    l->name  = name;
    l->began = terminal_clock();
    l->size  = name != NULL && stat(name, &facts) == 0 ? (double)facts.st_size : NAN;
}

void live_rows(live *l, double share, double bytes, int64_t rows)
{
    if (terminal_is_due(&l->screen)) {
        progress_work work = { l->name, share, terminal_clock() - l->began, bytes, rows };

        draw(l, progress_of_work(&work, terminal_width(&l->screen)));
    }
}

/* The other ranks are at work on the rest of the file, and have come as far. */
void live_read(void *context, int64_t rows, int64_t of)
{
    const live *l     = context;
    double      share = (double)rows / (double)of;

    live_rows(context, share, share * l->size, rows);
}

void live_begin_run(live *l, const sdca_train_options *plan, bool exchanges,
                    const char *test_name)
{
    terminal_clear(&l->screen);
    l->began     = terminal_clock();
    l->plan      = plan;
    l->exchanges = exchanges;
    l->test_name = test_name;
    l->first     = 0.0;
    l->last      = (sdca_history_record){ .test_error = NAN };
    l->forecast  = (progress_forecast){ 0 };
}

void live_evaluated(live *l, const sdca_history_record *record)
{
    l->first = l->first > 0.0 ? l->first : record->gap;
    l->last  = *record;
    progress_note(&l->forecast, record->seconds, record->gap);
}

/* Seconds until a budget that counts is spent, if it goes on as it has gone so far. */
static double until(double budget, double spent, double seconds)
{
    return budget > 0.0 && spent > 0.0 ? fmax(0.0, seconds * (budget / spent - 1.0))
                                       : INFINITY;
}

double live_left(live *l, const sdca_progress *now)
{
    double target;
    double epochs = until((double)l->plan->epochs, now->epoch, now->seconds);
    double rounds = until((double)l->plan->rounds, now->round, now->seconds);
    double clock  = terminal_clock() - l->began; /* a run may go on from an earlier one */
    double seconds = until(l->plan->seconds, clock, clock);

    progress_note(&l->forecast, now->seconds, now->gap);
    target = progress_left(&l->forecast, now->seconds, now->target_gap);
    return fmin(fmin(target, epochs), fmin(rounds, seconds));
}

void live_round(live *l, const sdca_progress *now)
{
    if (l->first <= 0.0) { /* nothing is evaluated yet where an earlier run goes on */
        l->first = l->last.gap = now->gap;
    }
    if (terminal_is_due(&l->screen)) {
        progress_run run = { .share = progress_share(l->first, now->gap, now->target_gap),
                             .gap   = l->last.gap,
                             .epoch = now->epoch,
                             .test  = l->last.test_error,
                             .exchange =
                                 l->exchanges ? now->communication_fraction : NAN };

        run.test_name = l->test_name;
        run.left      = live_left(l, now);
        draw(l, progress_of_run(&run, terminal_width(&l->screen)));
    }
}
