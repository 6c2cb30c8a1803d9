/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregate.c - how the moves of all ranks become one move of w.
 *
 * Along the summed move, the dual is a concave function of the step eta,
 *
 *     n D(eta) = sum psi_i(alpha_i + eta d_i) - |w + eta dw|^2 / (2 C),
 *
 * with psi_i(a) = -phi_i*(-a). The sum runs over the rows moved in this round,
 * each on its own rank; everything else is in the vectors. So two numbers per
 * rank give a slope and a curvature, which for all losses but the logistic and
 * the epsilon-insensitive decide eta at once. */
#include "sdca/aggregate.h"

#include <math.h>
#include <stdlib.h>

#include "sdca/comm.h"

/* The scalars behind delta-w in the sum of a round. */
enum { OWN_NORM2, SLOPE_AT_0, SLOPE_AT_1, BEND_AT_1, STEPS, SHARED, SCALARS };

/* sigma's memory from round to round, and how near 1 it may come: at 1 the
 * ranks would not allow for each other at all, which can stall. */
static const double memory = 0.7;
static const double margin = 0.2;

sdca_status sdca_aggregate_create(sdca_aggregate_rule rule, double sigma, int ranks,
                                  int32_t columns, sdca_aggregate *out)
{
    sdca_aggregate aggregate = { .rule = rule, .eta = 1.0, .sigma = sigma };

    if (ranks == 1) {
        aggregate.sigma = 1.0; /* nobody else moves */
    } else if (sigma <= 0.0) {
        aggregate.sigma  = rule == SDCA_AGGREGATE_AVERAGE ? 1.0 : (double)ranks;
        aggregate.adapts = rule == SDCA_AGGREGATE_LINE_SEARCH;
    }
    aggregate.sum = malloc(((size_t)columns + SCALARS) * sizeof *aggregate.sum);
    if (aggregate.sum == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to add up %ld columns", (long)columns);
    }
    *out = aggregate;
    return SDCA_OK;
}

void sdca_aggregate_free(sdca_aggregate *aggregate)
{
    free(aggregate->sum);
    aggregate->sum = NULL;
}

/* The alpha of a visited row if the step were eta: on the way from what it was to
 * what it has become, kept feasible against rounding. */
static double alpha_at(const sdca_loss *loss, const sdca_visit *visit, double becomes,
                       double y, double eta)
{
    sdca_interval allowed = loss->feasible(y);
    double        alpha   = visit->alpha + eta * (becomes - visit->alpha);

    return eta == 1.0 ? becomes : fmin(allowed.high, fmax(allowed.low, alpha));
}

/* This rank's part of the slope and curvature of sum psi at eta. */
static void sum_slopes(const sdca_problem *problem, const sdca_local *local, double eta,
                       double *slope, double *bend)
{
    *slope = 0.0;
    *bend  = 0.0;
    for (uint32_t k = 0; k < local->visits; k++) {
        uint32_t i = local->visit[k].row;
        double   y = local->item[i].y;
        double   d = local->item[i].alpha - local->visit[k].alpha;
        double   alpha =
            alpha_at(problem->loss, &local->visit[k], local->item[i].alpha, y, eta);

        *slope += problem->loss->slope(problem->parameter, alpha, y) * d;
        *bend += problem->loss->bend(problem->parameter, alpha, y) * d * d;
    }
}

/* The largest eta, at least 1, for which all alpha stay feasible. */
static double largest_eta(MPI_Comm comm, const sdca_problem *problem,
                          const sdca_local *local)
{
    double most = INFINITY;

    for (uint32_t k = 0; k < local->visits; k++) {
        uint32_t      i       = local->visit[k].row;
        double        d       = local->item[i].alpha - local->visit[k].alpha;
        sdca_interval allowed = problem->loss->feasible(local->item[i].y);
        double room = (d > 0.0 ? allowed.high : allowed.low) - local->visit[k].alpha;

        most = d != 0.0 ? fmin(most, room / d) : most;
    }
    sdca_comm_min(comm, &most, 1);
    return fmax(1.0, most);
}

/* The eta at which the slope of n D vanishes, or an end of [0, largest]. wdw
 * and dw2 are w.dw and |dw|^2. Newton's method from eta = 1, kept in a bracket
 * that halves where Newton would leave it; exact at once if psi is quadratic.
 * Very near the optimum the slope drowns in rounding: then it is safe, an eta
 * with which D rises by theory. All decisions rest on reduced numbers, so all
 * ranks take the same. Collective. */
