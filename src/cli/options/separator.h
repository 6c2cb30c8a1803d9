/* SPDX-License-Identifier: BSD-3-Clause
 *
 * separator.h - what parts the fields of a table. */
#ifndef SDCA_CLI_OPTIONS_SEPARATOR_H
#define SDCA_CLI_OPTIONS_SEPARATOR_H

#include "base/status.h"

/* By what --format says, or with "auto" by the name of the file, which may be packed: 0
 * if that is no table's. Local. */
char separator_choose(const char *format, const char *path);

/* What --separator says. Local. */
sdca_status separator_parse(const char *word, char *out);

#endif
