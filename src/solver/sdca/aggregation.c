/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregation.c - how the moves of all ranks become one move of w.
 *
 * Along the summed move, the dual is a concave function of the step eta,
 *
 *     n D(eta) = sum psi_i(alpha_i + eta d_i) - |w + eta dw|^2 / (2 C),
 *
 * with psi_i(a) = -phi_i*(-a). The sum runs over the rows moved in this round,
 * each on its own rank; everything else is in the vectors. So three numbers per
 * rank give the slopes at 0 and 1 and the curvature at 1, which for all losses but the
 * logistic and the epsilon-insensitive decide eta at once, and mostly for these too. */
#include "solver/sdca/aggregation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "mpi/comm.h"

const char *const sdca_aggregation_names[SDCA_AGGREGATION_COUNT] = {
    [SDCA_AGGREGATION_AVERAGE]     = "average",
    [SDCA_AGGREGATION_ADD]         = "add",
    [SDCA_AGGREGATION_LINE_SEARCH] = "line-search"
};

enum { ETA_LEVELS = 6 }; /* of eta, beyond 1 */

/* What the ranks sum in the same reduction as their changes of w. */
typedef struct round_sums {
    double mean_change;  /* of w along the mean row ... */
    double mean_change2; /* ... and its square */
    double derivative_at_0;
    double derivative_at_1;
    double curvature_at_1;
    double at_boundary;            /* ranks with a row that allows no eta beyond 1 */
    double infeasible[ETA_LEVELS]; /* ranks with a row that does not allow this level */
    double steps;
    sdca_round_totals caller;
} round_sums;

enum { ROUND_SUMS = sizeof(round_sums) / sizeof(double) };
_Static_assert(sizeof(round_sums) % sizeof(double) == 0, "all fields are doubles");
_Static_assert(ROUND_SUMS <= (int)SDCA_VECTOR_ALLREDUCE_MAX_SCALARS,
               "one reduction has room for them");

/* sigma's memory from round to round, and how near 1 it may come: at 1 the
 * ranks would not allow for each other at all, which can stall. */
static const double smoothing    = 0.7;
static const double sigma_margin = 0.05;

sdca_aggregation sdca_aggregation_start(sdca_aggregation_rule rule, double sigma,
                                        int ranks)
{
    sdca_aggregation aggregation = { .rule = rule, .ranks = ranks, .eta = 1.0 };

    if (ranks == 1) {
        sigma = 1.0; /* no other rank moves */
    } else if (sigma <= 0.0) {
        sigma                = rule == SDCA_AGGREGATION_AVERAGE ? 1.0 : (double)ranks;
        aggregation.adaptive = rule == SDCA_AGGREGATION_LINE_SEARCH;
    }
    aggregation.sigma = (sdca_sigma){ sigma, sigma };
    return aggregation;
}

/* The mean row, as long as a unit; false if it vanishes. Collective. */
static bool compute_mean_row(MPI_Comm comm, const sdca_dataset *data, double *mean)
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
static bool project_rows(MPI_Comm comm, const sdca_dataset *data, const double *mean,
                         float *projection)
{
    double max_abs = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        double x = sdca_rows_dot(&data->x, i, mean);

        max_abs       = fmax(max_abs, fabs(x));
        projection[i] = (float)x;
    }
    sdca_comm_allreduce_max(comm, &max_abs, 1);
    return max_abs <= (double)FLT_MAX;
}

sdca_status sdca_aggregation_deflate(MPI_Comm comm, const sdca_dataset *data,
                                     sdca_ascent *ascent, sdca_aggregation *aggregation)
{
    const int   min_ranks  = 4; /* with fewer, one sigma for all directions will do */
    sdca_status status     = SDCA_OK;
    float      *projection = NULL;
    double     *mean       = NULL;

    if (!aggregation->adaptive || aggregation->ranks < min_ranks) {
        return SDCA_OK;
    }
    projection = sdca_alloc_array(data->x.count, sizeof *projection);
    mean       = sdca_alloc_array((size_t)data->columns, sizeof *mean);
    if (projection == NULL || mean == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the mean of %lu rows",
                           (unsigned long)data->x.count);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (compute_mean_row(comm, data, mean) &&
        project_rows(comm, data, mean, projection)) {
        ascent->mean_projection = projection;
        projection              = NULL; /* now local's */
    }

done:
    free(projection);
    free(mean);
    return status;
}

/* I(y) of all y, which is that of +1 or of -1. */
typedef struct feasible_intervals {
    sdca_interval by_sign[2];
} feasible_intervals;

static feasible_intervals get_feasible_intervals(const sdca_objective *objective)
{
    return (feasible_intervals){ { sdca_objective_feasible(objective, -1.0),
                                   sdca_objective_feasible(objective, 1.0) } };
}