static double search(MPI_Comm comm, const sdca_problem *problem, const sdca_local *local,
                     const double *scalar, double wdw, double dw2, double safe)
{
    enum { LIMIT = 40 };
    const double tolerance = 1e-3; /* of eta: what D loses by it goes with the square */
    const double rounding =
        1e-14; /* of a difference's terms: below it there is no sign */
    double start = scalar[SLOPE_AT_0] - wdw / problem->C;
    double slope = scalar[SLOPE_AT_1] - (wdw + dw2) / problem->C;
    double bend  = scalar[BEND_AT_1] + dw2 / problem->C;
    double low = 0.0, high = 1.0, eta = 1.0;

    /* Between 0 and 1 the slope is a straight line: Newton's answer is exact. */
    bool straight = fabs(start - slope - bend) <= 1e-9 * (fabs(start) + fabs(slope));

    if (start <= rounding * (fabs(scalar[SLOPE_AT_0]) + fabs(wdw / problem->C))) {
        return safe;
    }
    if (slope > 0.0) {
        high = largest_eta(comm, problem, local);
    }
    for (int k = 0; k < LIMIT; k++) {
        double sums[2];
        double next = eta + slope / bend;

        low  = slope > 0.0 ? eta : low;
        high = slope < 0.0 ? eta : high;
        if (fabs(next - eta) <= tolerance * eta || high - low <= tolerance * eta) {
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
        sdca_comm_sum(comm, sums, 2);
        slope = sums[0] - (wdw + eta * dw2) / problem->C;
        bend  = sums[1] + dw2 / problem->C;
    }
    /* To the left of the best eta the dual has only risen. */
    return slope < 0.0 && -slope / bend > tolerance * eta ? low : eta;
}

/* Move alpha and w from where the round began to eta of the way. */
static void apply(const sdca_problem *problem, const sdca_dataset *data,
                  sdca_state *state, const sdca_local *local, const double *dw,
                  double eta)
{
    for (uint32_t k = 0; k < local->visits; k++) {
        uint32_t i = local->visit[k].row;

        local->item[i].alpha = alpha_at(problem->loss, &local->visit[k],
                                        local->item[i].alpha, local->item[i].y, eta);
    }
    for (int32_t j = 0; j < data->columns; j++) {
        state->w[j] += eta * dw[j];
    }
}

/* The least sigma with which the local models would have been safe for the move
 * just made is |sum dw_k|^2 / sum |dw_k|^2: go towards it. */
static void adapt(sdca_aggregate *aggregate, double sum_norm2, double norm2_sum,
                  int ranks)
{
    double tight = sum_norm2 > 0.0 ? norm2_sum / sum_norm2 : (double)ranks;
    double sigma = memory * aggregate->sigma + (1.0 - memory) * tight;

    aggregate->sigma = fmin((double)ranks, fmax(1.0 + margin, sigma));
}

void sdca_aggregate_round(MPI_Comm comm, const sdca_problem *problem,
                          const sdca_dataset *data, sdca_state *state, sdca_local *local,
                          sdca_aggregate *aggregate, int64_t steps, double *shared)
{
    double *dw     = aggregate->sum;
    double *scalar = dw + data->columns;
    double  dw2 = 0.0, wdw = 0.0, unused;
    int     ranks = sdca_comm_size(comm);

    state->round++;
    if (local->u == NULL) { /* alone: local steps were the move */
        state->steps += steps;
        return;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        dw[j] = (local->u[j] - state->w[j]) / aggregate->sigma;
        dw2 += dw[j] * dw[j];
    }
    scalar[OWN_NORM2] = dw2;
    scalar[STEPS]     = (double)steps;
    scalar[SHARED]    = *shared;
    sum_slopes(problem, local, 0.0, &scalar[SLOPE_AT_0], &unused);
    sum_slopes(problem, local, 1.0, &scalar[SLOPE_AT_1], &scalar[BEND_AT_1]);
    sdca_comm_sum(comm, aggregate->sum, (int64_t)data->columns + SCALARS);
    aggregate->bytes += ((int64_t)data->columns + SCALARS) * (int64_t)sizeof(double);

    dw2 = 0.0;
    for (int32_t j = 0; j < data->columns; j++) {
        dw2 += dw[j] * dw[j];
        wdw += state->w[j] * dw[j];
    }
    switch (aggregate->rule) {
    case SDCA_AGGREGATE_AVERAGE:
        aggregate->eta = 1.0 / ranks;
        break;
    case SDCA_AGGREGATE_ADD:
        aggregate->eta = 1.0;
        break;
    case SDCA_AGGREGATE_LINE_SEARCH:
        /* Steps of sigma / K are safe for any sigma (Ma et al., 2015). */
        aggregate->eta = search(comm, problem, local, scalar, wdw, dw2,
                                fmin(1.0, aggregate->sigma / ranks));
        break;
    }
    apply(problem, data, state, local, dw, aggregate->eta);
    if (aggregate->adapts) {
        adapt(aggregate, scalar[OWN_NORM2], dw2, ranks);
    }
    state->steps += (int64_t)scalar[STEPS];
    *shared = scalar[SHARED];
}
