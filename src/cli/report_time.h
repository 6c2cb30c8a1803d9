/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_time.h - where the time of runs went, as bars and as a table of a page. */
#ifndef SDCA_REPORT_TIME_H
#define SDCA_REPORT_TIME_H

#include <stdio.h>

#include "report_run.h"

/* Write them, or nothing if no run knows. Errors of writing show when the page is
 * closed. Local. */
void report_time_bars_write(const report_run *run, int count, FILE *page);

#endif
