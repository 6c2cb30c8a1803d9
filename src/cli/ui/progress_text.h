/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress_text.h - the progress of a run or of reading rows, formatted as one line.
 *
 * A line is a bar and fields in the order of importance; fields that exceed the width are
 * left out, the last one first. No terminal, no clock. All functions are Local. */
#ifndef SDCA_CLI_UI_PROGRESS_TEXT_H
#define SDCA_CLI_UI_PROGRESS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_LINE_SIZE = 256, PROGRESS_TIME_SIZE = 64 };

typedef struct progress_line {
    char text[PROGRESS_LINE_SIZE];
    int  coloured; /* leading characters that stand for what is done */
} progress_line;

/* A training run. Unknown values are NaN. */
typedef struct progress_run {
    double      fraction;     /* of the way to the target, from 0 to 1 */
    double      seconds_left; /* infinite if unknown */
    double      gap;
    double      epoch;
    double      test_error;             /* error on the test set */
    const char *test_name;              /* "error" or "RMSE" */
    double      communication_fraction; /* share of the time */
    int         fits;                   /* of a path; 0: one lambda */
    int         fit_index;              /* of these, from 0 */
    int         folds;                  /* 0: a model of all rows */
    int         first_fold, last_fold;  /* side by side, from 0 */
    int         classes;                /* that are trained; 0: one model */
    int         class_index;            /* of these, from 0 */
} progress_run;

/* Rows that are read or written. */
typedef struct progress_rows {
    const char *name;     /* of the file */
    double      fraction; /* from 0 to 1, or NaN */
    double      seconds;  /* so far, like the next two */
    double      bytes;    /* or NaN */
    int64_t     rows;
} progress_rows;

progress_line progress_format_run(const progress_run *run, int width);
progress_line progress_format_rows(const progress_rows *work, int width);

/* "12 s left", "5:10 left" or "1:05:10 left"; "? left" if it is not known. */
void progress_format_time_left(double seconds, char text[PROGRESS_TIME_SIZE]);

/* The share of the way from the first gap to the target on a logarithmic scale, from 0 to
 * 1. */
double progress_fraction(double first, double gap, double target);

/* Extrapolates a gap to its target: ln(gap) falls nearly linearly with time, but faster
 * at first, so that only the later part of a run is used. Starts as { 0 }. */
typedef struct progress_forecast {
    int count; /* of points; the last one is the latest */
    struct {
        double seconds, ln_gap;
    } point[3];
} progress_forecast;

/* Add a gap; one that equals the last one is ignored. */
void progress_forecast_add(progress_forecast *forecast, double seconds, double gap);

/* The time from the moment seconds until the gap reaches target: at least 0, infinite if
 * it does not fall. */
double progress_forecast_seconds_left(const progress_forecast *forecast, double seconds,
                                      double target);

#endif
