/* SPDX-License-Identifier: BSD-3-Clause
 *
 * status_line.h - what goes on, drawn while it goes on: one line at the terminal.
 *
 * Nothing happens here, and hardly any time passes, where there is no terminal. All is
 * Local, for the rank that speaks. */
#ifndef SDCA_CLI_UI_STATUS_LINE_H
#define SDCA_CLI_UI_STATUS_LINE_H

#include "cli/ui/progress.h"
#include "cli/ui/tty.h"
#include "model/history.h"
#include "train/train_options.h"

typedef struct status_line {
    tty    tty;
    double start; /* tty_clock() when the present work was */

    /* Rows that are read or made. */
    const char *file_name;  /* of the file */
    double      file_bytes; /* of the file, in bytes; NaN if there is none yet */

    /* A training run. */
    const sdca_train_options *training;
    bool                      is_distributed; /* there are other ranks */
    const char               *test_name;
    double                    initial_gap; /* gap at the start */
    sdca_history_record       last_record; /* evaluation */
    progress_forecast         forecast;
} status_line;

/* Begin; wanted says whether anything is to be drawn. status_line_close() leaves no line.
 */
status_line status_line_open(bool is_enabled);
void        status_line_close(status_line *l);

/* Rows of a file come next; so much of them is there. A share or bytes of NaN are not
 * known. */
void status_line_begin_rows(status_line *l, const char *name);
void status_line_update_rows(status_line *l, double fraction, double bytes, int64_t rows);

/* For sdca_dataset_options: context is a live. */
void status_line_update_reader(void *context, int64_t rows, int64_t of);

/* A training run comes next, of more than one rank if it exchanges; test_name is what
 * its error is called. Then an evaluation of it, or another round. */
void status_line_begin_training(status_line *l, const sdca_train_options *training,
                                bool is_distributed, const char *test_name);
void status_line_add_evaluation(status_line *l, const sdca_history_record *record);
void status_line_update_round(status_line *l, const sdca_progress *now);

/* Seconds until the run ends, at its target or at the first of its budgets; infinite: not
 * in sight. Known also where nothing is drawn. */
double status_line_seconds_left(status_line *l, const sdca_progress *now);

#endif
