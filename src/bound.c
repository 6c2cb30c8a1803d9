/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bound.c - how many steps the theorems promise to be enough. */
#include "sdca/bound.h"

#include <math.h>

static const double e = 2.718281828459045235;

bool sdca_bound_has_lipschitz(const sdca_problem *problem)
{
    return isfinite(problem->loss->lipschitz);
}

bool sdca_bound_has_smooth(const sdca_problem *problem)
{
    return problem->loss->smoothness(problem->parameter) > 0.0;
}

/* The greatest (u - a)^2 of two feasible dual variables: 4 L^2, and L^2 for the hinge,
 * whose dual variables have one sign. The proof of Theorem 1 calls it G. */
static double spread(const sdca_problem *problem)
{
    double L = problem->loss->lipschitz;

    return (problem->loss->kind == SDCA_LOSS_hinge ? 1.0 : 4.0) * L * L;
}

/* The steps until the bound begins to fall, t0 of the proof: n ln(2 lambda n eps / G),
 * eps being the distance of the first dual from its maximum: at most 1 at alpha = 0,
 * and sdca_bound_sgd_dual() after an epoch of Modified-SGD. The paper's remark on the
 * hinge keeps G = 4 L^2 here, its proof does not: n ln 4 more steps. */
static double head(const sdca_problem *problem, bool sgd_start)
{
    double n     = (double)problem->rows;
    double L     = problem->loss->lipschitz;
    double ratio = sgd_start ? 4.0 * L * L * log(e * n) : 2.0 * problem->lambda * n;

    return fmax(0.0, ceil(n * log(ratio / spread(problem))));
}

/* The proof wants T0 >= t0 + 4 G/(lambda gap) and T >= T0 + n + G/(lambda gap). */
double sdca_bound_lipschitz(const sdca_problem *problem, double gap, bool sgd_start)
{
    return head(problem, sgd_start) + (double)problem->rows +
           5.0 * spread(problem) / (problem->lambda * gap);
}

double sdca_bound_lipschitz_from(const sdca_problem *problem, double gap, bool sgd_start)
{
    return head(problem, sgd_start) + 4.0 * spread(problem) / (problem->lambda * gap);
}

/* n + 1/(lambda gamma), the time constant of Theorem 2. */
static double constant(const sdca_problem *problem)
{
    double gamma = problem->loss->smoothness(problem->parameter);

    return (double)problem->rows + 1.0 / (problem->lambda * gamma);
}

double sdca_bound_smooth(const sdca_problem *problem, double gap)
{
    double A = constant(problem);

    return fmax(0.0, A * log(A / gap));
}

double sdca_bound_smooth_average(const sdca_problem *problem, double gap)
{
    enum { LIMIT = 200 };
    double A    = constant(problem);
    double low  = 0.0;
    double high = fmax(1.0, sdca_bound_smooth(problem, gap));

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

double sdca_bound_sgd_dual(const sdca_problem *problem)
{
    double n = (double)problem->rows;
    double L = problem->loss->lipschitz;

    return 2.0 * L * L * log(e * n) / (problem->lambda * n);
}

double sdca_bound_refined(const sdca_problem *problem, double s, double left)
{
    return fmax(0.0, 2.0 * ((double)problem->rows / s) * log(2.0 / left));
}

double sdca_bound_refined_floor(const sdca_problem *problem, double s, double few)
{
    double L = problem->loss->lipschitz;

    return 8.0 * L * L * s * problem->C * few / (double)problem->rows;
}

double sdca_bound_gap(const sdca_problem *problem, double steps)
{
    double past;

    if (sdca_bound_has_smooth(problem)) {
        return constant(problem) * exp(-steps / constant(problem));
    }
    past = steps - head(problem, false) - (double)problem->rows;
    return past > 0.0 ? 5.0 * spread(problem) / (problem->lambda * past) : INFINITY;
}
