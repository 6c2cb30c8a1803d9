/* SPDX-License-Identifier: BSD-3-Clause
 *
 * training_run.c - a run under way, and what can be asked of it. */
#include "train/training_run.h"

#include <math.h>

bool sdca_training_run_loss_is_smooth(const sdca_training_run *r)
{
    return r->objective->loss->smoothness(r->objective->parameter) > 0.0;
}

double sdca_training_run_target_gap(const sdca_training_run *r)
{
    return r->options->gap > 0.0 ? r->options->gap
                                 : r->options->rel_gap * r->primal_estimate;
}

double sdca_training_run_target_less_rounding(const sdca_training_run *r)
{
    double wanted = sdca_training_run_target_gap(r);

    return r->rounding_bound < wanted ? wanted - r->rounding_bound : wanted;
}

bool sdca_training_run_meets_target(const sdca_training_run *r,
                                    const sdca_certificate  *certificate)
{
    return r->options->gap > 0.0
               ? certificate->gap <= r->options->gap
               : sdca_duality_gap_relative(certificate) <= r->options->rel_gap;
}

bool sdca_training_run_target_below_rounding(const sdca_training_run *r)
{
    double wanted = sdca_training_run_target_gap(r);

    return r->last_is_certified && r->last_certificate.rounding >= wanted &&
           !(r->last_certificate.gap - r->last_certificate.rounding > wanted);
}

double sdca_training_run_rounding_level(const sdca_training_run *r)
{
    return r->newton.step != NULL ? 1e-10 : 1e-12; /* Newton's, also if SDCA goes on */
}

static bool must_stop(const sdca_training_run *r)
{
    return r->stop_requested ||
           (r->options->seconds > 0.0 &&
            r->elapsed - r->elapsed_at_resume >= r->options->seconds);
}

bool sdca_training_run_converged(const sdca_training_run *r)
{
    return r->evaluated_round == r->iterate->round &&
           sdca_training_run_meets_target(r, &r->last_certificate) &&
           sdca_output_iterate_available(&r->output, r->iterate);
}

bool sdca_training_run_budget_exhausted(const sdca_training_run *r)
{
    const sdca_train_options *options = r->options;

    return (options->epochs > 0 &&
            r->iterate->steps >= options->epochs * r->objective->rows) ||
           (options->rounds > 0 && r->iterate->round >= options->rounds) ||
           (options->checkpoint.path == NULL && must_stop(r));
}

bool sdca_training_run_must_interrupt(const sdca_training_run *r)
{
    return r->options->checkpoint.path != NULL && must_stop(r);
}

/* So near the optimum that rounding is all there is, no target may be in reach: a run
 * ends that has found nothing better for a long time. */
static bool stalled_at_rounding(const sdca_training_run *r, double epochs_since_best)
{
    const double patience = 50.0; /* epochs */

    return epochs_since_best > patience &&
           sdca_duality_gap_relative(&r->output.best_certificate) <=
               sdca_training_run_rounding_level(r);
}

/* Where lambda is so small, or numbers are so unlike in size, that next to nothing is
 * gained far from the optimum, neither a smaller gap nor a larger D in half of all steps,
 * a run ends that would not end by itself in anybody's lifetime. */
static bool stalled_far_from_optimum(const sdca_training_run *r, double epochs_since_best)
{
    const double patience = 200.0; /* epochs */
    double       n        = (double)r->objective->rows;
    double       stalled_epochs =
        fmin(epochs_since_best, (double)(r->iterate->steps - r->best_dual_step) / n);

    return r->options->epochs == 0 && r->options->rounds == 0 &&
           stalled_epochs >=
               fmax(patience, sdca_iterate_epochs(r->objective, r->iterate) / 2.0);
}

bool sdca_training_run_stalled(const sdca_training_run *r)
{
    double epochs_since_best =
        (double)(r->iterate->steps - r->output.best_step) / (double)r->objective->rows;

    return sdca_output_iterate_available(&r->output, r->iterate) &&
           (stalled_at_rounding(r, epochs_since_best) ||
            stalled_far_from_optimum(r, epochs_since_best));
}

