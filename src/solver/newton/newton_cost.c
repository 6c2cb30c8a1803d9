/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_cost.c - whether Newton's method is likely to be faster than SDCA. */
#include <math.h>

#include "solver/newton/newton.h"
#include "solver/newton/newton_sample.h"

/* Rounds to a relative gap of 1e-4 with a sample before them, without one, and for each
 * decade beyond; how the epochs of SDCA grow with C. */
typedef struct cost_constants {
    double rounds_after_sample;
    double rounds_without_sample;
    double rounds_per_decade;
    double sdca_epochs_per_q;
} cost_constants;

#define COST_CONSTANTS_LIST(X)                  \
    X(hinge, 7.0, 10.0, 1.5, 5.0)               \
    X(smooth_hinge, 5.0, 8.0, 1.5, 3.0)         \
    X(squared_hinge, 3.0, 6.0, 0.2, 8.0)        \
    X(squared, 1.0, 1.0, 0.0, 8.0)              \
    X(absolute, 8.0, 12.0, 1.5, 3.0)            \
    X(epsilon_insensitive, 8.0, 12.0, 1.5, 3.0) \
    X(logistic, 3.0, 6.0, 0.2, 1.3)
#define COST_CONSTANTS(id, ...) [SDCA_LOSS_##id] = { __VA_ARGS__ },
#define COUNT_COST_CONSTANTS(id, ...) +1

static const cost_constants cost_table[] = { COST_CONSTANTS_LIST(COST_CONSTANTS) };
_Static_assert(COST_CONSTANTS_LIST(COUNT_COST_CONSTANTS) == SDCA_LOSS_COUNT,
               "every loss has its habits");

bool sdca_newton_is_faster(const sdca_objective *objective, const sdca_dataset *data,
                           double target, int ranks)
{
    const double          safety_factor = 1.1;
    const cost_constants *constants     = &cost_table[objective->loss->kind];
    bool                  kinks         = sdca_newton_rows_loss_has_kinks(objective);
    bool                  logistic      = objective->loss->kind == SDCA_LOSS_logistic;
    bool                  samples       = sdca_newton_sample_size(objective, data) > 0.0;
    double                min_target    = kinks ? 1e-10 : 1e-14;
    double                n = (double)objective->rows, d = data->columns;
    double                m         = (double)data->nonzeros / n;
    double                curvature = objective->C * data->mean_norm2;
    double                decades   = fmax(0.0, log10(1e-4 / target));
    double                rounds =
        (samples ? constants->rounds_after_sample : constants->rounds_without_sample) +
        constants->rounds_per_decade * decades;
    double passes, solves, pass, solve, epoch, epochs;

    rounds *= kinks ? 1.0 + 0.4 * log10(1.0 + curvature) : 1.0;
    passes = rounds + (samples ? 1.5 : 1.0);
    solves = rounds + (samples ? 6.0 : 0.0);
    pass   = kinks ? 55.0 + 0.2 * m * m : (logistic ? 75.0 : 45.0) + 0.3 * m * m;
    solve  = ranks * d * d * d / (12.0 * n);
    epoch  = 15.0 + 2.3 * m + (logistic ? 60.0 : 0.0);
    epochs = (3.5 + constants->sdca_epochs_per_q * curvature * pow(ranks, 0.7)) *
             (1.0 + decades * (kinks ? 0.7 : 0.5));
    return data->columns <= SDCA_NEWTON_MAX_COLUMNS / 4 && target >= min_target &&
           safety_factor * (passes * pass + solves * solve) < epochs * epoch;
}
