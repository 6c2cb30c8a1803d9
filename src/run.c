/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.c - a run under way, and what can be asked of it. */
#include "run.h"

bool sdca_run_is_smooth(const sdca_run *r)
{
    return r->problem->loss->smoothness(r->problem->parameter) > 0.0;
}

double sdca_run_target(const sdca_run *r)
{
    return r->plan->gap > 0.0 ? r->plan->gap : r->plan->rel_gap * r->now.primal;
}

bool sdca_run_reached(const sdca_run *r, const sdca_certificate *certificate)
{
    return r->plan->gap > 0.0 ? certificate->gap <= r->plan->gap
                              : sdca_gap_relative(certificate) <= r->plan->rel_gap;
}

static bool must_stop(const sdca_run *r)
{
    return r->asked || (r->plan->seconds > 0.0 && r->clock - r->gone >= r->plan->seconds);
}

bool sdca_run_is_spent(const sdca_run *r)
{
    const sdca_plan *plan = r->plan;

    return (plan->epochs > 0 && r->state->steps >= plan->epochs * r->problem->rows) ||
           (plan->rounds > 0 && r->state->round >= plan->rounds) ||
           (plan->saving.path == NULL && must_stop(r));
}

bool sdca_run_is_stopped(const sdca_run *r)
{
    return r->plan->saving.path != NULL && must_stop(r);
}

void sdca_run_bring_state(sdca_run *r)
{
    if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_local_give(&r->local, r->state->alpha);
        sdca_local_give_w(&r->local, r->state->w);
    }
}
