/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.c - defaults of the options, and the choice of a solver. */
#include "train/train_options.h"

#include <math.h>

#include "base/tuning.h"
#include "solver/newton/newton.h"

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

sdca_solver sdca_train_options_resolve_solver(const sdca_train_options *options,
                                              const sdca_objective     *objective,
                                              const sdca_dataset *data, int ranks)
{
    bool plain = options->output == SDCA_OUTPUT_BEST && !options->sgd_start;
    int  models =
        data->classes.count > 2 && sdca_train_options_max_batch(options, data) > 1
             ? data->classes.count
             : 1;
    double target =
        options->gap > 0.0 ? options->gap : options->rel_gap; /* P is at most about 1 */

    if (options->solver != SDCA_SOLVER_AUTO) {
        return options->solver;
    }
    return plain && sdca_newton_is_faster(objective, data, target, ranks, models)
               ? SDCA_SOLVER_NEWTON
               : SDCA_SOLVER_SDCA;
}

sdca_solver sdca_train_options_resolve_path_solver(const sdca_train_options *options,
                                                   const sdca_objective     *objective,
                                                   const sdca_dataset *data, int ranks)
{
    bool warm_sdca = objective->loss->has_kinks(objective->parameter) &&
                     ranks <= TUNING_WARM_SDCA_RANKS;

    return options->solver == SDCA_SOLVER_AUTO && warm_sdca
               ? SDCA_SOLVER_SDCA
               : sdca_train_options_resolve_solver(options, objective, data, ranks);
}
