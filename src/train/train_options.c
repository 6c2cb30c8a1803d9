/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.c - what is asked of a run, who watches it, and what comes of it. */
#include "train/train_options.h"

#include "solver/newton/newton.h"

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

const char *sdca_solver_name(sdca_solver solver)
{
    switch (solver) {
    case SDCA_SOLVER_SDCA:
        return "sdca";
    case SDCA_SOLVER_SGD:
        return "sgd";
    case SDCA_SOLVER_NEWTON:
        return "newton";
    case SDCA_SOLVER_AUTO:
        break;
    }
    return "auto";
}
