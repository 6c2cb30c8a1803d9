/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svg_chart.h - a chart as one figure of a page, in SVG. */
#ifndef SDCA_CLI_REPORT_SVG_CHART_H
#define SDCA_CLI_REPORT_SVG_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/report/charts.h"

/* Write the figure: the curves of count runs against epochs, and against seconds;
 * the page shows one of the two. Errors of writing show when the page is closed.
 * Local. */
void report_svg_chart_write(const report_chart *chart, const report_run *run, int count,
                            FILE *page);

/* The classes of run r: whose it is, and its colour. Local. */
void report_svg_chart_write_classes(int r, FILE *page);

/* Does record k get a point, and a line in a table? All do if they are not too
 * many. Local. */
bool report_svg_chart_shows_record(const report_series *series, int64_t k);

/* The name of that line in the page. Local. */
void report_svg_chart_write_row_id(const report_series *series, int r, int64_t k,
                                   FILE *page);

#endif
