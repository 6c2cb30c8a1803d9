/* SPDX-License-Identifier: BSD-3-Clause
 *
 * page.h - runs as one HTML page that needs nothing else. */
#ifndef SDCA_CLI_REPORT_PAGE_H
#define SDCA_CLI_REPORT_PAGE_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write the page of count runs, at least one; errors of writing show when the
 * page is closed. The same runs make the same bytes. Local. */
void report_page_write(const report_run *run, int count, FILE *page);

#endif
