/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_figure.h - the curves of runs as one picture, drawn by gnuplot. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_FIGURE_H
#define SDCA_CLI_REPORT_GNUPLOT_FIGURE_H

#include "cli/report/runs.h"

/* Make the picture of count runs, whole or not at all; format is "svg" or "png". Fails
 * with SDCA_CREATE if there is no gnuplot here. Local. */
sdca_status report_gnuplot_figure_write(const report_run *run, int count,
                                        const char *format, const char *path);

#endif
