/* SPDX-License-Identifier: BSD-3-Clause
 *
 * selection_section.h - how lambda was chosen, as a part of the page. */
#ifndef SDCA_CLI_REPORT_SELECTION_SECTION_H
#define SDCA_CLI_REPORT_SELECTION_SECTION_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write curve and table of the runs whose lambda was chosen; nothing if there are none.
 * Write errors are found when the page is closed. Local. */
void report_selection_section_write(const report_run *run, int count, FILE *page);

#endif
