/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_option_table.h - the command line of train before its words are interpreted:
 * the table of options, its help, and the checks of combinations and ranges. */
#ifndef SDCA_CLI_OPTIONS_TRAIN_OPTION_TABLE_H
#define SDCA_CLI_OPTIONS_TRAIN_OPTION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cli/options/loss_options.h"
#include "cli/options/option_parser.h"
#include "cli/options/train_arguments.h"

enum { TRAIN_OPTIONS_MAX = 80 }; /* entries of the table, with its end */

/* Values that need interpretation; all others are parsed into train_arguments. */
typedef struct train_words {
    loss_options loss;
    const char  *lambda; /* NULL: not given */
    const char  *select;
    const char  *until;  /* NULL: not given */
    const char  *metric; /* NULL: that of the task */
    const char  *order;
    const char  *aggregate;
    const char  *output;
    const char  *normalize;
    const char  *standardize;
    const char  *multiclass;
    const char  *solver;
    const char  *init;
    const char  *step;
    const char  *checkpoint_every;
    const char  *log_every;
    int64_t      seed;
    int64_t      checkpoints_kept;
    bool         deterministic;
} train_words;

/* The command line and what it points to: it cannot be copied. */
typedef struct train_command_line {
    sdca_command_line line;
    sdca_option       table[TRAIN_OPTIONS_MAX];
    const char       *operand[1];
} train_command_line;

/* Make the command line that parses into words and arguments, which have the defaults.
 * Both are kept. Local. */
void train_option_table_create(train_words *words, train_arguments *arguments,
                               train_command_line *out);

/* Reject options that exclude or require each other, and values out of range. Local. */
sdca_status train_option_checks_run(const sdca_command_line *line,
                                    const train_words       *words,
                                    const train_arguments   *arguments);

/* The first given option that applies to coordinate ascent only, or NULL. Local. */
const char *train_option_checks_find_sdca_only(const sdca_command_line *line);

#endif
