/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_monitor.c - the output of train during a run. */
#include "cli/ui/train_monitor.h"

#include <math.h>
#include <string.h>

#include "cli/train/train_selection.h"
#include "io/atomic_file.h"
#include "model/class_history_file.h"
#include "mpi/comm.h"

/* A warning replaces the status line. */
static void clear_line(const train_monitor *monitor)
{
    if (monitor->uses_status_line) {
        terminal_line_clear(&monitor->display->terminal);
    }
}

/* A failed checkpoint does not end a run: the next one may succeed. */
void train_monitor_checkpoint_written(void *context, sdca_status status, double seconds)
{
    train_monitor *monitor = context;

    if (status != SDCA_OK) {
        memcpy(monitor->checkpoint_error, sdca_status_message(),
               sizeof monitor->checkpoint_error);
        clear_line(monitor);
    }
    if (sdca_comm_rank(monitor->comm) == 0) {
        train_messages_checkpoint(monitor->run, status, seconds);
    }
}

/* A file that cannot be written during the run is reported once: it is tried again. */
static void warn_once(const train_monitor *monitor, sdca_status status, bool *warned)
{
    if (status != SDCA_OK && !*warned) {
        clear_line(monitor);
        terminal_line_print_message(&monitor->display->terminal, "Warning",
                                    sdca_status_message());
        *warned = true;
    }
}

/* During the run the history is written at most every two seconds, and for at most about
 * 1 % of the time. The complete history is written at the end; only that one goes to
 * standard output. */
static const double history_interval = 2.0;

/* The number of classes that are trained against the rest; 0: there is one model. */
static int classes_of(const train_monitor *monitor)
{
    const sdca_model *model = monitor->run->model;

    return sdca_model_parts(model) > 1 ? sdca_model_parts(model) : 0;
}

static void write_history(train_monitor *monitor, double clock)
{
    const double cost_ratio = 100.0;
    const char  *path       = monitor->run->arguments->history;
    double       end;

    if (path == NULL || monitor->run->path != NULL || sdca_atomic_file_is_stdout(path) ||
        monitor->history_written == monitor->history->count ||
        clock < monitor->history_due) {
        return;
    }
    warn_once(monitor,
              classes_of(monitor) > 0
                  ? sdca_class_history_write_csv(monitor->run->model, path)
                  : sdca_history_write_csv(monitor->history, path),
              &monitor->history_failed);
    end                      = terminal_line_clock();
    monitor->history_written = monitor->history->count;
    monitor->history_due     = end + fmax(history_interval, cost_ratio * (end - clock));
}

static void append_progress(train_monitor *monitor, const progress_entry *entry)
{
    progress_entry line = *entry;

    if (monitor->display->folds > 0 && strcmp(entry->event, "end") != 0) {
        line.folds      = monitor->display->folds;
        line.first_fold = monitor->display->first_fold + 1;
        line.last_fold  = monitor->display->last_fold + 1;
    } else {
        line.classes     = monitor->run->model != NULL ? classes_of(monitor) : 0;
        line.class_index = monitor->class_index;
    }
    line.lambda = monitor->run->path != NULL ? monitor->run->problem->lambda : 0.0;
    if (monitor->progress.path != NULL) {
        warn_once(monitor, progress_file_append(&monitor->progress, &line),
                  &monitor->progress_failed);
        monitor->progress_appended = terminal_line_clock();
    }
}

static double relative_gap(double gap, double primal)
{
    return primal > 0.0 ? gap / primal : 0.0;
}

static void on_evaluation(void *context, const sdca_history_record *record)
{
    train_monitor            *monitor  = context;
    const sdca_train_options *training = &monitor->run->arguments->training;

    sdca_progress now = { .round      = record->round,
                          .epoch      = record->epoch,
                          .seconds    = record->seconds,
                          .gap        = record->gap,
                          .target_gap = training->gap > 0.0
                                            ? training->gap
                                            : training->rel_gap * record->primal };

    live_progress_add_evaluation(monitor->display, record);
    if (monitor->prints && !monitor->uses_status_line) {
        train_messages_evaluation(monitor->run, record, monitor->class_index);
        monitor->last_printed = terminal_line_clock();
    }
    append_progress(
        monitor, &(progress_entry){ .event   = "evaluation",
                                    .status  = "running",
                                    .round   = record->round,
                                    .epoch   = record->epoch,
                                    .seconds = record->seconds,
                                    .primal  = record->primal,
                                    .dual    = record->dual,
                                    .gap     = record->gap,
                                    .rel_gap = relative_gap(record->gap, record->primal),
                                    .estimated_gap = NAN,
                                    .target        = now.target_gap,
                                    .test_error    = record->test_error,
                                    .seconds_left  = live_progress_seconds_left(
                                         monitor->display, &now) });
    write_history(monitor, terminal_line_clock());
}

/* The next evaluation is that of this class. */
static void on_class(void *context, int k)
{
    train_monitor *monitor = context;

    monitor->history         = &monitor->run->model->by_class[k].history;
    monitor->class_index     = k;
    monitor->history_written = 0;
    live_progress_begin_class(monitor->display, k, classes_of(monitor));
}

