/* SPDX-License-Identifier: BSD-3-Clause
 *
 * option_parser.h - the command line of one subcommand, as a table.
 *
 * The table drives the parser and the suggestions for misspelt options; help.h prints
 * it as help text, manual page and shell completion. */
#ifndef SDCA_CLI_OPTIONS_OPTION_PARSER_H
#define SDCA_CLI_OPTIONS_OPTION_PARSER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum sdca_option_kind {
    SDCA_OPTION_FLAG,        /* bool: present or not */
    SDCA_OPTION_TEXT,        /* const char *: any text */
    SDCA_OPTION_CHOICE,      /* const char *: one of the words in argument, split at | */
    SDCA_OPTION_NUMBER,      /* double */
    SDCA_OPTION_POSITIVE,    /* double > 0 */
    SDCA_OPTION_NONNEGATIVE, /* double >= 0 */
    SDCA_OPTION_AUTO,        /* double > 0, or the word auto, which is 0 */
    SDCA_OPTION_COUNT,       /* int64_t >= 0 */
    SDCA_OPTION_COUNT_POSITIVE /* int64_t >= 1 */
} sdca_option_kind;

/* Sections of the help, in the order in which they are printed. */
typedef enum sdca_option_group {
    SDCA_GROUP_PROBLEM,
    SDCA_GROUP_INPUT,
    SDCA_GROUP_STOPPING,
    SDCA_GROUP_SELECTION,
    SDCA_GROUP_OUTPUT,
    SDCA_GROUP_RESTART,
    SDCA_GROUP_PARALLEL,
    SDCA_GROUP_EXPERT,
    SDCA_GROUP_GENERAL, /* --help, and the options of a command with few of them */
    SDCA_GROUP_COUNT
} sdca_option_group;

/* One option: --name, also -short_name unless that is 0. *value before parsing is the
 * default. A name of NULL ends the table. */
typedef struct sdca_option {
    const char       *name;
    char              short_name;
    sdca_option_kind  kind;
    const char       *argument; /* for the help, e.g. "FILE" or "hinge|logistic" */
    void             *value;
    const char       *help; /* a phrase in lower case without a full stop */
    sdca_option_group group;
    bool              given; /* set by the parser */
} sdca_option;

/* The requested form of help. The build uses the last two. */
typedef enum sdca_help_form {
    SDCA_HELP_NONE,
    SDCA_HELP_TEXT,      /* --help or -h */
    SDCA_HELP_MAN_PAGE,  /* --help=man: the source of a manual page */
    SDCA_HELP_COMPLETION /* --help=completion: entries of completion.bash's table */
} sdca_help_form;

/* The command line of a subcommand. Operands are the words that are not options;
 * operand_names has one name for each. The last four members are printed by help.h,
 * which describes their format. */
typedef struct sdca_command_line {
    const char  *command;         /* "train" */
    const char  *purpose;         /* one sentence */
    const char  *operand_names;   /* "DATA.h5" */
    const char  *operand_choices; /* values of the first operand, split at |; NULL: any */
    int          min_operands, max_operands;
    const char **operand; /* max_operands values, NULL where not given */
    sdca_option *options;
    sdca_help_form help_form;   /* set by the parser */
    bool           has_budgets; /* the exit statuses of budgets and signals apply */
    const char    *notes;       /* printed below the options, or NULL */
    const char    *details;     /* printed in the manual page only, or NULL */
    const char    *sections;    /* more of them, from a title on, or NULL */
} sdca_command_line;

/* Parse argv[0 .. argc - 1], the words after the subcommand. Sets *help if --help is
 * among them and checks nothing else then. Fails with SDCA_USAGE and a message that
 * names the mistake and, if there is one, the nearest valid word. Local. */
sdca_status sdca_option_parser_run(sdca_command_line *line, int argc, char **argv,
                                   bool *help);

/* The form of help that this word requests. Local. */
sdca_help_form sdca_option_parser_help_form(const char *word);

/* The form of help that any of a subcommand's words requests. Local. */
sdca_help_form sdca_option_parser_find_help(int argc, char **argv);

/* Was this option given? Local. */
bool sdca_option_parser_is_given(const sdca_command_line *line, const char *name);

/* Copy words that are split at | as a list with commas, truncated to size bytes.
 * Local. */
void sdca_option_parser_list_choices(const char *words, char *list, size_t size);

#endif
