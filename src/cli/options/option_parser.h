/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_parser.h - the command line of one subcommand, as a table.
 *
 * The same table parses the words and finds what was meant by a misspelt option;
 * help.h prints it for readers, and for shells. */
#ifndef SDCA_CLI_OPTIONS_OPTION_PARSER_H
#define SDCA_CLI_OPTIONS_OPTION_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum sdca_option_kind {
    SDCA_OPTION_FLAG,     /* bool: present or not */
    SDCA_OPTION_TEXT,     /* const char *: any words */
    SDCA_OPTION_CHOICE,   /* const char *: one of the words in argument, between bars */
    SDCA_OPTION_POSITIVE, /* double > 0 */
    SDCA_OPTION_NONNEGATIVE,   /* double >= 0 */
    SDCA_OPTION_AUTO,          /* double > 0, or the word auto, which is 0 */
    SDCA_OPTION_COUNT,         /* int64_t >= 0 */
    SDCA_OPTION_COUNT_POSITIVE /* int64_t >= 1 */
} sdca_option_kind;

/* One option: --name, also -letter if letter is not 0. The value that target
 * points to before parsing is the default. A name of NULL ends the table. */
typedef struct sdca_option {
    const char      *name;
    char             short_name;
    sdca_option_kind kind;
    const char      *argument; /* for the help, e.g. "FILE" or "hinge|logistic" */
    void            *value;
    const char      *help;  /* one sentence in lower case without a full stop */
    bool             given; /* set by the parser */
} sdca_option;

/* In which form help is asked for. The last two are for those who build sdca. */
typedef enum sdca_help_form {
    SDCA_HELP_NONE,
    SDCA_HELP_TEXT,      /* --help or -h */
    SDCA_HELP_MAN_PAGE,  /* --help=man: the source of a manual page */
    SDCA_HELP_COMPLETION /* --help=completion: what bash has to know */
} sdca_help_form;

/* What a subcommand takes. operands are its words without dashes: their names,
 * one per word of the usage line, at least and at most so many. The last three
 * members are for help.h, which says how they are written. */
typedef struct sdca_command_line {
    const char *command;       /* "train" */
    const char *purpose;       /* one sentence */
    const char *operand_names; /* "DATA.h5" */
    const char
        *operand_choices; /* what the first may be, between bars, or NULL: anything */
    int  min_operands, max_operands;
    const char   **operand; /* most of them, NULL where not given */
    sdca_option   *options;
    sdca_help_form help_form;   /* set by the parser */
    bool           has_budgets; /* it has budgets, and exit statuses of their own */
    const char    *notes;       /* below the options, or NULL */
    const char    *details;     /* more of it, for the manual alone, or NULL */
} sdca_command_line;

/* Understand argv[0 .. argc - 1], the words after the subcommand. *help says
 * that --help was among them; nothing else is then checked. Fails with SDCA_USAGE
 * and a sentence that says what is wrong and what was meant. Local. */
sdca_status sdca_option_parser_run(sdca_command_line *line, int argc, char **argv,
                                   bool *help);

/* The form of help that this word asks for. Local. */
sdca_help_form sdca_option_parser_help_form(const char *word);

/* The form of help that the words of a subcommand ask for, wherever it stands. Local. */
sdca_help_form sdca_option_parser_find_help(int argc, char **argv);

/* Was this option given? Local. */
bool sdca_option_parser_is_given(const sdca_command_line *line, const char *name);

/* Copy the words between bars, with a comma and a blank for each bar; what does
 * not fit into size bytes is cut off. Local. */
void sdca_option_parser_list_choices(const char *words, char *list, size_t size);

/* The one of count words that is nearest to word, or NULL if none is near.
 * Local. */
const char *sdca_option_parser_find_closest(const char *word, const char *const *words,
                                            int count);

#endif
