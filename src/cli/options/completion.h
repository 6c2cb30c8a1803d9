/* SPDX-License-Identifier: BSD-3-Clause
 *
 * completion.h - a command line as bash has to know it, to complete words. */
#ifndef SDCA_CLI_OPTIONS_COMPLETION_H
#define SDCA_CLI_OPTIONS_COMPLETION_H

#include <stdio.h>

#include "cli/options/option_parser.h"

/* Write the entries of the command line for the table in completion.bash, which
 * says what they mean. Local. */
void sdca_completion_print(const sdca_command_line *line, FILE *out);

#endif
