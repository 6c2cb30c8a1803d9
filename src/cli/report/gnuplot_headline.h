/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_headline.h - what a figure says at a glance. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_PROCESS_HEADLINE_H
#define SDCA_CLI_REPORT_GNUPLOT_PROCESS_HEADLINE_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Its height; 0 if there is nothing to say. Local. */
int gnuplot_headline_height(const report_run *run, int count);

/* Write its labels, for a figure of this height. Local. */
void gnuplot_headline_write(const report_run *run, int count, int height, FILE *script);

#endif
