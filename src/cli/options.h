/* SPDX-License-Identifier: BSD-3-Clause
 *
 * options.h - the command line of one subcommand, as a table.
 *
 * The same table parses the words, prints the help and finds what was meant by
 * a misspelt option. */
#ifndef SDCA_OPTIONS_H
#define SDCA_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sdca/status.h"

typedef enum sdca_option_kind {
    SDCA_OPTION_FLAG,     /* bool: present or not */
    SDCA_OPTION_TEXT,     /* const char *: any words */
    SDCA_OPTION_CHOICE,   /* const char *: one of the words in argument, between bars */
    SDCA_OPTION_POSITIVE, /* double > 0 */
    SDCA_OPTION_NATURAL,  /* double >= 0 */
    SDCA_OPTION_AUTO,     /* double > 0, or the word auto, which is 0 */
    SDCA_OPTION_COUNT,    /* int64_t >= 0 */
    SDCA_OPTION_COUNT_POSITIVE /* int64_t >= 1 */
} sdca_option_kind;

/* One option: --name, also -letter if letter is not 0. The value that target
 * points to before parsing is the default. A name of NULL ends the table. */
typedef struct sdca_option {
    const char      *name;
    char             letter;
    sdca_option_kind kind;
    const char      *argument; /* for the help, e.g. "FILE" or "hinge|logistic" */
    void            *target;
    const char      *help;  /* one sentence in lower case without a full stop */
    bool             given; /* set by the parser */
} sdca_option;

/* What a subcommand takes. operands are its words without dashes: their names,
 * one per word of the usage line, at least and at most so many. */
typedef struct sdca_command_line {
    const char  *command;  /* "train" */
    const char  *purpose;  /* one sentence */
    const char  *operands; /* "DATA.h5" */
    int          least, most;
    const char **operand; /* most of them, NULL where not given */
    sdca_option *options;
    const char  *notes; /* below the options, or NULL: see sdca_options_help() */
} sdca_command_line;

/* Understand argv[0 .. argc - 1], the words after the subcommand. *help says
 * that --help was among them; nothing else is then checked. Fails with SDCA_USAGE
 * and a sentence that says what is wrong and what was meant. Local. */
sdca_status sdca_options_parse(sdca_command_line *line, int argc, char **argv,
                               bool *help);

/* Was this option given? Local. */
bool sdca_options_given(const sdca_command_line *line, const char *name);

/* The text of --help. A line of the notes is wrapped, unless it begins with a
 * blank, as an example does: then it is shown as it stands. Local. */
void sdca_options_help(const sdca_command_line *line, FILE *out);

/* The one of count words that is nearest to word, or NULL if none is near.
 * Local. */
const char *sdca_options_nearest(const char *word, const char *const *words, int count);

#endif
