/* SPDX-License-Identifier: BSD-3-Clause
 *
 * help.h - a command line for readers and for shells: what --help prints.
 *
 * Notes and details are lines of text. One that begins with a blank is shown as it
 * stands, as an example is; others are wrapped. One that is a single word and a
 * colon ("Files:") heads a section; in a section other than Examples, a line that
 * begins with two blanks is a term, two blanks or more, and what is said of it. */
#ifndef SDCA_CLI_OPTIONS_HELP_H
#define SDCA_CLI_OPTIONS_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options/option_parser.h"

/* --help itself, which is in no table. */
extern const sdca_option sdca_help_option;

/* Print the help of a parsed line in the form that was asked for. Local. */
void sdca_help_print(const sdca_command_line *line, FILE *out);

/* How the help calls the value of the option: nothing for a flag. Local. */
void sdca_help_value_name(const sdca_option *option, char *text, size_t size);

/* What the option does, what it may be and what it is by default. Local. */
void sdca_help_describe(const sdca_option *option, char *text, size_t size);

/* What this exit status of the subcommand means, or NULL if it has none such.
 * Local. */
const char *sdca_help_exit_meaning(const sdca_command_line *line, int exit_status);

/* Is the line of text that begins here the heading of a section? Local. */
bool sdca_help_is_heading(const char *text);

#endif
