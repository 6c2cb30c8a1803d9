/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iteration_bounds.c - the number of steps that suffice by the paper's theorems. */
#include "objective/iteration_bounds.h"

#include <math.h>

static const double e = 2.718281828459045235;

static double lipschitz(const sdca_objective *objective)
{
    return objective->loss->lipschitz(objective->parameter);
}

bool sdca_iteration_bounds_has_lipschitz(const sdca_objective *objective)
{
    return isfinite(lipschitz(objective));
}

bool sdca_iteration_bounds_has_smooth(const sdca_objective *objective)
{
    return objective->loss->smoothness(objective->parameter) > 0.0;
}

/* The greatest (u - a)^2 of two feasible dual variables: 4 L^2, and L^2 for the hinge,
 * whose dual variables have the sign of y. The proof of Theorem 1 calls it G. */
static double squared_diameter(const sdca_objective *objective)
{
    double L     = lipschitz(objective);
    double width = objective->loss->theorem_1_width;

    return width * width * L * L;
}

/* The steps before the bound decreases, t0 of the proof: n ln(2 lambda n eps / G),
 * eps being the distance of the first dual from its maximum: at most 1 at alpha = 0,
 * and sdca_iteration_bounds_sgd_suboptimality() after an epoch of Modified-SGD. The
 * paper's remark on the hinge keeps G = 4 L^2 here, its proof does not: n ln 4 more
 * steps. */
static double burn_in(const sdca_objective *objective, bool sgd_start)
{
    double n     = (double)objective->rows;
    double L     = lipschitz(objective);
    double ratio = sgd_start ? 4.0 * L * L * log(e * n) : 2.0 * objective->lambda * n;

    return fmax(0.0, ceil(n * log(ratio / squared_diameter(objective))));
}

/* The proof needs T0 >= t0 + 4 G/(lambda gap) and T >= T0 + n + G/(lambda gap). */
double sdca_iteration_bounds_lipschitz(const sdca_objective *objective, double gap,
                                       bool sgd_start)
{
    return burn_in(objective, sgd_start) + (double)objective->rows +
           5.0 * squared_diameter(objective) / (objective->lambda * gap);
}

double sdca_iteration_bounds_lipschitz_average_start(const sdca_objective *objective,
                                                     double gap, bool sgd_start)
{
    return burn_in(objective, sgd_start) +
           4.0 * squared_diameter(objective) / (objective->lambda * gap);
}

/* n + 1/(lambda gamma), the time constant of Theorem 2. */
static double time_constant(const sdca_objective *objective)
{
    double gamma = objective->loss->smoothness(objective->parameter);

    return (double)objective->rows + 1.0 / (objective->lambda * gamma);
}

double sdca_iteration_bounds_smooth(const sdca_objective *objective, double gap)
{
    double A = time_constant(objective);

    return fmax(0.0, A * log(A / gap));
}

double sdca_iteration_bounds_smooth_average(const sdca_objective *objective, double gap)
{
    enum { LIMIT = 200 };
    double A    = time_constant(objective);
    double low  = 0.0;
    double high = fmax(1.0, sdca_iteration_bounds_smooth(objective, gap));

    /* T0 = A ln(A / (T0 gap)): the left side rises, the right side falls. */
    for (int k = 0; k < LIMIT; k++) {
        double T0 = (low + high) / 2.0;

        if (T0 < A * log(A / (T0 * gap))) {
            low = T0;
        } else {
            high = T0;
        }
    }
    return 2.0 * high;
}

double sdca_iteration_bounds_sgd_suboptimality(const sdca_objective *objective)
{
    double n = (double)objective->rows;
    double L = lipschitz(objective);

    return 2.0 * L * L * log(e * n) / (objective->lambda * n);
}

double sdca_iteration_bounds_refined(const sdca_objective *objective, double s,
                                     double suboptimality)
{
    return fmax(0.0, 2.0 * ((double)objective->rows / s) * log(2.0 / suboptimality));
}

double sdca_iteration_bounds_refined_floor(const sdca_objective *objective, double s,
                                           double small_gamma_rows)
{
    double L = lipschitz(objective);

    return 8.0 * L * L * s * objective->C * small_gamma_rows / (double)objective->rows;
}

double sdca_iteration_bounds_expected_gap(const sdca_objective *objective, double steps)
{
    double steps_left;

    if (sdca_iteration_bounds_has_smooth(objective)) {
        return time_constant(objective) * exp(-steps / time_constant(objective));
    }
    steps_left = steps - burn_in(objective, false) - (double)objective->rows;
    return steps_left > 0.0
               ? 5.0 * squared_diameter(objective) / (objective->lambda * steps_left)
               : INFINITY;
}
