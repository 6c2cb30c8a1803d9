/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_monitor.h - the output of train during a run: status line or table, --progress
 * and
 * --history.
 *
 * On a terminal a run is one line that is redrawn; otherwise it is a table of
 * evaluations, with progress lines in between if they are far apart. Nothing here changes
 * the run. */
#ifndef SDCA_CLI_UI_TRAIN_MONITOR_H
#define SDCA_CLI_UI_TRAIN_MONITOR_H

#include <mpi.h>

#include "cli/ui/live_progress.h"
#include "cli/ui/progress_file.h"
#include "cli/ui/run_warnings.h"
#include "cli/ui/train_messages.h"

typedef struct train_monitor {
    MPI_Comm               comm;
    const run_description *run;
    const sdca_dataset    *test;    /* or NULL */
    const sdca_history    *history; /* of the run, as it grows */
    live_progress         *display;
    char unknown_labels[2][SDCA_MESSAGE_SIZE]; /* warnings about the validation and the
                                                  test set, or "" */
    char checkpoint_error[SDCA_MESSAGE_SIZE];  /* why the last checkpoint failed */

    bool   prints;           /* to stderr */
    bool   uses_status_line; /* instead of the table */
    double last_printed;     /* terminal_line_clock() of the last line */

    int class_index; /* of several classes, the one that is trained */

    progress_file progress;
    double        progress_appended; /* terminal_line_clock() of its last line */
    bool          progress_failed;   /* the failure has been reported */
    int64_t       history_written;   /* records in the file of --history */
    double        history_due;       /* terminal_line_clock() of the next write */
    bool          history_failed;    /* the failure has been reported */
} train_monitor;

/* A checkpoint was written, or failed: a callback of sdca_train_callbacks, whose context
 * is a train_monitor. Local. */
void train_monitor_checkpoint_written(void *context, sdca_status status, double seconds);

/* Print settings and warnings, and install the other callbacks. Called by the rank that
 * prints; train_monitor_end() closes the files. Local. */
sdca_status train_monitor_begin(train_monitor *monitor, const data_facts *facts,
                                sdca_train_callbacks *callbacks);

/* Fit k of a path begins. Called by the rank that prints. Local. */
void train_monitor_begin_fit(train_monitor *monitor, int k);

/* The models of these folds begin, numbered from 0. Called by the rank that prints.
 * Local. */
void train_monitor_begin_folds(train_monitor *monitor, int first, int last);

/* The lambda of the last fit has been tested. Local. */
void train_monitor_lambda_tested(train_monitor                *monitor,
                                 const struct train_selection *selection);

/* End a run with this outcome. A monitor that has not begun is fine. Local. */
void train_monitor_end(train_monitor *monitor, const sdca_train_result *result,
                       sdca_status outcome);

#endif
