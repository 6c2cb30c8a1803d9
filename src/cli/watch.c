/* SPDX-License-Identifier: BSD-3-Clause
 *
 * watch.c - what train shows and writes while a run goes on. */
#include "watch.h"

#include <math.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/metric.h"
#include "sdca/output.h"

double watch_test_error(void *context, const double *w)
{
    const watch        *me   = context;
    const sdca_dataset *data = me->story->data;

    return sdca_metrics_measure(me->comm, me->test, me->story->labels, w,
                                sdca_dataset_intercept(data, w))
        .error;
}

/* A warning takes the place of the line at the terminal. */
static void clear_line(const watch *me)
{
    if (me->drawn) {
        terminal_clear(&me->live->screen);
    }
}

/* A checkpoint that could not be written does not end a run: the next may be. */
void watch_saved(void *context, sdca_status status, double seconds)
{
    watch *me = context;

    if (status != SDCA_OK) {
        memcpy(me->unsaved, sdca_status_message(), sizeof me->unsaved);
        clear_line(me);
    }
    if (sdca_comm_rank(me->comm) == 0) {
        narrate_saved(me->story, status, seconds);
    }
}

/* What could not be written while the run goes on is told once: it may be at the end. */
static void warn(const watch *me, sdca_status status, bool *warned)
{
    if (status != SDCA_OK && !*warned) {
        clear_line(me);
        terminal_say(&me->live->screen, "Warning", sdca_status_message());
        *warned = true;
    }
}

/* As long as the run goes on, the history is written at most every two seconds, and so
 * that it takes at most about 1 % of the time; the whole one comes at the end. Standard
 * output gets that alone. */
static const double least = 2.0;

static void write_history(watch *me, double clock)
{
    const double times = 100.0;
    const char  *path  = me->story->options->history;
    double       after;

    if (path == NULL || sdca_atomic_file_is_stdout(path) ||
        me->written == me->history->count || clock < me->write_next) {
        return;
    }
    warn(me, sdca_history_write_csv(me->history, path), &me->unwritten);
    after          = terminal_clock();
    me->written    = me->history->count;
    me->write_next = after + fmax(least, times * (after - clock));
}

static void add_progress(watch *me, const progress_entry *entry)
{
    if (me->progress.path != NULL) {
        warn(me, progress_file_add(&me->progress, entry), &me->unnoted);
        me->noted = terminal_clock();
    }
}

/* Every dual is a bound on the least P, so the greatest so far is: an alpha that is worse
 * hides nothing. The gap is the one that this dual proves. */
static sdca_history_record with_best_dual(watch *me, const sdca_history_record *record)
{
    sdca_history_record shown = *record;

    for (; me->counted < me->history->count; me->counted++) {
        me->best_dual = fmax(me->best_dual, me->history->records[me->counted].dual);
    }
    if (record->dual < me->best_dual) {
        shown.dual = me->best_dual;
        shown.gap  = record->primal - me->best_dual;
    }
    return shown;
}

static double relative(double gap, double primal)
{
    return primal > 0.0 ? gap / primal : 0.0;
}

static void tell_evaluation(void *context, const sdca_history_record *record)
{
    watch                    *me    = context;
    const sdca_train_options *plan  = &me->story->options->plan;
    sdca_history_record       shown = with_best_dual(me, record);
    sdca_progress             now   = { .round      = shown.round,
                                        .epoch      = shown.epoch,
                                        .seconds    = shown.seconds,
                                        .gap        = shown.gap,
                                        .target_gap = plan->gap > 0.0 ? plan->gap
                                                                      : plan->rel_gap * shown.primal };

    live_evaluated(me->live, &shown);
    if (me->told && !me->drawn) {
        narrate_round(me->story, &shown);
        me->spoken = terminal_clock();
    }
    add_progress(me, &(progress_entry){ .event   = "evaluation",
                                        .status  = "running",
                                        .round   = shown.round,
                                        .epoch   = shown.epoch,
                                        .seconds = shown.seconds,
                                        .primal  = shown.primal,
                                        .dual    = shown.dual,
                                        .gap     = shown.gap,
                                        .rel_gap = relative(shown.gap, shown.primal),
                                        .estimated_gap = NAN,
                                        .target        = now.target_gap,
                                        .test_error    = shown.test_error,
                                        .seconds_left  = live_left(me->live, &now) });
    write_history(me, terminal_clock());
}

