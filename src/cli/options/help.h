/* SPDX-License-Identifier: BSD-3-Clause
 *
 * help.h - the help of a command line: text, manual page and shell completion.
 *
 * Notes and details are lines of text. A line that starts with a blank is printed
 * unchanged; others are wrapped. A line that is a single word and a colon ("Files:") is
 * the heading of a section. In sections other than Examples, a line that starts with two
 * blanks is a term, at least two blanks, and its description. */
#ifndef SDCA_CLI_OPTIONS_HELP_H
#define SDCA_CLI_OPTIONS_HELP_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options/option_parser.h"

/* --help itself, which is part of no table. */
extern const sdca_option sdca_help_option;

/* Print the help of a parsed line in the requested form. Local. */
void sdca_help_print(const sdca_command_line *line, FILE *out);

/* The title of a group of options. Local. */
const char *sdca_help_group_title(sdca_option_group group);

/* The option of the group that follows previous, or the first one if that is NULL; NULL
 * at the end. --help is the last of the general options. Local. */
const sdca_option *sdca_help_next_in_group(const sdca_command_line *line,
                                           sdca_option_group        group,
                                           const sdca_option       *previous);

/* The placeholder of the option's value in the help; empty for a flag. Local. */
void sdca_help_value_name(const sdca_option *option, char *text, size_t size);

/* The description of an option: purpose, choices and default. Local. */
void sdca_help_describe(const sdca_option *option, char *text, size_t size);

/* The meaning of an exit status of the subcommand, or NULL if it has no such status.
 * Local. */
const char *sdca_help_exit_meaning(const sdca_command_line *line, int exit_status);

/* Is the line that starts here the heading of a section? Local. */
bool sdca_help_is_heading(const char *text);

#endif
