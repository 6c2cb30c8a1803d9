/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_cost.c - the expected time of Newton's method and of SDCA, to choose between
 * them. newton.h describes the model; what depends on the loss is in its entry. */
#include <math.h>

#include "solver/newton/newton.h"
#include "solver/newton/newton_sample.h"

bool sdca_newton_is_faster(const sdca_objective *objective, const sdca_dataset *data,
                           double target, int ranks)
{
    const double     safety_factor = 1.1;
    const sdca_loss *loss          = objective->loss;
    bool             kinks         = loss->has_kinks(objective->parameter);
    bool             samples       = sdca_newton_sample_size(objective, data) > 0.0;
    double           min_target    = kinks ? 1e-10 : 1e-14;
    double           n = (double)objective->rows, d = data->columns;
    double           m         = (double)data->nonzeros / n;
    double           curvature = objective->C * data->mean_norm2;
    double           decades   = fmax(0.0, log10(1e-4 / target));
    double           rounds    = (samples ? loss->newton_rounds.after_sample
                                          : loss->newton_rounds.without_sample) +
                    loss->newton_rounds.per_decade * decades;
    double passes, solves, pass, solve, epoch, epochs;

    rounds *= kinks ? 1.0 + 0.4 * log10(1.0 + curvature) : 1.0;
    passes = rounds + (samples ? 1.5 : 1.0);
    solves = rounds + (samples ? 6.0 : 0.0);
    pass   = kinks ? 55.0 + 0.2 * m * m : 45.0 + 0.3 * m * m;
    pass += loss->extra_nanoseconds.newton;
    solve  = ranks * d * d * d / (12.0 * n);
    epoch  = 15.0 + 2.3 * m + loss->extra_nanoseconds.sdca;
    epochs = (3.5 + loss->sdca_epochs * curvature * pow(ranks, 0.7)) *
             (1.0 + decades * (kinks ? 0.7 : 0.5));
    return data->columns <= SDCA_NEWTON_MAX_COLUMNS / 4 && target >= min_target &&
           safety_factor * (passes * pass + solves * solve) < epochs * epoch;
}