static void tell_moment(void *context, const sdca_progress *now)
{
    watch *me    = context;
    double clock = terminal_clock();
    double every = me->story->options->log_every;

    if (me->drawn) {
        live_round(me->live, now);
    } else if (me->told && clock - me->spoken >= every) {
        narrate_moment(now, live_left(me->live, now));
        me->spoken = clock;
    }
    if (me->progress.path != NULL && clock - me->noted >= every) {
        add_progress(
            me, &(progress_entry){ .event         = "round",
                                   .status        = "running",
                                   .round         = now->round,
                                   .epoch         = now->epoch,
                                   .seconds       = now->seconds,
                                   .primal        = NAN,
                                   .dual          = NAN,
                                   .gap           = NAN,
                                   .rel_gap       = NAN,
                                   .estimated_gap = now->gap_is_estimate ? now->gap : NAN,
                                   .target        = now->target_gap,
                                   .test_error    = NAN,
                                   .seconds_left  = live_left(me->live, now) });
    }
    write_history(me, clock);
}

/* Settings and advice come first. */
static void tell_settings(const watch *me, const advice_facts *facts)
{
    const story    *s      = me->story;
    const terminal *screen = &me->live->screen;
    advice          a      = advice_give(facts, s->problem, &s->options->plan);

    narrate_settings(s);
    if (s->options->verbose && facts->counted && facts->empty_columns > 0) {
        narrate_empty(facts->empty_columns, facts->columns);
    }
    for (int k = 0; k < a.count; k++) {
        terminal_say(screen, "Warning", a.text[k]);
    }
    if (me->unknown[0] != '\0') {
        terminal_say(screen, "Warning", me->unknown);
    }
    if (!me->drawn) {
        narrate_heading(s);
    }
}

sdca_status watch_begin(watch *me, const advice_facts *facts,
                        sdca_train_callbacks *callbacks)
{
    const story         *s       = me->story;
    const train_options *options = s->options;
    sdca_status          status  = SDCA_OK;

    if (options->progress != NULL) {
        SDCA_TRY(progress_file_open(options->progress, &me->progress));
    }
    me->told  = !options->quiet;
    me->drawn = me->live->screen.seen && !options->verbose;
    live_begin_run(me->live, &options->plan, s->working > 1,
                   s->labels->count > 0 ? "error" : "RMSE");
    if (me->told) {
        tell_settings(me, facts);
    }
    me->best_dual = -INFINITY;
    me->spoken = me->noted = terminal_clock();
    me->write_next         = me->spoken + least;
    if (me->told || options->progress != NULL || options->history != NULL) {
        callbacks->on_evaluation = tell_evaluation;
        callbacks->on_progress   = tell_moment;
    }

done:
    return status;
}

void watch_end(watch *me, const sdca_train_result *result, sdca_status outcome)
{
    const sdca_certificate *kept = &result->certificate;
    const sdca_history     *past = &result->history;
    sdca_history_record     last = { .round = NAN, .epoch = NAN };
    bool                    whole =
        outcome == SDCA_OK || outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED;
    char why[SDCA_MESSAGE_SIZE];

    memcpy(why, sdca_status_message(), sizeof why); /* of a run that failed: it stays */

    if (past->count > 0) {
        last = past->records[past->count - 1];
    }
    add_progress(me, &(progress_entry){
                         .event         = "end",
                         .status        = narrate_status(outcome),
                         .round         = last.round,
                         .epoch         = last.epoch,
                         .seconds       = whole ? result->times.total : NAN,
                         .primal        = whole ? kept->primal : NAN,
                         .dual          = whole ? kept->dual : NAN,
                         .gap           = whole ? kept->gap : NAN,
                         .rel_gap       = whole ? sdca_duality_gap_relative(kept) : NAN,
                         .estimated_gap = NAN,
                         .target        = NAN,
                         .test_error    = whole ? result->test_error : NAN,
                         .seconds_left  = NAN,
                     });
    progress_file_close(&me->progress);
    memcpy(sdca_status_message(), why, sizeof why);
}
