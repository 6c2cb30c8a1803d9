/* SPDX-License-Identifier: BSD-3-Clause
 *
 * duration.c - a duration as an option value: 90s, 10m, 2h or 1d. */
#include "cli/options/duration.h"

#include <stdlib.h>

bool duration_parse(const char *text, double *seconds)
{
    static const struct {
        char   unit;
        double seconds;
    } units[] = { { 's', 1.0 }, { 'm', 60.0 }, { 'h', 3600.0 }, { 'd', 86400.0 } };
    char  *end;
    double number = strtod(text, &end);

    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++) {
        if (end > text && number > 0.0 && number <= 1e9 && end[0] == units[k].unit &&
            end[1] == '\0') {
            *seconds = number * units[k].seconds;
            return true;
        }
    }
    return false;
}
