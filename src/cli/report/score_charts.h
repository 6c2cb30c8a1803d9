/* SPDX-License-Identifier: BSD-3-Clause
 *
 * score_charts.h - scores of test data as SVG figures of the page. */
#ifndef SDCA_CLI_REPORT_SCORE_CHARTS_H
#define SDCA_CLI_REPORT_SCORE_CHARTS_H

#include <stdio.h>

#include "cli/report/test_scoring.h"

/* One curve of a figure: of a run, or of one of its classes. */
typedef struct report_score_series {
    int                         number; /* of the colour; see report_run */
    const char                 *name;
    const sdca_curve           *curve;
    const sdca_class_metrics   *metrics;
    const sdca_calibration_bin *calibration; /* or NULL */
} report_score_series;

/* Write the figures of the series together: ROC, and precision and recall. Write errors
 * are found when the page is closed, as below. Local. */
void report_score_charts_write(const report_score_series *series, int count, FILE *page);

/* Write the figure of the calibrations, if there are any. The names are those of
 * its axes. Local. */
void report_score_charts_write_calibration(const report_score_series *series, int count,
                                           const char *x_name, const char *y_name,
                                           FILE *page);

/* Write the figure of the scores of two classes, or of the errors of a regression, with a
 * title. negative and positive are the names of the classes, or NULL. Local. */
void report_score_charts_write_histogram(const sdca_score_histogram *histogram,
                                         const char *title, const char *negative,
                                         const char *positive, FILE *page);

/* Write the figure of predictions against labels. Local. */
void report_score_charts_write_density(const report_test_results *results,
                                       const char *title, FILE *page);

#endif
