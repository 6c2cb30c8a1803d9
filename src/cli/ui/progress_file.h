/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress_file.h - how a run gets on, for programs: a JSON object per line, appended as
 * it happens. All is Local, for the rank that writes. */
#ifndef SDCA_CLI_UI_PROGRESS_FILE_H
#define SDCA_CLI_UI_PROGRESS_FILE_H

#include "base/status.h"

/* One line. NaN stands for what is not known, and becomes null. */
typedef struct progress_entry {
    const char *event;  /* "evaluation", "round" or "end" */
    const char *status; /* "running", or how it has ended */
    double      round;
    double      epoch;
    double      seconds;
    double      primal; /* certified, as the next three are */
    double      dual;
    double      gap;
    double      rel_gap;
    double      estimated_gap; /* from a sample of rows */
    double      target;        /* of the gap */
    double      test_error;
    double      seconds_left;
} progress_entry;

/* All zero: there is none. */
typedef struct progress_file {
    const char *path; /* NULL: none */
    int         fd;
} progress_file;

/* Can lines be appended to a file of that name, or to a new one? One that is there must
 * be empty or have such lines. - is standard output. */
sdca_status progress_file_check(const char *path);

/* What out holds is the caller's, to be closed. */
sdca_status progress_file_open(const char *path, progress_file *out);
void        progress_file_close(progress_file *progress);

/* Append a line, with the time of day: whole or, where that fails, not at all. */
sdca_status progress_file_append(const progress_file  *progress,
                                 const progress_entry *entry);

#endif
