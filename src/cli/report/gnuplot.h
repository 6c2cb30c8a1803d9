/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot.h - have gnuplot draw a picture. */
#ifndef SDCA_CLI_REPORT_GNUPLOT_H
#define SDCA_CLI_REPORT_GNUPLOT_H

#include <stdio.h>

#include "base/status.h"

/* Have the commands in script, a file that can be read and written, drawn to path, whole
 * or not at all; end is how a whole picture ends, but for ends of lines. Fails with
 * SDCA_CREATE if there is no gnuplot here, or it refuses. Local. */
sdca_status gnuplot_draw(FILE *script, const char *end, const char *path);

#endif
