/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_legend.h - the names of the runs above the panels of a figure. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_LEGEND_H
#define SDCA_CLI_REPORT_GNUPLOT_LEGEND_H

#include <stdio.h>

#include "cli/report/runs.h"

/* Write a text in gnuplot's quotes. Local. */
void gnuplot_legend_write_text(const char *text, FILE *script);

/* Write the name of a run, the end of its path without the suffix, in gnuplot's quotes.
 * Local. */
void gnuplot_legend_write_name(const report_run *run, FILE *script);

/* The height of the names in a figure of this width. Local. */
int gnuplot_legend_height(const report_run *run, int count, int width);

/* Write the names, as the last plot of a figure of this width and height. top is their
 * distance from the upper end. Local. */
void gnuplot_legend_write(const report_run *run, int count, int width, int height,
                          int top, FILE *script);

#endif
