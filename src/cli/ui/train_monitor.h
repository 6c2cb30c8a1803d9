/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_monitor.h - what train shows and writes while a run goes on.
 *
 * A run at a terminal is one line that is drawn in place; else a table of evaluations,
 * with a line between them where they are far apart. --progress and --history grow. None
 * of it changes the run. */
#ifndef SDCA_CLI_UI_TRAIN_MONITOR_H
#define SDCA_CLI_UI_TRAIN_MONITOR_H

#include <mpi.h>

#include "cli/ui/diagnostics.h"
#include "cli/ui/progress_file.h"
#include "cli/ui/status_line.h"
#include "cli/ui/train_messages.h"

typedef struct train_monitor {
    MPI_Comm               comm;
    const run_description *run;
    const sdca_dataset    *test;    /* or NULL */
    const sdca_history    *history; /* of the run, as it grows */
    status_line           *display;
    char unknown_labels[SDCA_MESSAGE_SIZE];   /* labels of the test set, in words */
    char checkpoint_error[SDCA_MESSAGE_SIZE]; /* why the last checkpoint was not */

    bool   prints;           /* in words, to stderr ... */
    bool   uses_status_line; /* ... or as one line at the terminal */
    double last_printed;     /* tty_clock() of the last line */

    int64_t dual_records; /* records of the history that are part of ... */
    double  best_dual;    /* ... this */

    progress_file progress;
    double        progress_appended; /* tty_clock() of its last line */
    bool          progress_failed;   /* one could not be written */
    int64_t       history_written;   /* records in the file of --history */
    double        history_due;       /* not before this tty_clock() */
    bool          history_failed;    /* it could not be */
} train_monitor;

/* The test error of w: a function for sdca_train_callbacks, whose context is a watch.
 * Collective.
 */
double train_monitor_test_error(void *context, const double *w);

/* A checkpoint was written or not: likewise. Local. */
void train_monitor_checkpoint_written(void *context, sdca_status status, double seconds);

/* Say what is about to be done, with advice, and have the watcher call us from now on.
 * Called by the rank that speaks; what me holds is freed by train_monitor_end(). Local.
 */
sdca_status train_monitor_begin(train_monitor *monitor, const diagnostics_facts *facts,
                                sdca_train_callbacks *callbacks);

/* The run has ended so. All zero is fine. Local. */
void train_monitor_end(train_monitor *monitor, const sdca_train_result *result,
                       sdca_status outcome);

#endif
