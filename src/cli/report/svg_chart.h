/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svg_chart.h - a chart as an SVG figure of the page. */
#ifndef SDCA_CLI_REPORT_SVG_CHART_H
#define SDCA_CLI_REPORT_SVG_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/report/chart_contents.h"

/* Write the figure: the curves of count runs against epochs, and against seconds; the
 * page shows one of the two. Write errors are found when the page is closed. Local. */
void report_svg_chart_write(const report_chart *chart, const report_run *run, int count,
                            FILE *page);

/* Write the CSS classes of run r: its number and colour. Local. */
void report_svg_chart_write_classes(int r, FILE *page);

/* Write a line sample, plain or of a style ("dashed", "dotted"), and its label for a
 * legend, in the colour of run r unless that is negative. Local. */
void report_svg_chart_write_key(int r, const char *style, const char *words, FILE *page);

/* Does record k have a point in the charts, and a row in the tables? Long series are
 * thinned. Local. */
bool report_svg_chart_shows_record(const report_series *series, int64_t k);

/* Write the id of that row. Local. */
void report_svg_chart_write_row_id(const report_series *series, int r, int64_t k,
                                   FILE *page);

#endif
