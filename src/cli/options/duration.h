/* SPDX-License-Identifier: BSD-3-Clause
 *
 * duration.h - a duration as an option value: 90s, 10m, 2h or 1d. */
#ifndef SDCA_CLI_OPTIONS_DURATION_H
#define SDCA_CLI_OPTIONS_DURATION_H

#include <stdbool.h>

/* Parse a number above 0 with its unit. False if the text is anything else. Local. */
bool duration_parse(const char *text, double *seconds);

#endif
