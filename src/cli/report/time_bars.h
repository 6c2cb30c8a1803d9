/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_bars.h - where the time of runs went, as bars and as a table of a page. */
#ifndef SDCA_CLI_REPORT_TIME_BARS_H
#define SDCA_CLI_REPORT_TIME_BARS_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write them, or nothing if no run knows. Errors of writing show when the page is
 * closed. Local. */
void report_time_bars_write(const report_run *run, int count, FILE *page);

#endif
