/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runs.h - a run to report, read from a model, checkpoint or history. */
#ifndef SDCA_CLI_REPORT_RUNS_H
#define SDCA_CLI_REPORT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/report/largest_weights.h"
#include "model/model.h"

enum { REPORT_MAX_CLASSES = 20 /* that are shown with curves and weights */ };

typedef struct report_test_results report_test_results; /* see test_scoring.h */

typedef struct report_run {
    const char            *path;      /* as on the command line; of a class, its label */
    int                    number;    /* on the page, in ids and colours */
    bool                   has_model; /* else only history and certificate are known */
    sdca_model             model;     /* without weights */
    sdca_selection         selection; /* how its lambda was chosen, or none */
    report_largest_weights largest;
    double                *evaluation; /* the history with the best dual so far */
    report_test_results   *test;       /* or NULL */

    /* With more than two classes, the first ones as runs of their own, whose histories
     * are the model's; else none. */
    int                class_count;
    struct report_run *classes;
} report_run;

/* Read run number k: a model, a checkpoint, or the CSV file of a history, whose
 * certificate is the one of its smallest gap. path is kept. A history of several classes
 * is refused. Fails with SDCA_MISSING if the file does not exist, and with SDCA_DATA if
 * it is none of these. The caller frees out with report_run_free(). Local. */
sdca_status report_run_read(const char *path, int k, report_run *out);
void        report_run_free(report_run *run);

/* The last evaluation, or NULL if there is none. Local. */
const sdca_history_record *report_run_last_record(const report_run *run);

/* The relative gap, for several classes the largest, and the epochs, of several classes
 * their sum; NaN if there is no evaluation. Local. */
double report_run_relative_gap(const report_run *run);
double report_run_epochs(const report_run *run);

/* The gap that the training was to reach, for the P of its certificate; NaN if the file
 * does not tell. Local. */
double report_run_target_gap(const report_run *run);

/* Is it a regression? False for a history, which does not record the task. Local. */
bool report_run_is_regression(const report_run *run);

/* The test error of the certified iterate if the file has it, else of the last
 * evaluation; NAN if there is none. Local. */
double report_run_test_error(const report_run *run);

/* Records of a run, in the order of rounds. */
typedef struct report_series {
    const sdca_record_schema *columns;
    const double             *values; /* record by record */
    int64_t                   count;  /* of records */
} report_series;

/* The records of evaluations, and of rounds. Local. */
report_series report_run_evaluations(const report_run *run);
report_series report_run_rounds(const report_run *run);

#endif
