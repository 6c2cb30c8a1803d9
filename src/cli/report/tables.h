/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tables.h - results, settings and records of runs, as tables of the page. */
#ifndef SDCA_CLI_REPORT_TABLES_H
#define SDCA_CLI_REPORT_TABLES_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write the head of a table with one column per run; nothing if there is only one run.
 * Write errors are found when the page is closed, as below. Local. */
void report_tables_write_head(const report_run *run, int count, FILE *page);

/* Write results and settings, one column per run, without rows that all runs lack.
 * Local. */
void report_tables_write_facts(const report_run *run, int count, FILE *page);

/* Write the records of run r, such as its "Evaluations", collapsed. A long series has the
 * records that have a point in the charts. Local. */
void report_tables_write_records(const report_run *run, int r, const char *title,
                                 report_series series, FILE *page);

/* Write the certificates of the classes of a run; of more than 20 they are folded away.
 * Local. */
void report_tables_write_classes(const report_run *run, FILE *page);

#endif