/* The alpha of a visited row if the step were eta: on the way from what it was to
 * what it has become, kept feasible against rounding. */
static double alpha_at(const feasible_intervals *feasible, const sdca_row_update *update,
                       double eta)
{
    const sdca_interval *interval = &feasible->by_sign[update->y > 0.0];
    double               alpha =
        update->alpha_before + eta * (update->alpha_after - update->alpha_before);

    return eta == 1.0 ? update->alpha_after
                      : fmin(interval->high, fmax(interval->low, alpha));
}

/* This rank's part of the slope and curvature of sum psi at eta. */
static void sum_derivatives(const sdca_objective *objective, const sdca_ascent *ascent,
                            double eta, double *derivative, double *curvature)
{
    feasible_intervals feasible = get_feasible_intervals(objective);

    *derivative = 0.0;
    *curvature  = 0.0;
    for (uint32_t k = 0; k < ascent->sums.updates; k++) {
        const sdca_row_update *update = &ascent->update[k];
        double                 d      = update->alpha_after - update->alpha_before;
        double                 alpha  = alpha_at(&feasible, update, eta);

        *derivative +=
            objective->loss->dual_derivative(objective->parameter, alpha, update->y) * d;
        *curvature +=
            objective->loss->dual_curvature(objective->parameter, alpha, update->y) * d *
            d;
    }
}

/* The largest eta, at least 1, for which a visited row stays feasible. */
static double row_max_eta(const feasible_intervals *feasible,
                          const sdca_row_update    *update)
{
    double               d        = update->alpha_after - update->alpha_before;
    const sdca_interval *interval = &feasible->by_sign[update->y > 0.0];
    double room = (d > 0.0 ? interval->high : interval->low) - update->alpha_before;

    return d != 0.0 ? fmax(1.0, room / d) : INFINITY;
}

static double eta_level(int k)
{
    return 1.0 + 0.04 * k;
}

/* Is a visited row at the end of its interval, so that nobody may go beyond 1, or else in
 * the way of an eta of level(1), level(2), ...? Such answers can be added up. */
static void find_infeasible_levels(const sdca_objective *objective,
                                   const sdca_ascent *ascent, double *at_boundary,
                                   double infeasible[ETA_LEVELS])
{
    feasible_intervals feasible = get_feasible_intervals(objective);
    double             max_eta  = eta_level(ETA_LEVELS);

    for (uint32_t k = 0; k < ascent->sums.updates && max_eta > 1.0; k++) {
        const sdca_row_update *update   = &ascent->update[k];
        const sdca_interval   *interval = &feasible.by_sign[update->y > 0.0];
        double                 alpha =
            update->alpha_before + max_eta * (update->alpha_after - update->alpha_before);

        if (alpha < interval->low || alpha > interval->high) {
            max_eta = fmin(max_eta, row_max_eta(&feasible, update));
        }
    }
    *at_boundary = max_eta == 1.0;
    for (int k = 0; k < ETA_LEVELS; k++) {
        infeasible[k] = max_eta < eta_level(k + 1);
    }
}

/* The highest level that is in nobody's way. */
static double max_feasible_level(const double infeasible[ETA_LEVELS])
{
    int k = 0;

    while (k < ETA_LEVELS && infeasible[k] == 0.0) {
        k++;
    }
    return eta_level(k);
}

/* The largest eta for which all alpha stay feasible. Collective. */
static double max_feasible_eta(MPI_Comm comm, const sdca_objective *objective,
                               const sdca_ascent *ascent)
{
    feasible_intervals feasible = get_feasible_intervals(objective);
    double             max_eta  = INFINITY;

    for (uint32_t k = 0; k < ascent->sums.updates; k++) {
        max_eta = fmin(max_eta, row_max_eta(&feasible, &ascent->update[k]));
    }
    sdca_comm_allreduce_min(comm, &max_eta, 1);
    return max_eta;
}

/* The best eta, feasible or not, as what is known already tells it, or NaN if that is not
 * enough: the root of the parabola that has the slope of n D at 0 and at 1, and its
 * curvature there, if it is nearly a straight line; with corners, only near 1. It is 1
 * where that is as good. Then the slopes of all visits need not be added up again. */
static double estimate_eta(bool smooth, double derivative_at_0, double derivative,
                           double curvature)
{
    const double unit_tolerance = 0.03, above = smooth ? 0.24 : 0.1,
                 below           = smooth ? 0.5 : 0.1;
    const double max_third_order = 0.3;
    double       newton_step     = derivative / curvature,
           third_order           = derivative_at_0 - derivative - curvature;

    if (!(derivative_at_0 > curvature / 2.0 && newton_step >= -below &&
          newton_step <= above && fabs(third_order) <= max_third_order * curvature)) {
        return NAN;
    }
    return newton_step >= 0.0 && newton_step <= unit_tolerance
               ? 1.0
               : 1.0 + 2.0 * derivative /
                           (curvature +
                            sqrt(curvature * curvature - 4.0 * third_order * derivative));
}

