/* SPDX-License-Identifier: BSD-3-Clause
 *
 * man_page.h - a command line as the source of a manual page. */
#ifndef SDCA_CLI_OPTIONS_MAN_PAGE_H
#define SDCA_CLI_OPTIONS_MAN_PAGE_H

#include <stdio.h>

#include "cli/options/option_parser.h"

/* Print the page sdca-COMMAND(1), or sdca(1) if the command has no name, in the man
 * macros of roff. It has no date, so that builds are reproducible. Local. */
void sdca_man_page_print(const sdca_command_line *line, FILE *out);

#endif
