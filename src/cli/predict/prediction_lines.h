/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_lines.h - predictions as the lines of a CSV file, which can be written as
 * soon as their rows are known. */
#ifndef SDCA_CLI_PREDICT_PREDICTION_LINES_H
#define SDCA_CLI_PREDICT_PREDICTION_LINES_H

#include <stdio.h>

#include "base/status.h"
#include "base/string_list.h"
#include "cli/predict/prediction_row.h"

/* All zero: not open. */
typedef struct prediction_lines {
    const prediction_rule *rule;
    const char            *path;
    FILE                  *file;
    double                *number; /* space for a number per score */
} prediction_lines;

/* Open the file, which appears when it is committed, and print the names of the columns,
 * those of kept ones first. path and rule are kept. Local. What out holds is freed with
 * prediction_lines_close(), also after a failure. */
sdca_status prediction_lines_open(const char *path, const prediction_rule *rule,
                                  const sdca_string_list *kept, prediction_lines *out);

/* Print the value of the next kept column of a line. Local. */
void prediction_lines_print_kept(const prediction_lines *lines, const char *text);

/* Print the rest of a line, what the record of a row predicts. Local. */
sdca_status prediction_lines_print_row(const prediction_lines *lines,
                                       const double           *record);

/* Publish the file. Local. */
sdca_status prediction_lines_commit(prediction_lines *lines);

/* Discard the file, unless it was committed. Local. */
void prediction_lines_close(prediction_lines *lines);

#endif
