/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_process.h - run gnuplot to draw a figure. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_PROCESS_H
#define SDCA_CLI_REPORT_GNUPLOT_PROCESS_H

#include <stdio.h>

#include "base/status.h"

/* Run the commands in script, a file open for reading and writing, and write the figure
 * to path atomically. end is the text at the end of a complete figure, without newlines;
 * style, if it is not NULL, is put before the title of an SVG figure.
 * Fails with SDCA_CREATE if gnuplot is not installed or fails. Local. */
sdca_status gnuplot_draw(FILE *script, const char *end, const char *style,
                         const char *path);

#endif
