/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_bars.h - the times of runs by activity, as bars and as a table of the page. */
#ifndef SDCA_CLI_REPORT_TIME_BARS_H
#define SDCA_CLI_REPORT_TIME_BARS_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write bars and table, or nothing if no run has times. Write errors are found when the
 * page is closed. Local. */
void report_time_bars_write(const report_run *run, int count, FILE *page);

#endif
