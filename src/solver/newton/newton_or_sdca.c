/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_or_sdca.c - the expected time of Newton's method and of SDCA, to choose between
 * them. newton.h describes the model; what depends on the loss is in its entry. */
#include <math.h>

#include "base/tuning.h"
#include "solver/newton/newton.h"
#include "solver/newton/newton_start_sample.h"

/* The time that SDCA takes for each of several models, relative to one alone: whole
 * batches of eight, then the rest. */
static double relative_lane_time(int models)
{
    int    rest   = models % SDCA_MAX_LANES;
    double passes = TUNING_LANE_PASSES;
    double last   = rest > SDCA_MAX_LANES / 2 ? passes : tuning_four_lane_passes;

    return (models / SDCA_MAX_LANES * passes + fmin((double)rest, last)) / models;
}

bool sdca_newton_is_faster(const sdca_objective *objective, const sdca_dataset *data,
                           double target, int ranks, int models)
{
    const sdca_loss *loss    = objective->loss;
    bool             kinks   = loss->has_kinks(objective->parameter);
    bool             samples = sdca_newton_sample_size(objective, data) > 0.0;
    double min_target = kinks ? tuning_choice_kinked_target : tuning_choice_smooth_target;
    double n = (double)objective->rows, d = data->columns;
    double m         = (double)data->nonzeros / n;
    double curvature = sdca_dataset_mean_curvature(data, objective->lambda);
    double decades   = fmax(0.0, log10(tuning_choice_first_target / target));
    double rounds    = (samples ? loss->newton_rounds.after_sample
                                : loss->newton_rounds.without_sample) +
                    loss->newton_rounds.per_decade * decades;
    double passes, solves, pass, solve, epoch, epochs;

    rounds *= kinks ? 1.0 + tuning_choice_kinked_rounds * log10(1.0 + curvature) : 1.0;
    passes = rounds + 1.0 + (samples ? tuning_choice_sample_passes : 0.0);
    solves = rounds + (samples ? tuning_choice_sample_solves : 0.0);
    pass   = kinks ? tuning_choice_kinked_pass + tuning_choice_kinked_nonzeros2 * m * m
                   : tuning_choice_smooth_pass + tuning_choice_smooth_nonzeros2 * m * m;
    pass += loss->extra_nanoseconds.newton;
    solve = ranks * d * d * d / (tuning_choice_cholesky * n);
    epoch = tuning_choice_epoch + tuning_choice_epoch_nonzeros * m +
            loss->extra_nanoseconds.sdca;
    epochs = (tuning_choice_epochs +
              loss->sdca_epochs * curvature * pow(ranks, tuning_choice_rank_exponent)) *
             (1.0 + decades * (kinks ? tuning_choice_kinked_decade
                                     : tuning_choice_smooth_decade)) *
             relative_lane_time(models);
    return data->columns <= TUNING_NEWTON_AUTO_COLUMNS && target >= min_target &&
           tuning_choice_safety * (passes * pass + solves * solve) < epochs * epoch;
}
