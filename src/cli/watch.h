/* SPDX-License-Identifier: BSD-3-Clause
 *
 * watch.h - what train shows and writes while a run goes on.
 *
 * A run at a terminal is one line that is drawn in place; else a table of evaluations,
 * with a line between them where they are far apart. --progress and --history grow. None
 * of it changes the run. */
#ifndef SDCA_WATCH_H
#define SDCA_WATCH_H

#include <mpi.h>

#include "advice.h"
#include "live.h"
#include "narrate.h"
#include "progress_file.h"

typedef struct watch {
    MPI_Comm            comm;
    const story        *story;
    const sdca_dataset *test;    /* or NULL */
    const sdca_history *history; /* of the run, as it grows */
    live               *live;
    char                unknown[SDCA_MESSAGE_SIZE]; /* labels of the test set, in words */
    char                unsaved[SDCA_MESSAGE_SIZE]; /* why the last checkpoint was not */

    bool   told;   /* in words, to stderr ... */
    bool   drawn;  /* ... or as one line at the terminal */
    double spoken; /* terminal_clock() of the last line */

    int64_t counted;   /* records of the history that are part of ... */
    double  best_dual; /* ... this */

    progress_file progress;
    double        noted;      /* terminal_clock() of its last line */
    bool          unnoted;    /* one could not be written */
    int64_t       written;    /* records in the file of --history */
    double        write_next; /* not before this terminal_clock() */
    bool          unwritten;  /* it could not be */
} watch;

/* The test error of w: a function for sdca_train_callbacks, whose context is a watch.
 * Collective.
 */
double watch_test_error(void *context, const double *w);

/* A checkpoint was written or not: likewise. Local. */
void watch_saved(void *context, sdca_status status, double seconds);

/* Say what is about to be done, with advice, and have the watcher call us from now on.
 * Called by the rank that speaks; what me holds is freed by watch_end(). Local. */
sdca_status watch_begin(watch *me, const advice_facts *facts,
                        sdca_train_callbacks *callbacks);

/* The run has ended so. All zero is fine. Local. */
void watch_end(watch *me, const sdca_train_result *result, sdca_status outcome);

#endif
