/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregate.c - how the moves of all ranks become one move of w.
 *
 * Along the summed move, the dual is a concave function of the step eta,
 *
 *     n D(eta) = sum psi_i(alpha_i + eta d_i) - |w + eta dw|^2 / (2 C),
 *
 * with psi_i(a) = -phi_i*(-a). The sum runs over the rows moved in this round,
 * each on its own rank; everything else is in the vectors. So three numbers per
 * rank give the slopes at 0 and 1 and the curvature at 1, which for all losses but the
 * logistic and the epsilon-insensitive decide eta at once, and mostly for these too. */
#include "sdca/aggregate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "inline.h"
#include "sdca/comm.h"
#include "sdca/memory.h"

/* The scalars that ranks add up with their changes of w: the drift and its square, the
 * sums of a line search, whether it may go beyond 1, and counts. */
enum { LEVELS = 6 }; /* of eta, beyond 1 */
enum {
    DRIFT,
    DRIFT2,
    SLOPE_AT_0,
    SLOPE_AT_1,
    BEND_AT_1,
    AT_END,
    BLOCKED,
    STEPS = BLOCKED + LEVELS,
    SHARED,
    SCALARS = SHARED + SDCA_AGGREGATE_SHARED
};
_Static_assert(SCALARS <= (int)SDCA_VECTOR_ALLREDUCE_MAX_SCALARS,
               "an exchange has room for them");

/* sigma's memory from round to round, and how near 1 it may come: at 1 the
 * ranks would not allow for each other at all, which can stall. */
static const double memory = 0.7;
static const double margin = 0.05;

sdca_status sdca_aggregate_create(MPI_Comm comm, sdca_aggregate_rule rule, double sigma,
                                  const sdca_state *state, sdca_local *local,
                                  sdca_aggregate *out)
{
    sdca_status    status    = SDCA_OK;
    sdca_aggregate aggregate = { .rule = rule, .eta = 1.0 };

    aggregate.ranks = sdca_comm_size(comm);
    if (aggregate.ranks == 1) {
        sigma = 1.0; /* nobody else moves */
    } else if (sigma <= 0.0) {
        sigma            = rule == SDCA_AGGREGATE_AVERAGE ? 1.0 : (double)aggregate.ranks;
        aggregate.adapts = rule == SDCA_AGGREGATE_LINE_SEARCH;
    }
    aggregate.sigma = (sdca_sigma){ sigma, sigma };
    if (!local->alone) {
        SDCA_TRY(sdca_vector_allreduce_create(comm, local->columns, SCALARS,
                                              &aggregate.exchange));
        sdca_local_share(local, state, aggregate.exchange.local);
    }
    *out = aggregate;

done:
    return status;
}

void sdca_aggregate_free(sdca_aggregate *aggregate)
{
    sdca_vector_allreduce_free(&aggregate->exchange);
}

/* The mean row, as long as a unit; false if it vanishes. Collective. */
static bool find_mean(MPI_Comm comm, const sdca_dataset *data, double *mean)
{
    double norm2 = 0.0;

    memset(mean, 0, (size_t)data->columns * sizeof *mean);
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_rows_axpy(&data->x, i, 1.0, mean);
    }
    sdca_comm_allreduce_sum(comm, mean, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += mean[j] * mean[j];
    }
    for (int32_t j = 0; j < data->columns; j++) {
        mean[j] /= sqrt(norm2);
    }
    return norm2 > 0.0 && isfinite(norm2);
}

/* How far rows go along the mean row; false if for any of them that is too much for
 * float32. Collective. */
static bool find_leans(MPI_Comm comm, const sdca_dataset *data, const double *mean,
                       float *lean)
{
    double most = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double x = sdca_rows_dot(&data->x, i, mean);

        most    = fmax(most, fabs(x));
        lean[i] = (float)x;
    }
    sdca_comm_allreduce_max(comm, &most, 1);
    return most <= (double)FLT_MAX;
}

