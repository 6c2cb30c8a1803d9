/* SPDX-License-Identifier: BSD-3-Clause
 *
 * completion.h - the entries of a command line in the table of completion.bash. */
#ifndef SDCA_CLI_OPTIONS_COMPLETION_H
#define SDCA_CLI_OPTIONS_COMPLETION_H

#include <stdio.h>

#include "cli/options/option_parser.h"

/* Print the entries of the command line; completion.bash describes them. Local. */
void sdca_completion_print(const sdca_command_line *line, FILE *out);

#endif
