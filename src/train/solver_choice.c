/* SPDX-License-Identifier: BSD-3-Clause
 *
 * solver_choice.c - the solver of --solver auto. */
#include "train/solver_choice.h"

#include "base/tuning.h"
#include "solver/newton/newton.h"

sdca_solver sdca_solver_choice_for_fit(const sdca_train_options *options,
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

sdca_solver sdca_solver_choice_for_path(const sdca_train_options *options,
                                        const sdca_objective     *objective,
                                        const sdca_dataset *data, int ranks)
{
    bool warm_sdca = objective->loss->has_kinks(objective->parameter) &&
                     ranks <= TUNING_WARM_SDCA_RANKS;

    return options->solver == SDCA_SOLVER_AUTO && warm_sdca
               ? SDCA_SOLVER_SDCA
               : sdca_solver_choice_for_fit(options, objective, data, ranks);
}
