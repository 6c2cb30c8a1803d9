/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_options.h - --loss and the options for the parameters of losses, generated from
 * the table of losses. */
#ifndef SDCA_CLI_OPTIONS_LOSS_OPTIONS_H
#define SDCA_CLI_OPTIONS_LOSS_OPTIONS_H

#include <stddef.h>

#include "base/status.h"
#include "cli/options/option_parser.h"
#include "objective/loss.h"

enum { LOSS_OPTIONS_MAX = 1 + SDCA_LOSS_COUNT }; /* --loss, and one for each loss */

typedef struct loss_options {
    const char *name;                       /* of the loss */
    double      parameter[SDCA_LOSS_COUNT]; /* by loss */
    char        help[80];                   /* of --loss */
} loss_options;

/* Set the defaults, and write the entries of a table of options that parse into options,
 * at most LOSS_OPTIONS_MAX; returns their number. The entries point into options.
 * Local. */
size_t loss_options_create(loss_options *options, sdca_option *table);

/* Reject the option of another loss, and a parameter out of range. Local. */
sdca_status loss_options_check(const loss_options      *options,
                               const sdca_command_line *line);

/* The chosen loss, and its parameter; 0 if it has none. Local. */
const sdca_loss *loss_options_loss(const loss_options *options);
double           loss_options_parameter(const loss_options *options);

#endif