sdca_status sdca_aggregate_deflate(MPI_Comm comm, const sdca_dataset *data,
                                   sdca_local *local, sdca_aggregate *aggregate)
{
    const int   many   = 4; /* with fewer, one sigma for all directions will do */
    sdca_status status = SDCA_OK;
    float      *lean   = NULL;
    double     *mean   = NULL;

    if (!aggregate->adapts || aggregate->ranks < many) {
        return SDCA_OK;
    }
    lean = sdca_alloc_array(data->x.count, sizeof *lean);
    mean = sdca_alloc_array((size_t)data->columns, sizeof *mean);
    if (lean == NULL || mean == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the mean of %lu rows",
                           (unsigned long)data->x.count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (find_mean(comm, data, mean) && find_leans(comm, data, mean, lean)) {
        local->lean = lean;
        lean        = NULL; /* now local's */
    }

done:
    free(lean);
    free(mean);
    return status;
}

/* I(y) of all y, which is that of +1 or of -1. */
typedef struct intervals {
    sdca_interval of[2];
} intervals;

static intervals find_intervals(const sdca_loss *loss)
{
    return (intervals){ { loss->feasible(-1.0), loss->feasible(1.0) } };
}

/* The alpha of a visited row if the step were eta: on the way from what it was to
 * what it has become, kept feasible against rounding. */
static double alpha_at(const intervals *allowed, const sdca_visit *visit, double eta)
{
    const sdca_interval *of    = &allowed->of[visit->y > 0.0];
    double               alpha = visit->alpha + eta * (visit->becomes - visit->alpha);

    return eta == 1.0 ? visit->becomes : fmin(of->high, fmax(of->low, alpha));
}

/* This rank's part of the slope and curvature of sum psi at eta. */
static void sum_slopes(const sdca_problem *problem, const sdca_local *local, double eta,
                       double *slope, double *bend)
{
    intervals allowed = find_intervals(problem->loss);

    *slope = 0.0;
    *bend  = 0.0;
    for (uint32_t k = 0; k < local->tally.visits; k++) {
        const sdca_visit *visit = &local->visit[k];
        double            d     = visit->becomes - visit->alpha;
        double            alpha = alpha_at(&allowed, visit, eta);

        *slope += problem->loss->slope(problem->parameter, alpha, visit->y) * d;
        *bend += problem->loss->bend(problem->parameter, alpha, visit->y) * d * d;
    }
}

/* The largest eta, at least 1, for which a visited row stays feasible. */
static double largest_eta_of(const intervals *allowed, const sdca_visit *visit)
{
    double               d    = visit->becomes - visit->alpha;
    const sdca_interval *of   = &allowed->of[visit->y > 0.0];
    double               room = (d > 0.0 ? of->high : of->low) - visit->alpha;

    return d != 0.0 ? fmax(1.0, room / d) : INFINITY;
}

static double level(int k)
{
    return 1.0 + 0.04 * k;
}

/* Is a visited row at the end of its interval, so that nobody may go beyond 1, or else in
 * the way of an eta of level(1), level(2), ...? Such answers can be added up. */
static void look_beyond(const sdca_problem *problem, const sdca_local *local,
                        double *at_end, double blocked[LEVELS])
{
    intervals allowed = find_intervals(problem->loss);
    double    most    = level(LEVELS);

    for (uint32_t k = 0; k < local->tally.visits && most > 1.0; k++) {
        const sdca_visit    *visit = &local->visit[k];
        const sdca_interval *of    = &allowed.of[visit->y > 0.0];
        double alpha = visit->alpha + most * (visit->becomes - visit->alpha);

        if (alpha < of->low || alpha > of->high) {
            most = fmin(most, largest_eta_of(&allowed, visit));
        }
    }
    *at_end = most == 1.0;
    for (int k = 0; k < LEVELS; k++) {
        blocked[k] = most < level(k + 1);
    }
}

/* The highest level that is in nobody's way. */
static double free_level(const double blocked[LEVELS])
{
    int k = 0;

    while (k < LEVELS && blocked[k] == 0.0) {
        k++;
    }
    return level(k);
}

/* The largest eta for which all alpha stay feasible. Collective. */
static double largest_eta(MPI_Comm comm, const sdca_problem *problem,
                          const sdca_local *local)
{
    intervals allowed = find_intervals(problem->loss);
    double    most    = INFINITY;

    for (uint32_t k = 0; k < local->tally.visits; k++) {
        most = fmin(most, largest_eta_of(&allowed, &local->visit[k]));
    }
    sdca_comm_allreduce_min(comm, &most, 1);
    return most;
}

/* The best eta, feasible or not, as what is known already tells it, or NaN if that is not
 * enough: the root of the parabola that has the slope of n D at 0 and at 1, and its
 * curvature there, if it is nearly a straight line; with corners, only near 1. It is 1
 * where that is as good. Then the slopes of all visits need not be added up again. */
static double guess_eta(bool smooth, double start, double slope, double bend)
{
    const double same = 0.03, above = smooth ? 0.24 : 0.1, below = smooth ? 0.5 : 0.1;
    const double curved = 0.3;
    double       past = slope / bend, more = start - slope - bend;

    if (!(start > bend / 2.0 && past >= -below && past <= above &&
          fabs(more) <= curved * bend)) {
        return NAN;
    }
    return past >= 0.0 && past <= same
               ? 1.0
               : 1.0 + 2.0 * slope / (bend + sqrt(bend * bend - 4.0 * more * slope));
}

/* The lesser of two curvatures, of which the one along the secant may be rounded to
 * nothing where moves of the ranks cancel. */
static double lesser_bend(double bend, double secant)
{
    return secant > 0.0 ? fmin(bend, secant) : bend;
}

/* The eta at which the slope of n D vanishes, or an end of [0, largest]. Newton's method
 * from eta = 1, kept in a bracket that halves where Newton would leave it; exact at once
 * if psi is quadratic. Very near the optimum the slope drowns in what is rounded off: of
 * its terms and, as u is w and a move, of |w|^2. Then it is safe, an eta with which D
 * rises by theory. All decisions rest on reduced numbers, so all ranks take the same.
 * Collective. */
static double search(MPI_Comm comm, const sdca_problem *problem, const sdca_local *local,
                     const double *scalar, const sdca_update_norms *changes, double safe)
{
    enum { LIMIT = 40 };
    const double rounding = 1e-14; /* of a difference's terms: below it is no sign ... */
    const double carried  = 8.0 * DBL_EPSILON; /* ... nor below this share of |w|^2 */
    double       wdw = changes->w_dot_dw, dw2 = changes->dw_norm2, w2 = changes->w_norm2;
    double       start  = scalar[SLOPE_AT_0] - wdw / problem->C;
    double       slope  = scalar[SLOPE_AT_1] - (wdw + dw2) / problem->C;
    double       bend   = scalar[BEND_AT_1] + dw2 / problem->C;
    bool         smooth = problem->loss->smoothness(problem->parameter) > 0.0;
    const double enough = smooth ? 0.02 : 1e-3; /* of eta: D loses with the square ... */
    const double close  = smooth ? 0.05 : 1e-3; /* ... and Newton's next step hits it */
    double       guess  = guess_eta(smooth, start, slope, bend);
    double       low = 0.0, high = 1.0, eta = 1.0;

    /* Between 0 and 1 the slope is a straight line: Newton's answer is exact. */
    bool straight = fabs(start - slope - bend) <= 1e-9 * (fabs(start) + fabs(slope));

    /* Rows near an end of their interval may bend D sharply there, and there alone. */
    bend = lesser_bend(bend, start - slope);
    if (start <= rounding * (fabs(scalar[SLOPE_AT_0]) + fabs(wdw / problem->C)) +
                     carried * w2 / problem->C) {
        return safe;
    }
    if (fabs(slope) <= enough * bend || (slope > 0.0 && scalar[AT_END] > 0.0)) {
        return 1.0;
    }
    if (isfinite(guess)) {
        return guess <= free_level(&scalar[BLOCKED])
                   ? guess
                   : fmin(guess, largest_eta(comm, problem, local));
    }
    if (slope > 0.0) {
        high = largest_eta(comm, problem, local);
    }
    for (int k = 0; k < LIMIT; k++) {
        double sums[2];
        double next = eta + slope / bend;

        low  = slope > 0.0 ? eta : low;
        high = slope < 0.0 ? eta : high;
        if (fabs(next - eta) <= close * eta && next > low && next < high) {
            return next;
        }
        if (fabs(next - eta) <= enough * eta || high - low <= enough * eta) {
            break;
        }
        if (!(next > low && next < high)) {
            /* Upwards the largest eta may be the answer: look there once. */
            next = next >= high && low < high && isfinite(high) && low == 1.0
                       ? high
                       : low + (high - low) / 2.0;
        }
        eta = next;
        if (straight && eta <= 1.0) {
            return eta;
        }
        sum_slopes(problem, local, eta, &sums[0], &sums[1]);
        sdca_comm_allreduce_sum(comm, sums, 2);
        slope = sums[0] - (wdw + eta * dw2) / problem->C;
        bend  = lesser_bend(sums[1] + dw2 / problem->C, (start - slope) / eta);
    }
    /* To the left of the best eta the dual has only risen. */
    return slope < 0.0 && -slope / bend > enough * eta ? low : eta;
}

/* The scalars that go with what this rank has changed. */
static void fill(const sdca_problem *problem, const sdca_local *local, int64_t steps,
                 const double *shared, double *scalar)
{
    double unused;

    scalar[DRIFT]      = local->tally.drift;
    scalar[DRIFT2]     = local->tally.drift * local->tally.drift;
    scalar[STEPS]      = (double)steps;
    scalar[SLOPE_AT_0] = local->tally.slope_before;
    scalar[SLOPE_AT_1] = local->tally.slope_after;
    scalar[BEND_AT_1]  = local->tally.bend_after;
    look_beyond(problem, local, &scalar[AT_END], &scalar[BLOCKED]);
    memcpy(&scalar[SHARED], shared, SDCA_AGGREGATE_SHARED * sizeof *shared);
    if (!local->tally.once) {
        sum_slopes(problem, local, 0.0, &scalar[SLOPE_AT_0], &unused);
        sum_slopes(problem, local, 1.0, &scalar[SLOPE_AT_1], &scalar[BEND_AT_1]);
    }
}

/* Move alpha from where the round began to eta of the way. */
static void move_alpha(const sdca_problem *problem, sdca_local *local, double eta)
{
    enum { AHEAD = 16 };
    intervals allowed = find_intervals(problem->loss);

    for (uint32_t k = 0; eta != 1.0 && k < local->tally.visits; k++) {
        if (k + AHEAD < local->tally.visits) {
            SDCA_PREFETCH(&local->item[local->visit[k + AHEAD].row]);
        }
        local->item[local->visit[k].row].alpha =
            alpha_at(&allowed, &local->visit[k], eta);
    }
}

/* What ranks have changed in u is sigma times their changes of w. */
static sdca_update_norms shrink(sdca_update_norms of_u, double sigma)
{
    return (sdca_update_norms){ .w_norm2     = of_u.w_norm2,
                                .w_dot_dw    = of_u.w_dot_dw / sigma,
                                .dw_norm2    = of_u.dw_norm2 / (sigma * sigma),
                                .local_norm2 = of_u.local_norm2 / (sigma * sigma) };
}

/* A factor with which the local models would just have been safe for a move. */
static double tight_factor(double whole, double parts, int ranks)
{
    return parts > 0.0 ? fmin((double)ranks, fmax(0.0, whole / parts)) : (double)ranks;
}

static double follow(double sigma, double tight, double least)
{
    return fmax(least, memory * sigma + (1.0 - memory) * tight);
}

/* Tight is |sum dw_k|^2 / sum |dw_k|^2, in the direction of the mean row and in those
 * across it by themselves. */
static void adapt(sdca_aggregate *aggregate, const double *scalar,
                  const sdca_update_norms *changes)
{
    double      along2 = scalar[DRIFT] * scalar[DRIFT];
    sdca_sigma *sigma  = &aggregate->sigma;

    aggregate->tight =
        tight_factor(changes->dw_norm2 - along2, changes->local_norm2 - scalar[DRIFT2],
                     aggregate->ranks);
    if (!aggregate->adapts) {
        return;
    }
    sigma->across = follow(sigma->across, aggregate->tight, 1.0 + margin);
    sigma->along =
        scalar[DRIFT2] > 0.0
            ? follow(sigma->along, tight_factor(along2, scalar[DRIFT2], aggregate->ranks),
                     sigma->across)
            : sigma->across;
}

void sdca_aggregate_round(MPI_Comm comm, const sdca_problem *problem, sdca_state *state,
                          sdca_local *local, sdca_aggregate *aggregate, int64_t steps,
                          double shared[SDCA_AGGREGATE_SHARED])
{
    const double     *scalar = aggregate->exchange.scalar_sums;
    double            sigma  = local->sigma.across;
    sdca_update_norms changes;

    /* Steps of sigma / K are safe for any sigma (Ma et al., 2015). */
    double safe = fmin(1.0, sigma / aggregate->ranks);

    state->round++;
    if (local->alone) { /* local steps were the move */
        state->steps += steps;
        return;
    }
    fill(problem, local, steps, shared, aggregate->exchange.local_scalars);
    sdca_vector_allreduce_sum(&aggregate->exchange, state->w);
    changes = shrink(aggregate->exchange.norms, sigma);
    switch (aggregate->rule) {
    case SDCA_AGGREGATE_AVERAGE:
        aggregate->eta = 1.0 / aggregate->ranks;
        break;
    case SDCA_AGGREGATE_ADD:
        aggregate->eta = 1.0;
        break;
    case SDCA_AGGREGATE_LINE_SEARCH:
        aggregate->eta = search(comm, problem, local, scalar, &changes, safe);
        aggregate->eta = isfinite(aggregate->eta) ? aggregate->eta : safe;
        break;
    }
    sdca_vector_allreduce_apply(&aggregate->exchange, aggregate->eta / sigma, state->w);
    move_alpha(problem, local, aggregate->eta);
    adapt(aggregate, scalar, &changes);
    state->steps += (int64_t)scalar[STEPS];
    memcpy(shared, &scalar[SHARED], SDCA_AGGREGATE_SHARED * sizeof *shared);
}
