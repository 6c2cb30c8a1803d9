/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_choice.c - whether Newton's method is likely to be faster than SDCA. */
#include <math.h>

#include "newton_sample.h"
#include "sdca/newton.h"

/* Rounds to a relative gap of 1e-4 with a sample before them, without one, and for each
 * decade beyond; how the epochs of SDCA grow with C. */
typedef struct habit {
    double rounds;
    double unprepared;
    double decade;
    double epochs;
} habit;

#define HABIT_LIST(X)                           \
    X(hinge, 7.0, 10.0, 1.5, 5.0)               \
    X(smooth_hinge, 5.0, 8.0, 1.5, 3.0)         \
    X(squared_hinge, 3.0, 6.0, 0.2, 8.0)        \
    X(squared, 1.0, 1.0, 0.0, 8.0)              \
    X(absolute, 8.0, 12.0, 1.5, 3.0)            \
    X(epsilon_insensitive, 8.0, 12.0, 1.5, 3.0) \
    X(logistic, 3.0, 6.0, 0.2, 1.3)
#define HABIT(id, ...) [SDCA_LOSS_##id] = { __VA_ARGS__ },
#define COUNT_HABIT(id, ...) +1

static const habit habits[] = { HABIT_LIST(HABIT) };
_Static_assert(HABIT_LIST(COUNT_HABIT) == SDCA_LOSS_COUNT, "every loss has its habits");

bool sdca_newton_pays(const sdca_problem *problem, const sdca_dataset *data,
                      double target, int ranks)
{
    const double safe     = 1.1;
    const habit *usual    = &habits[problem->loss->kind];
    bool         corners  = sdca_lines_have_corners(problem);
    bool         logistic = problem->loss->kind == SDCA_LOSS_logistic;
    bool         samples  = sdca_newton_sample_size(problem, data) > 0.0;
    double       finest   = corners ? 1e-10 : 1e-14;
    double       n = (double)problem->rows, d = data->columns;
    double       m         = (double)data->nonzeros / n;
    double       curvature = problem->C * data->mean_norm2;
    double       decades   = fmax(0.0, log10(1e-4 / target));
    double       rounds =
        (samples ? usual->rounds : usual->unprepared) + usual->decade * decades;
    double passes, solves, pass, solve, epoch, epochs;

    rounds *= corners ? 1.0 + 0.4 * log10(1.0 + curvature) : 1.0;
    passes = rounds + (samples ? 1.5 : 1.0);
    solves = rounds + (samples ? 6.0 : 0.0);
    pass   = corners ? 55.0 + 0.2 * m * m : (logistic ? 75.0 : 45.0) + 0.3 * m * m;
    solve  = ranks * d * d * d / (12.0 * n);
    epoch  = 15.0 + 2.3 * m + (logistic ? 60.0 : 0.0);
    epochs = (3.5 + usual->epochs * curvature * pow(ranks, 0.7)) *
             (1.0 + decades * (corners ? 0.7 : 0.5));
    return data->columns <= SDCA_NEWTON_COLUMNS / 4 && target >= finest &&
           safe * (passes * pass + solves * solve) < epochs * epoch;
}
