/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress_file.h - the file of --progress: one JSON object per line, appended during the
 * run. All functions are Local, for the rank that writes. */
#ifndef SDCA_CLI_UI_PROGRESS_FILE_H
#define SDCA_CLI_UI_PROGRESS_FILE_H

#include "base/status.h"

/* One line. Unknown values are NaN, and are written as null. */
typedef struct progress_entry {
    const char *event;  /* "evaluation", "round" or "end" */
    const char *status; /* "running", or the result of the run */
    double      round;
    double      epoch;
    double      seconds;
    double      primal; /* certified, like the next three */
    double      dual;
    double      gap;
    double      rel_gap;
    double      estimated_gap; /* from a sample of rows */
    double      target;        /* of the gap */
    double      test_error;
    double      seconds_left;
    double      lambda; /* of a fit of a path; 0: one lambda */
    int         folds;  /* 0: a model of all rows */
    int first_fold;     /* of those side by side, from 1; used only if there are folds */
    int last_fold;
    int classes;     /* that are trained; 0: one model */
    int class_index; /* of these, from 0; used only if there are classes */
} progress_entry;

/* An open file; { 0 } is none. */
typedef struct progress_file {
    const char *path; /* NULL: none */
    int         fd;
} progress_file;

/* Can lines be appended to this file? If it exists, it must be empty or have such lines.
 * - is standard output. */
sdca_status progress_file_check(const char *path);

/* Open the file; the caller closes out. */
sdca_status progress_file_open(const char *path, progress_file *out);
void        progress_file_close(progress_file *progress);

/* Append a line with the time of day. A partial line is removed on failure. */
sdca_status progress_file_append(const progress_file  *progress,
                                 const progress_entry *entry);

#endif
