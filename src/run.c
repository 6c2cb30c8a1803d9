/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.c - a run under way, and what can be asked of it. */
#include "run.h"

#include <math.h>

bool sdca_run_is_smooth(const sdca_run *r)
{
    return r->problem->loss->smoothness(r->problem->parameter) > 0.0;
}

double sdca_run_wanted(const sdca_run *r)
{
    return r->plan->gap > 0.0 ? r->plan->gap : r->plan->rel_gap * r->primal;
}

double sdca_run_target(const sdca_run *r)
{
    double wanted = sdca_run_wanted(r);

    return r->rounding < wanted ? wanted - r->rounding : wanted;
}

bool sdca_run_reached(const sdca_run *r, const sdca_certificate *certificate)
{
    return r->plan->gap > 0.0
               ? certificate->gap <= r->plan->gap
               : sdca_duality_gap_relative(certificate) <= r->plan->rel_gap;
}

bool sdca_run_is_unprovable(const sdca_run *r)
{
    double wanted = sdca_run_wanted(r);

    return r->certified && r->now.rounding >= wanted &&
           !(r->now.gap - r->now.rounding > wanted);
}

double sdca_run_limit(const sdca_run *r)
{
    return r->newton.step != NULL ? 1e-10 : 1e-12; /* Newton's, also if SDCA goes on */
}

static bool must_stop(const sdca_run *r)
{
    return r->asked || (r->plan->seconds > 0.0 && r->clock - r->gone >= r->plan->seconds);
}

bool sdca_run_is_at_target(const sdca_run *r)
{
    return r->evaluated == r->state->round && sdca_run_reached(r, &r->now) &&
           sdca_keep_is_ready(&r->keep, r->state);
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

/* So near the optimum that rounding is all there is, no target may be in reach: a run
 * ends that has found nothing better for a long time. */
static bool is_rounding(const sdca_run *r, double since)
{
    const double patience = 50.0; /* epochs */

    return since > patience &&
           sdca_duality_gap_relative(&r->keep.best) <= sdca_run_limit(r);
}

/* Where lambda is so small, or numbers are so unlike in size, that next to nothing is
 * gained far from the optimum, neither a smaller gap nor a larger D in half of all steps,
 * a run ends that would not end by itself in anybody's lifetime. */
static bool is_hopeless(const sdca_run *r, double since)
{
    const double hope    = 200.0; /* epochs */
    double       n       = (double)r->problem->rows;
    double       without = fmin(since, (double)(r->state->steps - r->risen) / n);

    return r->plan->epochs == 0 && r->plan->rounds == 0 &&
           without >= fmax(hope, sdca_iterate_epochs(r->problem, r->state) / 2.0);
}

bool sdca_run_is_stuck(const sdca_run *r)
{
    double since =
        (double)(r->state->steps - r->keep.improved) / (double)r->problem->rows;

    return sdca_keep_is_ready(&r->keep, r->state) &&
           (is_rounding(r, since) || is_hopeless(r, since));
}

void sdca_run_bring_state(sdca_run *r)
{
    if (r->solver == SDCA_SOLVER_SDCA) {
        sdca_ascent_store_alpha(&r->local, r->state->alpha);
        sdca_ascent_store_w(&r->local, r->state->w);
    }
}

/* Ranks that move without knowing of each other leave w to and fro, which P feels more
 * than D. With a larger sigma than is best for D, w comes to rest in a sweep or two. */
sdca_sigma sdca_run_sigma(const sdca_run *r)
{
    const double careful = 2.0;
    double       most    = (double)r->aggregate.ranks;
    sdca_sigma   sigma   = r->aggregate.sigma;

    return r->settles ? (sdca_sigma){ fmin(most, careful * sigma.orthogonal),
                                      fmin(most, careful * sigma.mean_direction) }
                      : sigma;
}

/* The share of all steps that fell to the rows before this one; what it grows by from a
 * rank's first row to the next rank's adds up to all of them. */
static int64_t steps_before(const sdca_run *r, int64_t row)
{
    return (int64_t)rint((double)r->state->steps * (double)row / (double)r->data->rows);
}

int64_t sdca_run_part_of_steps(const sdca_run *r)
{
    sdca_range mine = r->data->local_range;

    return steps_before(r, mine.first + mine.count) - steps_before(r, mine.first);
}

/* The lesser of steps and what is left until a number of steps, if that lies ahead. */
static int64_t no_further(const sdca_run *r, int64_t steps, int64_t number)
{
    int64_t left = number - r->state->steps;

    return left > 0 && left < steps ? left : steps;
}

/* The lesser of steps and my part of what all have left until a guess of the gap, if that
 * is far enough from either, and what may be saved worth one more exchange. */
static int64_t no_further_than_look(const sdca_run *r, int64_t steps)
{
    double  rows  = (double)r->data->x.count;
    double  part  = rows / (double)r->problem->rows;
    int64_t left  = (int64_t)ceil((double)(r->look - r->state->steps) * part);
    int64_t near  = r->data->x.count / SDCA_RUN_NEAR;
    double  saved = (double)(steps - left) * r->pace.pass_seconds;

    return left > near && left + near < steps && saved > r->pace.exchange_seconds * rows
               ? left
               : steps;
}

/* About the pace's share, and such that a whole number of rounds ends the sweeps of all
 * ranks at once: each by itself might choose one more or less, and keep the others
 * waiting. Where next to nothing is left, most begin their next sweep. */
static double even_share(const sdca_run *r)
{
    double share = r->pace.fraction;
    double left  = r->ahead < share / 2.0 ? 1.0 : r->ahead;

    return left / fmax(1.0, rint(left / share));
}

/* The share of my rows, or of those that do not rest, for the next round. */
static int64_t my_share(sdca_run *r)
{
    double rows  = (double)r->data->x.count;
    double share = r->pace.fraction;

    return r->pace.adaptive ? sdca_ascent_round_steps(&r->local, even_share(r), true)
           : share < 1.0 && !r->local.single_rank
               ? sdca_ascent_round_steps(&r->local, share, false)
               : (int64_t)fmax(1.0, rint(share * rows));
}

int64_t sdca_run_next_steps(sdca_run *r)
{
    int64_t rows  = r->data->x.count;
    int64_t steps = my_share(r);
    int64_t left  = r->plan->epochs * rows - r->made;

    steps = r->plan->epochs > 0 && left < steps ? left : steps;
    if (r->plan->local_steps <= 0.0) {
        steps = no_further_than_look(r, steps);
        steps = r->local.single_rank ? no_further(r, steps, r->due) : steps;
    }
    if (r->local.single_rank && r->plan->keep == SDCA_KEEP_RANDOM) {
        steps = no_further(r, steps, r->keep.drawn);
    }
    return rows > 0 ? steps : 0;
}
