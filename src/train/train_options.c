/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.c - the options of a run: their defaults, and how many models they allow
 * side by side. */
#include "train/train_options.h"

#include <math.h>

#include "base/tuning.h"

sdca_train_options sdca_train_options_default(void)
{
    return (sdca_train_options){ .loss           = "hinge",
                                 .loss_parameter = NAN,
                                 .rel_gap        = 1e-3,
                                 .solver         = SDCA_SOLVER_AUTO,
                                 .order          = SDCA_ROW_ORDER_AUTO,
                                 .aggregate      = SDCA_AGGREGATION_LINE_SEARCH,
                                 .output         = SDCA_OUTPUT_BEST,
                                 .average_from   = -1.0,
                                 .checkpoint     = { .older_generations = 1,
                                                     .interval_seconds  = 600.0,
                                                     .adaptive_interval = true } };
}

int sdca_train_options_max_batch(const sdca_train_options *options,
                                 const sdca_dataset       *data)
{
    bool together =
        options->order == SDCA_ROW_ORDER_AUTO && !options->approximate_step &&
        !options->sgd_start &&
        (options->output == SDCA_OUTPUT_BEST || options->output == SDCA_OUTPUT_LAST) &&
        data->columns <= INT32_MAX / (2 * SDCA_MAX_LANES);

    return together ? SDCA_MAX_LANES : 1;
}
