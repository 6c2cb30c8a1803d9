/* SPDX-License-Identifier: BSD-3-Clause
 *
 * live.h - what goes on, drawn while it goes on: one line at the terminal.
 *
 * Nothing happens here, and hardly any time passes, where there is no terminal. All is
 * Local, for the rank that speaks. */
#ifndef SDCA_LIVE_H
#define SDCA_LIVE_H

#include "progress.h"
#include "sdca/history.h"
#include "sdca/plan.h"
#include "terminal.h"

typedef struct live {
    terminal screen;
    double   began; /* terminal_clock() when the present work was */

    /* Rows that are read or made. */
    const char *name; /* of the file */
    double      size; /* of the file, in bytes; NaN if there is none yet */

    /* A training run. */
    const sdca_train_options *plan;
    bool                      exchanges; /* there are other ranks */
    const char               *test_name;
    double                    first; /* gap at the start */
    sdca_history_record       last;  /* evaluation */
    progress_forecast         forecast;
} live;

/* Begin; wanted says whether anything is to be drawn. live_close() leaves no line. */
live live_open(bool wanted);
void live_close(live *l);

/* Rows of a file come next; so much of them is there. A share or bytes of NaN are not
 * known. */
void live_begin_rows(live *l, const char *name);
void live_rows(live *l, double share, double bytes, int64_t rows);

/* For sdca_dataset_reader_options: context is a live. */
void live_read(void *context, int64_t rows, int64_t of);

/* A training run comes next, of more than one rank if it exchanges; test_name is what
 * its error is called. Then an evaluation of it, or another round. */
void live_begin_run(live *l, const sdca_train_options *plan, bool exchanges,
                    const char *test_name);
void live_evaluated(live *l, const sdca_history_record *record);
void live_round(live *l, const sdca_progress *now);

/* Seconds until the run ends, at its target or at the first of its budgets; infinite: not
 * in sight. Known also where nothing is drawn. */
double live_left(live *l, const sdca_progress *now);

#endif
