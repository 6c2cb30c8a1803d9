/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loss_options.c - --loss and the options for the parameters of losses. */
#include "cli/options/loss_options.h"

#include <stdio.h>
#include <string.h>

static bool share_parameter(const sdca_loss *a, const sdca_loss *b)
{
    return a->parameter != NULL && b->parameter != NULL &&
           strcmp(a->parameter, b->parameter) == 0;
}

/* The first loss with the parameter of this one: the option's value is stored there. */
static const sdca_loss *find_owner(const sdca_loss *loss)
{
    const sdca_loss *owner = sdca_losses;

    while (!share_parameter(owner, loss)) {
        owner++;
    }
    return owner;
}

/* Losses for regression are listed after those for classification. */
static const char *first_regression_loss(void)
{
    const sdca_loss *loss = sdca_losses;

    while (loss->classification) {
        loss++;
    }
    return loss->name;
}

size_t loss_options_create(loss_options *options, sdca_option *table)
{
    size_t count = 0;

    *options = (loss_options){ .name = sdca_losses[0].name };
    snprintf(options->help, sizeof options->help,
             "loss function; %s and those after it are for regression",
             first_regression_loss());
    table[count++] = (sdca_option){ .name     = "loss",
                                    .kind     = SDCA_OPTION_CHOICE,
                                    .argument = sdca_loss_choices(),
                                    .value    = &options->name,
                                    .help     = options->help,
                                    .group    = SDCA_GROUP_PROBLEM };
    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        const sdca_loss        *loss   = &sdca_losses[k];
        const sdca_loss_option *option = &loss->parameter_option;

        if (loss->parameter == NULL || find_owner(loss) != loss) {
            continue;
        }
        options->parameter[k] = option->initial;
        table[count++] =
            (sdca_option){ .name     = loss->parameter,
                           .kind     = option->least > 0.0 ? SDCA_OPTION_POSITIVE
                                                           : SDCA_OPTION_NONNEGATIVE,
                           .argument = option->argument,
                           .value    = &options->parameter[k],
                           .help     = option->help,
                           .group    = SDCA_GROUP_PROBLEM };
    }
    return count;
}

const sdca_loss *loss_options_loss(const loss_options *options)
{
    return sdca_loss_find(options->name);
}

double loss_options_parameter(const loss_options *options)
{
    const sdca_loss *loss = loss_options_loss(options);

    return loss->parameter != NULL ? options->parameter[find_owner(loss)->kind] : 0.0;
}

sdca_status loss_options_check(const loss_options *options, const sdca_command_line *line)
{
    const sdca_loss        *loss   = loss_options_loss(options);
    const sdca_loss_option *option = &loss->parameter_option;
    double                  value  = loss_options_parameter(options);

    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        const sdca_loss *other = &sdca_losses[k];

        if (other->parameter != NULL && !share_parameter(other, loss) &&
            sdca_option_parser_is_given(line, other->parameter)) {
            return SDCA_FAIL(SDCA_USAGE, "--%s belongs to --loss %s, not to %s",
                             other->parameter, other->name, loss->name);
        }
    }
    if (loss->parameter != NULL &&
        !(value >= option->least && value <= option->greatest)) {
        return SDCA_FAIL(SDCA_USAGE, "--%s must be between %g and %g", loss->parameter,
                         option->least, option->greatest);
    }
    return SDCA_OK;
}
