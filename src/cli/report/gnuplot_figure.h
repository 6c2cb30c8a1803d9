/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot_figure.h - runs as one figure, drawn by gnuplot. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_FIGURE_H
#define SDCA_CLI_REPORT_GNUPLOT_FIGURE_H

#include "base/status.h"
#include "cli/report/runs.h"

/* Write the figure of count runs atomically, or of the classes of one run; format is
 * "svg" or "png". Fails with SDCA_CREATE if gnuplot is not installed. Local. */
sdca_status report_gnuplot_figure_write(const report_run *run, int count,
                                        const char *format, const char *path);

#endif