void train_monitor_begin_fit(train_monitor *monitor, int k)
{
    const train_arguments *arguments = monitor->run->arguments;

    live_progress_begin_fit(monitor->display, k, arguments->lambdas.count,
                            (int)arguments->folds);
    if (monitor->prints && !monitor->uses_status_line) {
        train_messages_fit(monitor->run, k);
    }
}

void train_monitor_begin_folds(train_monitor *monitor, int first, int last)
{
    live_progress_begin_folds(monitor->display, first, last,
                              (int)monitor->run->arguments->folds);
}

void train_monitor_lambda_tested(train_monitor                *monitor,
                                 const struct train_selection *selection)
{
    if (monitor->prints && !monitor->uses_status_line) {
        train_selection_print_test(selection, stderr);
    }
}

static void on_round(void *context, const sdca_progress *now)
{
    train_monitor *monitor  = context;
    double         clock    = terminal_line_clock();
    double         interval = monitor->run->arguments->log_interval;

    if (monitor->uses_status_line) {
        live_progress_update_round(monitor->display, now);
    } else if (monitor->prints && clock - monitor->last_printed >= interval) {
        train_messages_progress(now, live_progress_seconds_left(monitor->display, now));
        monitor->last_printed = clock;
    }
    if (monitor->progress.path != NULL &&
        clock - monitor->progress_appended >= interval) {
        append_progress(
            monitor,
            &(progress_entry){ .event         = "round",
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
                               .seconds_left =
                                   live_progress_seconds_left(monitor->display, now) });
    }
    write_history(monitor, clock);
}

/* Print settings and warnings. */
static void print_settings(const train_monitor *monitor, const data_facts *facts)
{
    const run_description *run      = monitor->run;
    const terminal_line   *terminal = &monitor->display->terminal;
    run_warnings           warnings =
        run_warnings_warn(facts, run->problem, &run->arguments->training);

    train_messages_settings(run);
    if (run->arguments->verbose && facts->empty_is_exact && facts->empty_columns > 0) {
        train_messages_empty_columns(facts->empty_columns, facts->columns);
    }
    for (int k = 0; k < warnings.count; k++) {
        terminal_line_print_message(terminal, "Warning", warnings.text[k]);
    }
    for (int k = 0; k < 2; k++) {
        if (monitor->unknown_labels[k][0] != '\0') {
            terminal_line_print_message(terminal, "Warning", monitor->unknown_labels[k]);
        }
    }
    if (!monitor->uses_status_line) {
        train_messages_table_head(run);
    }
}

sdca_status train_monitor_begin(train_monitor *monitor, const data_facts *facts,
                                sdca_train_callbacks *callbacks)
{
    const run_description *run       = monitor->run;
    const train_arguments *arguments = run->arguments;
    sdca_status            status    = SDCA_OK;

    if (arguments->progress != NULL) {
        SDCA_TRY(progress_file_open(arguments->progress, &monitor->progress));
    }
    monitor->prints = !arguments->quiet;
    monitor->uses_status_line =
        monitor->display->terminal.is_enabled && !arguments->verbose;
    live_progress_begin_training(monitor->display, &arguments->training,
                                 run->working_ranks > 1,
                                 run->labels->count > 0 ? "error" : "RMSE");
    if (monitor->prints) {
        print_settings(monitor, facts);
    }
    monitor->last_printed = monitor->progress_appended = terminal_line_clock();
    monitor->history_due = monitor->last_printed + history_interval;
    if (monitor->prints || arguments->progress != NULL || arguments->history != NULL) {
        callbacks->on_evaluation = on_evaluation;
        callbacks->on_progress   = on_round;
        callbacks->on_class      = on_class;
    }

done:
    return status;
}

void train_monitor_end(train_monitor *monitor, const sdca_train_result *result,
                       sdca_status outcome)
{
    const sdca_certificate *certificate = &result->certificate;
    const sdca_history     *history     = &result->history;
    sdca_history_record     last        = { .round = NAN, .epoch = NAN };
    bool                    is_complete =
        outcome == SDCA_OK || outcome == SDCA_BUDGET || outcome == SDCA_INTERRUPTED;
    char why[SDCA_MESSAGE_SIZE];

    memcpy(why, sdca_status_message(),
           sizeof why); /* the reason of a failed run is kept */

    if (history->count > 0) {
        last = history->records[history->count - 1];
    }
    append_progress(monitor, &(progress_entry){
                                 .event   = "end",
                                 .status  = train_messages_status_name(outcome),
                                 .round   = last.round,
                                 .epoch   = last.epoch,
                                 .seconds = is_complete ? result->times.total : NAN,
                                 .primal  = is_complete ? certificate->primal : NAN,
                                 .dual    = is_complete ? certificate->dual : NAN,
                                 .gap     = is_complete ? certificate->gap : NAN,
                                 .rel_gap = is_complete ? train_messages_relative_gap(
                                                              monitor->run, result)
                                                        : NAN,
                                 .estimated_gap = NAN,
                                 .target        = NAN,
                                 .test_error    = is_complete ? result->test_error : NAN,
                                 .seconds_left  = NAN,
                             });
    progress_file_close(&monitor->progress);
    memcpy(sdca_status_buffer(), why, sizeof why);
}
