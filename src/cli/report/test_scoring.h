/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_scoring.h - what the models of a report predict for test data. */
#ifndef SDCA_CLI_REPORT_TEST_SCORING_H
#define SDCA_CLI_REPORT_TEST_SCORING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/report/runs.h"
#include "objective/metrics.h"
#include "objective/score_histogram.h"

enum { REPORT_DENSITY_CELLS = 24 /* on each side */ };

struct report_test_results {
    const char         *path;
    int64_t             rows;
    int64_t             certain;  /* labels that are proven; below 0: not known */
    bool                weighted; /* the rows have weights */
    sdca_metrics_result metrics;

    /* Classification: for two classes the curve of the second one, of more those of the
     * first ones; and the calibration of the second, or that of the predicted class. */
    int                  curve_count;
    sdca_curve          *curves;
    bool                 has_calibration;
    sdca_calibration_bin calibration[SDCA_CALIBRATION_BINS];

    /* Two classes: scores; regression: predictions - labels, as negative rows. */
    bool                 has_histogram;
    sdca_score_histogram histogram;

    /* Regression: weight by label, from left to right, and prediction, from bottom to
     * top. */
    double density_low, density_high;
    double density[REPORT_DENSITY_CELLS][REPORT_DENSITY_CELLS];
};

/* Test data, as the command line names them. */
typedef struct report_test_data {
    const char *path;            /* or NULL */
    const char *label;           /* the column of obs; NULL: y, or that of the training */
    bool        missing_columns; /* columns of the model that the data lack are 0 */
} report_test_data;

/* Score the rows of a data file with the model of a run: sets run->test, and ranks the
 * largest weights of the run by the standard deviations of the columns there. MPI must be
 * initialised; test->path is kept. Local. */
sdca_status report_test_results_measure(const report_test_data *test, report_run *run);

/* NULL is allowed. Local. */
void report_test_results_free(report_test_results *results);

#endif
