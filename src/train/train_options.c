/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.c - defaults of the options, and the choice of a solver. */
#include "train/train_options.h"

#include <math.h>

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

sdca_solver sdca_train_options_resolve_solver(const sdca_train_options *options,
                                              const sdca_objective     *objective,
                                              const sdca_dataset *data, int ranks)
{
    bool   plain = options->output == SDCA_OUTPUT_BEST && !options->sgd_start;
    double target =
        options->gap > 0.0 ? options->gap : options->rel_gap; /* P is at most about 1 */

    if (options->solver != SDCA_SOLVER_AUTO) {
        return options->solver;
    }
    return plain && sdca_newton_is_faster(objective, data, target, ranks)
               ? SDCA_SOLVER_NEWTON
               : SDCA_SOLVER_SDCA;
}