/* The lesser of two curvatures, of which the one along the secant may be rounded to
 * nothing where moves of the ranks cancel. */
static double smaller_curvature(double curvature, double secant)
{
    return secant > 0.0 ? fmin(curvature, secant) : curvature;
}

/* The eta at which the slope of n D vanishes, or an end of [0, largest]. Newton's method
 * from eta = 1, kept in a bracket that halves where Newton would leave it; exact at once
 * if psi is quadratic. Very near the optimum the slope drowns in what is rounded off: of
 * its terms and, as u is w and a move, of |w|^2. Then it is safe, an eta with which D
 * rises by theory. All decisions rest on reduced numbers, so all ranks take the same.
 * Collective. */
static double line_search(MPI_Comm comm, const sdca_objective *objective,
                          const sdca_ascent *ascent, const round_sums *sums,
                          const sdca_update_norms *changes, double safe)
{
    enum { LIMIT = 40 };
    const double rounding = 1e-14; /* of a difference's terms: below it is no sign ... */
    const double w_rounding = 8.0 * DBL_EPSILON; /* ... nor below this share of |w|^2 */
    double       wdw = changes->w_dot_dw, dw2 = changes->dw_norm2, w2 = changes->w_norm2;
    double       derivative_at_0 = sums->derivative_at_0 - wdw / objective->C;
    double       derivative      = sums->derivative_at_1 - (wdw + dw2) / objective->C;
    double       curvature       = sums->curvature_at_1 + dw2 / objective->C;
    bool         smooth = objective->loss->smoothness(objective->parameter) > 0.0;
    const double tolerance =
        smooth ? 0.02 : 1e-3; /* of eta: D loses with the square ... */
    const double newton_tolerance =
        smooth ? 0.05 : 1e-3; /* ... and Newton's next step hits it */
    double estimate = estimate_eta(smooth, derivative_at_0, derivative, curvature);
    double low = 0.0, high = 1.0, eta = 1.0;

    /* Between 0 and 1 the slope is a straight line: Newton's answer is exact. */
    bool linear = fabs(derivative_at_0 - derivative - curvature) <=
                  1e-9 * (fabs(derivative_at_0) + fabs(derivative));

    /* Rows near an end of their interval may bend D sharply there, and there alone. */
    curvature = smaller_curvature(curvature, derivative_at_0 - derivative);
    if (derivative_at_0 <=
        rounding * (fabs(sums->derivative_at_0) + fabs(wdw / objective->C)) +
            w_rounding * w2 / objective->C) {
        return safe;
    }
    if (fabs(derivative) <= tolerance * curvature ||
        (derivative > 0.0 && sums->at_boundary > 0.0)) {
        return 1.0;
    }
    if (isfinite(estimate)) {
        return estimate <= max_feasible_level(sums->infeasible)
                   ? estimate
                   : fmin(estimate, max_feasible_eta(comm, objective, ascent));
    }
    if (derivative > 0.0) {
        high = max_feasible_eta(comm, objective, ascent);
    }
    for (int k = 0; k < LIMIT; k++) {
        double total[2];
        double next = eta + derivative / curvature;

        low  = derivative > 0.0 ? eta : low;
        high = derivative < 0.0 ? eta : high;
        if (fabs(next - eta) <= newton_tolerance * eta && next > low && next < high) {
            return next;
        }
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
        if (linear && eta <= 1.0) {
            return eta;
        }
        sum_derivatives(objective, ascent, eta, &total[0], &total[1]);
        sdca_comm_allreduce_sum(comm, total, 2);
        derivative = total[0] - (wdw + eta * dw2) / objective->C;
        curvature  = smaller_curvature(total[1] + dw2 / objective->C,
                                       (derivative_at_0 - derivative) / eta);
    }
    /* To the left of the best eta the dual has only risen. */
    return derivative < 0.0 && -derivative / curvature > tolerance * eta ? low : eta;
}

/* What this rank adds to the sums of a round. */
static round_sums local_sums(const sdca_objective *objective, const sdca_ascent *ascent,
                             int64_t steps, const sdca_round_totals *caller)
{
    const sdca_update_sums *updates = &ascent->sums;
    round_sums              sums    = { .mean_change = updates->mean_change,
                                        .mean_change2 = updates->mean_change * updates->mean_change,
                                        .derivative_at_0 = updates->derivative_before,
                                        .derivative_at_1 = updates->derivative_after,
                                        .curvature_at_1  = updates->curvature_after,
                                        .steps           = (double)steps,
                                        .caller          = *caller };
    double                  unused;

    find_infeasible_levels(objective, ascent, &sums.at_boundary, sums.infeasible);
    if (!updates->rows_distinct) {
        sum_derivatives(objective, ascent, 0.0, &sums.derivative_at_0, &unused);
        sum_derivatives(objective, ascent, 1.0, &sums.derivative_at_1,
                        &sums.curvature_at_1);
    }
    return sums;
}

