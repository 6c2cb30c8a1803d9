/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tables.h - what is known of runs, as tables of a page. */
#ifndef SDCA_CLI_REPORT_TABLES_H
#define SDCA_CLI_REPORT_TABLES_H

#include <stdio.h>

#include "cli/report/runs.h"

/* The head of a table with a column per run behind its first: nothing if there is
 * one run only. Errors of writing show when the page is closed. Local. */
void report_tables_write_head(const report_run *run, int count, FILE *page);

/* Results and settings, a column per run; a line where at least one run knows
 * the answer. Local. */
void report_tables_write_facts(const report_run *run, int count, FILE *page);

/* What run r has recorded, such as its "Evaluations", folded away. Of many records, those
 * that also have a point in the charts. Local. */
void report_tables_write_records(const report_run *run, int r, const char *title,
                                 report_series series, FILE *page);

#endif
