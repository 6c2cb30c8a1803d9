/* SPDX-License-Identifier: BSD-3-Clause
 *
 * separator.h - the field separator of a table. */
#ifndef SDCA_CLI_OPTIONS_SEPARATOR_H
#define SDCA_CLI_OPTIONS_SEPARATOR_H

#include "base/status.h"

/* The separator of --format, or with "auto" of the file's suffix, which may be that of a
 * compressed file; 0 if it is no table. Local. */
char separator_choose(const char *format, const char *path);

/* Parse the value of --separator. Local. */
sdca_status separator_parse(const char *word, char *out);

#endif