/* Ranks that move without knowing of each other leave w to and fro, which P feels more
 * than D. With a larger sigma than is best for D, w comes to rest in a sweep or two. */
sdca_sigma sdca_training_run_sigma(const sdca_training_run *r)
{
    const double factor = 2.0;
    double       most   = (double)r->aggregation.ranks;
    sdca_sigma   sigma  = r->aggregation.sigma;

    return r->conservative_sigma
               ? (sdca_sigma){ fmin(most, factor * sigma.orthogonal),
                               fmin(most, factor * sigma.mean_direction) }
               : sigma;
}

/* The share of all steps that fell to the rows before this one; what it grows by from a
 * rank's first row to the next rank's adds up to all of them. */
static int64_t steps_of_rows_before(const sdca_training_run *r, int64_t row)
{
    return (int64_t)rint((double)r->iterate->steps * (double)row / (double)r->data->rows);
}

int64_t sdca_training_run_estimate_rank_steps(const sdca_training_run *r)
{
    sdca_range mine = r->data->local_range;

    return steps_of_rows_before(r, mine.first + mine.count) -
           steps_of_rows_before(r, mine.first);
}

/* The lesser of steps and what is left until a number of steps, if that lies ahead. */
static int64_t limit_steps(const sdca_training_run *r, int64_t steps, int64_t number)
{
    int64_t left = number - r->iterate->steps;

    return left > 0 && left < steps ? left : steps;
}

/* The lesser of steps and my part of what all have left until a guess of the gap, if that
 * is far enough from either, and what may be saved worth one more exchange. */
static int64_t limit_steps_to_estimate(const sdca_training_run *r, int64_t steps)
{
    double  rows         = (double)r->data->x.count;
    double  row_fraction = rows / (double)r->objective->rows;
    int64_t left =
        (int64_t)ceil((double)(r->next_estimate_step - r->iterate->steps) * row_fraction);
    int64_t min_distance = r->data->x.count / SDCA_ESTIMATE_EARLY_DIVISOR;
    double  saved        = (double)(steps - left) * r->round_length.pass_seconds;

    return left > min_distance && left + min_distance < steps &&
                   saved > r->round_length.exchange_seconds * rows
               ? left
               : steps;
}

/* About the pace's share, and such that a whole number of rounds ends the sweeps of all
 * ranks at once: each by itself might choose one more or less, and keep the others
 * waiting. Where next to nothing is left, most begin their next sweep. */
static double even_fraction(const sdca_training_run *r)
{
    double fraction = r->round_length.fraction;
    double left = r->sweep_fraction_left < fraction / 2.0 ? 1.0 : r->sweep_fraction_left;

    return left / fmax(1.0, rint(left / fraction));
}

/* The share of my rows, or of those that do not rest, for the next round. */
static int64_t rank_round_steps(sdca_training_run *r)
{
    double rows     = (double)r->data->x.count;
    double fraction = r->round_length.fraction;

    return r->round_length.adaptive
               ? sdca_ascent_round_steps(&r->ascent, even_fraction(r), true)
           : fraction < 1.0 && !r->ascent.single_rank
               ? sdca_ascent_round_steps(&r->ascent, fraction, false)
               : (int64_t)fmax(1.0, rint(fraction * rows));
}

int64_t sdca_training_run_next_round_steps(sdca_training_run *r)
{
    int64_t rows  = r->data->x.count;
    int64_t steps = rank_round_steps(r);
    int64_t left  = r->options->epochs * rows - r->rank_steps;

    steps = r->options->epochs > 0 && left < steps ? left : steps;
    if (r->options->local_steps <= 0.0) {
        steps = limit_steps_to_estimate(r, steps);
        steps = r->ascent.single_rank ? limit_steps(r, steps, r->next_evaluation_step)
                                      : steps;
    }
    if (r->ascent.single_rank && r->options->output == SDCA_OUTPUT_RANDOM) {
        steps = limit_steps(r, steps, r->output.selected_step);
    }
    return rows > 0 ? steps : 0;
}
