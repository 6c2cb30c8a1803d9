/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_table.h - the largest weights of a model, as a table of the page. */
#ifndef SDCA_CLI_REPORT_WEIGHT_TABLE_H
#define SDCA_CLI_REPORT_WEIGHT_TABLE_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write those of a run, or of each of its first classes. Write errors are found when the
 * page is closed. Local. */
void report_weight_table_write(const report_run *run, FILE *page);

#endif
