/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_section.h - how well the runs predict the test data, as a part of the page. */
#ifndef SDCA_CLI_REPORT_TEST_SECTION_H
#define SDCA_CLI_REPORT_TEST_SECTION_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write metrics, confusion matrices and curves of the runs with test results; nothing if
 * there are none. Write errors are found when the page is closed. Local. */
void report_test_section_write(const report_run *run, int count, FILE *page);

#endif
