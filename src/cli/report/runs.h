/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runs.h - a run to be reported, from whatever file knows of it. */
#ifndef SDCA_CLI_REPORT_RUNS_H
#define SDCA_CLI_REPORT_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/report/largest_weights.h"
#include "model/model.h"

typedef struct report_run {
    const char *path;      /* as the user gave it */
    bool        has_model; /* read from a model; else history and certificate are all */
    sdca_model  model;     /* without its weights, but for: */
    report_largest_weights largest;
    double                *evaluation; /* the history, and the best dual so far */
} report_run;

/* Read a model; or a checkpoint or the CSV file of a history, whose certificate is the
 * one of the least gap in it; path is kept. Fails with SDCA_MISSING if there is no such
 * file, and with SDCA_DATA if it is none of these. Local. What out holds is the
 * caller's, to be freed with report_run_free(). */
sdca_status report_run_read(const char *path, report_run *out);
void        report_run_free(report_run *run);

/* The last evaluation, or NULL if there is none. Local. */
const sdca_history_record *report_run_last_record(const report_run *run);

/* Is it known to be a regression? A history does not say. Local. */
bool report_run_is_regression(const report_run *run);

/* The test error of what is certified, or where a file does not say, of the last
 * evaluation; NAN if there is none. Local. */
double report_run_test_error(const report_run *run);

/* What a run has recorded, in the order of its rounds. */
typedef struct report_series {
    const sdca_record_schema *columns;
    const double             *values; /* record by record */
    int64_t                   count;  /* of records */
} report_series;

/* What it knows of its evaluations, and of its rounds. Local. */
report_series report_run_evaluations(const report_run *run);
report_series report_run_rounds(const report_run *run);

#endif
