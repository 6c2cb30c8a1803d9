/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h - how far work has come, in one line: numbers in, words out.
 *
 * A line is a bar and then fields, the most telling first; those that do not fit the
 * width are left out, the last one first. No terminal, no clock. All is Local. */
#ifndef SDCA_CLI_UI_PROGRESS_H
#define SDCA_CLI_UI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_LINE_SIZE = 256, PROGRESS_TIME_SIZE = 64 };

typedef struct progress_line {
    char text[PROGRESS_LINE_SIZE];
    int  coloured; /* characters at its beginning that are done */
} progress_line;

/* A training run. NaN stands for what is not known. */
typedef struct progress_run {
    double      fraction;     /* of the way to the target, from 0 to 1 */
    double      seconds_left; /* seconds; infinite: not in sight */
    double      gap;
    double      epoch;
    double      test_error;        /* error on the test set */
    const char *test_name;         /* "error" or "RMSE" */
    double      exchange_fraction; /* share of the time in which ranks talk or wait */
} progress_run;

/* Rows that are read or made. */
typedef struct progress_rows {
    const char *name;     /* of the file */
    double      fraction; /* from 0 to 1, or NaN */
    double      seconds;  /* so far, as the next two */
    double      bytes;    /* or NaN */
    int64_t     rows;
} progress_rows;

progress_line progress_format_run(const progress_run *run, int width);
progress_line progress_format_rows(const progress_rows *work, int width);

/* "12 s left", "5:10 left" or "1:05:10 left"; "? left" where there is no end in sight. */
void progress_format_time_left(double seconds, char text[PROGRESS_TIME_SIZE]);

/* How much of the way from the first gap to the target is behind us, every factor
 * counting the same; from 0 to 1. */
double progress_fraction(double first, double gap, double target);

/* When a gap will be small enough: ln(gap) falls nearly linearly with time, but faster at
 * first, so that only the later part of a run tells. Begins as { 0 }. */
typedef struct progress_forecast {
    int count; /* of the points that are known; the last is the present */
    struct {
        double seconds, ln_gap;
    } point[3];
} progress_forecast;

/* Take note of a gap; one that is the same as before is no news. */
void progress_forecast_add(progress_forecast *forecast, double seconds, double gap);

/* Seconds from now on, which is at seconds, until the gap is target: 0 at least, infinite
 * where it does not fall. */
double progress_forecast_seconds_left(const progress_forecast *forecast, double seconds,
                                      double target);

#endif
