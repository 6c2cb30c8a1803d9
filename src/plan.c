/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.c - what is asked of a run, who watches it, and what comes of it. */
#include "sdca/plan.h"

#include "sdca/newton.h"

sdca_solver sdca_plan_solver(const sdca_plan *plan, const sdca_objective *objective,
                             const sdca_dataset *data, int ranks)
{
    bool   plain = plan->keep == SDCA_KEEP_BEST && !plan->sgd_start;
    double target =
        plan->gap > 0.0 ? plan->gap : plan->rel_gap; /* P is at most about 1 */

    if (plan->solver != SDCA_SOLVER_AUTO) {
        return plan->solver;
    }
    return plain && sdca_newton_is_faster(objective, data, target, ranks)
               ? SDCA_SOLVER_NEWTON
               : SDCA_SOLVER_SDCA;
}

const char *sdca_plan_solver_name(sdca_solver solver)
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
