/* SPDX-License-Identifier: BSD-3-Clause
 *
 * number_text.c - numbers of a report as a reader wants them. */
#include "cli/report/number_text.h"

#include <math.h>
#include <stdio.h>

#define SPACE "\xc2\xa0" /* where a line does not break */

void report_format_number(double value, char text[REPORT_NUMBER_SIZE])
{
    const double least = 9999.5, most = 999999.5; /* with digits that %.4g leaves out */
    double       size = fabs(value);

    snprintf(text, REPORT_NUMBER_SIZE, size >= least && size < most ? "%.0f" : "%.4g",
             value);
}

void report_format_percent(double share, char text[REPORT_NUMBER_SIZE])
{
    const double least = 0.1; /* with two decimals */
    double       value = 100.0 * share;

    snprintf(text, REPORT_NUMBER_SIZE,
             value >= least || value <= 0.0 ? "%.2f" SPACE "%%" : "%.3g" SPACE "%%",
             value);
}

void report_format_seconds(double seconds, char text[REPORT_NUMBER_SIZE])
{
    const double minute = 60.0, hour = 3600.0;

    if (seconds < 0.9995) { /* rounds to less than 1 s */
        snprintf(text, REPORT_NUMBER_SIZE, "%.3g" SPACE "ms", 1e3 * seconds);
    } else if (seconds < 2.0 * minute) {
        snprintf(text, REPORT_NUMBER_SIZE, "%.3g" SPACE "s", seconds);
    } else if (seconds < 2.0 * hour) {
        snprintf(text, REPORT_NUMBER_SIZE, "%.3g" SPACE "min", seconds / minute);
    } else {
        snprintf(text, REPORT_NUMBER_SIZE, "%.4g" SPACE "h", seconds / hour);
    }
}