/* Move alpha from where the round began to eta of the way. */
static void move_alpha(const sdca_objective *objective, const sdca_ascent *ascent,
                       double eta, sdca_iterate *iterate)
{
    enum { PREFETCH = 16 };
    feasible_intervals feasible = get_feasible_intervals(objective);

    for (uint32_t k = 0; eta != 1.0 && k < ascent->sums.updates; k++) {
        if (k + PREFETCH < ascent->sums.updates) {
            SDCA_PREFETCH(&iterate->row[ascent->update[k + PREFETCH].row]);
        }
        iterate->row[ascent->update[k].row].alpha =
            alpha_at(&feasible, &ascent->update[k], eta);
    }
}

/* What ranks have changed in u is sigma times their changes of w. */
static sdca_update_norms scale_changes(sdca_update_norms of_u, double sigma)
{
    return (sdca_update_norms){ .w_norm2     = of_u.w_norm2,
                                .w_dot_dw    = of_u.w_dot_dw / sigma,
                                .dw_norm2    = of_u.dw_norm2 / (sigma * sigma),
                                .local_norm2 = of_u.local_norm2 / (sigma * sigma) };
}

/* A factor with which the local models would just have been safe for a move. */
static double tight_factor(double total, double parts, int ranks)
{
    return parts > 0.0 ? fmin((double)ranks, fmax(0.0, total / parts)) : (double)ranks;
}

static double smoothed_sigma(double sigma, double tight_sigma, double least)
{
    return fmax(least, smoothing * sigma + (1.0 - smoothing) * tight_sigma);
}

/* Tight is |sum dw_k|^2 / sum |dw_k|^2, in the direction of the mean row and in those
 * across it by themselves. */
static void adapt_sigma(sdca_aggregation *aggregation, const round_sums *sums,
                        const sdca_update_norms *changes)
{
    double      mean_change2 = sums->mean_change * sums->mean_change;
    sdca_sigma *sigma        = &aggregation->sigma;

    aggregation->tight_sigma =
        tight_factor(changes->dw_norm2 - mean_change2,
                     changes->local_norm2 - sums->mean_change2, aggregation->ranks);
    if (!aggregation->adaptive) {
        return;
    }
    sigma->orthogonal =
        smoothed_sigma(sigma->orthogonal, aggregation->tight_sigma, 1.0 + sigma_margin);
    sigma->mean_direction =
        sums->mean_change2 > 0.0
            ? smoothed_sigma(
                  sigma->mean_direction,
                  tight_factor(mean_change2, sums->mean_change2, aggregation->ranks),
                  sigma->orthogonal)
            : sigma->orthogonal;
}

void sdca_aggregation_round(MPI_Comm comm, const sdca_objective *objective,
                            sdca_iterate *iterate, sdca_ascent *ascent,
                            sdca_aggregation *aggregation, int64_t steps,
                            sdca_round_totals *totals)
{
    double            sigma = ascent->sigma.orthogonal;
    round_sums        sums;
    sdca_update_norms changes;

    /* Steps of sigma / K are safe for any sigma (Ma et al., 2015). */
    double safe = fmin(1.0, sigma / aggregation->ranks);

    iterate->round++;
    if (ascent->single_rank) { /* local steps were the move */
        iterate->steps += steps;
        return;
    }
    sums = local_sums(objective, ascent, steps, totals);
    sdca_vector_allreduce_sum(&iterate->allreduce, (double *)&sums, ROUND_SUMS);
    changes = scale_changes(iterate->allreduce.norms, sigma);
    switch (aggregation->rule) {
    case SDCA_AGGREGATION_AVERAGE:
        aggregation->eta = 1.0 / aggregation->ranks;
        break;
    case SDCA_AGGREGATION_ADD:
        aggregation->eta = 1.0;
        break;
    case SDCA_AGGREGATION_LINE_SEARCH:
        aggregation->eta = line_search(comm, objective, ascent, &sums, &changes, safe);
        aggregation->eta = isfinite(aggregation->eta) ? aggregation->eta : safe;
        break;
    }
    sdca_vector_allreduce_apply(&iterate->allreduce, aggregation->eta / sigma);
    move_alpha(objective, ascent, aggregation->eta, iterate);
    adapt_sigma(aggregation, &sums, &changes);
    iterate->steps += (int64_t)sums.steps;
    *totals = sums.caller;
}
