/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live_progress.h - the progress of a command, as one line that is redrawn on the
 * terminal.
 *
 * Without a terminal nothing is drawn, at negligible cost. All functions are Local, for
 * the rank that prints. */
#ifndef SDCA_CLI_UI_LIVE_PROGRESS_H
#define SDCA_CLI_UI_LIVE_PROGRESS_H

#include "cli/ui/progress_text.h"
#include "cli/ui/terminal_line.h"
#include "model/history.h"
#include "train/train_options.h"

typedef struct live_progress {
    terminal_line terminal;
    double        start; /* terminal_line_clock() at the start of the current task */

    /* Rows that are read or written. */
    const char *file_name;
    double      file_bytes; /* size of the file; NaN if it does not exist */

    /* A training run. */
    const sdca_train_options *training;
    bool                      is_distributed; /* on several ranks */
    const char               *test_name;
    double                    initial_gap;
    double                    batch_start; /* its seconds, by the clock of the run */
    sdca_history_record       last_record; /* the last evaluation */
    progress_forecast         forecast;
    int                       fits;        /* of a path; 0: one lambda */
    int                       fit_index;   /* the present one */
    double                    fit_start;   /* terminal_line_clock() at its start */
    double                    fit_seconds; /* of the one before; 0: unknown */
    int                       fit_folds;   /* trained after each fit; 0: none */
    int                       folds;       /* the same, while they are; or 0 */
    int                       first_fold;  /* of those that are trained side by side */
    int                       last_fold;
    int                       classes;     /* that are trained; 0: one model */
    int                       class_index; /* the present one */
} live_progress;

/* Start; nothing is drawn unless is_enabled. live_progress_close() removes the line. */
live_progress live_progress_open(bool is_enabled);
void          live_progress_close(live_progress *l);

/* Start with the rows of a file, and show how many are done. Unknown fractions and bytes
 * are NaN. */
void live_progress_begin_rows(live_progress *l, const char *name);
void live_progress_update_rows(live_progress *l, double fraction, double bytes,
                               int64_t rows);

/* The callback of sdca_dataset_options, whose context is a live_progress. */
void live_progress_update_reader(void *context, int64_t rows, int64_t of);

/* Start with a training run, with each fit of a path, with each of its classes if there
 * are several, and with folds that are trained side by side, numbered from 0; then show
 * an evaluation, or a round. test_name is the name of the test error; fit_folds is the
 * number of folds of each fit, or 0. */
void live_progress_begin_training(live_progress *l, const sdca_train_options *training,
                                  bool is_distributed, const char *test_name);
void live_progress_begin_fit(live_progress *l, int k, int fits, int fit_folds);
void live_progress_begin_folds(live_progress *l, int first, int last, int folds);
void live_progress_begin_class(live_progress *l, int k, int classes);
void live_progress_add_evaluation(live_progress *l, const sdca_history_record *record);
void live_progress_update_round(live_progress *l, const sdca_progress *now);

/* Estimated seconds until the run reaches its target or the first of its budgets;
 * infinite if unknown. Each fit of a path is assumed to take as long as the one before.
 * Works also if nothing is drawn. */
double live_progress_seconds_left(live_progress *l, const sdca_progress *now);

#endif
