/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report_page.h - runs as one self-contained HTML page. */
#ifndef SDCA_CLI_REPORT_REPORT_PAGE_H
#define SDCA_CLI_REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write the page of count runs, at least one. The same runs give the same bytes. Write
 * errors are found when the page is closed. Local. */
void report_page_write(const report_run *run, int count, FILE *page);

#endif
