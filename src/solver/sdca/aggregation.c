/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregation.c - how the changes of all ranks become one step of w.
 *
 * Along the summed change, the dual is a concave function of the step eta,
 *
 *     S D(eta) = sum s_i psi_i(alpha_i + eta d_i) - |w + eta dw|^2 / (2 C),
 *
 * with psi_i(a) = -phi_i*(-a), the weights s_i of the rows and their sum S. The sum runs
 * over the rows moved in this round, each on its own rank; everything else is in the
 * vectors. So three numbers per rank give D' at 0 and 1 and the curvature at 1. They
 * decide eta at once for all losses but the logistic and the epsilon-insensitive, and
 * mostly for these too. */
#include "solver/sdca/aggregation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/tuning.h"
#include "mpi/comm.h"

const char *const sdca_aggregation_names[SDCA_AGGREGATION_COUNT] = {
    [SDCA_AGGREGATION_AVERAGE]     = "average",
    [SDCA_AGGREGATION_ADD]         = "add",
    [SDCA_AGGREGATION_LINE_SEARCH] = "line-search"
};

/* What the ranks sum for each model in the same reduction as their changes of w. */
typedef struct round_sums {
    double mean_change;  /* of w along the mean row ... */
    double mean_change2; /* ... and its square */
    double derivative_at_0;
    double derivative_at_1;
    double curvature_at_1;
    double steps;
} round_sums;

/* The same for all models, after what the caller sums. */
typedef struct all_sums {
    sdca_round_totals caller;
    round_sums        model[SDCA_MAX_LANES];
} all_sums;

enum {
    CALLER_SUMS = sizeof(sdca_round_totals) / sizeof(double),
    ROUND_SUMS  = sizeof(round_sums) / sizeof(double)
};
_Static_assert(sizeof(all_sums) / sizeof(double) <= SDCA_VECTOR_ALLREDUCE_MAX_SCALARS,
               "one reduction has room for them");

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
        sdca_rows_axpy(&data->x, i, sdca_dataset_weight(data, i), mean);
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
    sdca_status status     = SDCA_OK;
    float      *projection = NULL;
    double     *mean       = NULL;

    if (!aggregation->adaptive || aggregation->ranks < TUNING_DEFLATION_MIN_RANKS) {
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

/* The changes of one model in a round. */
typedef struct model_changes {
    MPI_Comm              comm;
    const sdca_objective *objective;
    const sdca_ascent    *ascent;
    const double         *weight; /* of the rows, or NULL */
    uint32_t              lane;
    sdca_update_norms     norms; /* of the changes of w */
} model_changes;

/* This rank's part of the slope and curvature of sum psi at eta. */
static void sum_derivatives(const model_changes *c, double eta, double *derivative,
                            double *curvature)
{
    const sdca_objective *objective = c->objective;
    feasible_intervals    feasible  = get_feasible_intervals(objective);

    *derivative = 0.0;
    *curvature  = 0.0;
    for (size_t k = 0; k < c->ascent->updates; k++) {
        const sdca_row_update *update = &c->ascent->update[k];
        double                 d      = update->alpha_after - update->alpha_before;
        double                 alpha  = alpha_at(&feasible, update, eta);
        double weighted = c->weight != NULL ? c->weight[update->row] * d : d;

        if (update->lane != c->lane) {
            continue;
        }
        *derivative +=
            objective->loss->dual_derivative(objective->parameter, alpha, update->y) *
            weighted;
        *curvature +=
            objective->loss->dual_curvature(objective->parameter, alpha, update->y) *
            weighted * d;
    }
}

/* D' at some eta. */
typedef struct line_point {
    double eta;
    double derivative;
    double curvature;
} line_point;

/* D' at eta, of the summed move. Collective. */
static line_point evaluate_line(const model_changes *c, double eta)
{
    double C = c->objective->C;
    double total[2];

    sum_derivatives(c, eta, &total[0], &total[1]);
    sdca_comm_allreduce_sum(c->comm, total, 2);
    return (line_point){ .eta = eta,
                         .derivative =
                             total[0] - (c->norms.w_dot_dw + eta * c->norms.dw_norm2) / C,
                         .curvature = total[1] + c->norms.dw_norm2 / C };
}

/* A slope of D with which eta is good enough. A corner of D, or a row near the end of its
 * interval, makes the curvature at a point differ from that of the secant from 0: the
 * smaller one counts, so that D(eta) > D(0) even if D' is slightly negative. */
static double accepted_slope(const line_point *at, double derivative_at_0)
{
    return tuning_eta_tolerance *
           fmin(at->eta * at->curvature, derivative_at_0 - at->derivative);
}

/* The eta in (0, 1] that is best for D: 1 if D still rises there, else the root of D', by
 * secants between two points that enclose it. The first is replaced by the tangent at 1
 * if that leads further down, as D'(0) of the logistic loss may be very large. Either is
 * exact if psi is quadratic, and accurate enough if D' is nearly straight. Otherwise
 * (logistic loss, epsilon > 0) D' is summed again at each new eta.
 *
 * Very near the optimum D'(0) is lost in the rounding errors of its terms and, as u is w
 * plus a move, of |w|^2. Then the result is safe, an eta with which D rises by theory.
 * All decisions use reduced numbers, so all ranks take the same. Collective. */
static double line_search(const model_changes *c, const round_sums *sums, double safe)
{
    double     C            = c->objective->C;
    double     wdw          = c->norms.w_dot_dw / C;
    double     dw2          = c->norms.dw_norm2 / C;
    double     w2           = c->norms.w_norm2 / C;
    line_point low          = { 0.0, sums->derivative_at_0 - wdw, 0.0 };
    line_point high         = { 1.0, sums->derivative_at_1 - wdw - dw2,
                                sums->curvature_at_1 + dw2 };
    double     start        = low.derivative;
    double     nonlinearity = fabs(start - high.derivative - high.curvature);

    if (start <= tuning_slope_rounding * (fabs(sums->derivative_at_0) + fabs(wdw)) +
                     tuning_slope_w_rounding * w2) {
        return safe;
    }
    if (high.derivative >= -accepted_slope(&high, start)) {
        return 1.0;
    }
    for (int k = 0; k < TUNING_ETA_MAX_SECANTS; k++) {
        double secant = low.eta + (high.eta - low.eta) * low.derivative /
                                      (low.derivative - high.derivative);
        double     tangent = high.eta + high.derivative / high.curvature;
        double     eta     = k == 0 && tangent > 0.0 ? fmin(secant, tangent) : secant;
        line_point at;

        if (k == 0 &&
            nonlinearity <= tuning_eta_max_nonlinearity * eta * high.curvature) {
            return eta;
        }
        at = evaluate_line(c, eta);
        if (fabs(at.derivative) <= accepted_slope(&at, start)) {
            return eta;
        }
        *(at.derivative > 0.0 ? &low : &high) = at;
    }
    return low.eta > 0.0 ? low.eta : safe; /* up to low, D has only risen */
}

/* What this rank adds to the sums of a round for one model. */
static round_sums local_sums(const model_changes *c)
{
    const sdca_update_sums *updates = &c->ascent->sums[c->lane];
    round_sums              sums    = { .mean_change = updates->mean_change,
                                        .mean_change2 = updates->mean_change * updates->mean_change,
                                        .derivative_at_0 = updates->derivative_before,
                                        .derivative_at_1 = updates->derivative_after,
                                        .curvature_at_1  = updates->curvature_after,
                                        .steps = (double)c->ascent->steps[c->lane] };
    double                  unused;

    if (!c->ascent->rows_distinct) {
        sum_derivatives(c, 0.0, &sums.derivative_at_0, &unused);
        sum_derivatives(c, 1.0, &sums.derivative_at_1, &sums.curvature_at_1);
    }
    return sums;
}

/* Move alpha from where the round began to eta of the way. */
static void move_alpha(const sdca_objective *objective, const sdca_ascent *ascent,
                       const sdca_aggregation *aggregation, sdca_iterate *iterate)
{
    enum { PREFETCH = TUNING_PREFETCH_RECORD_ROWS };
    feasible_intervals feasible = get_feasible_intervals(objective);
    size_t             stride   = iterate->alpha_stride;
    bool               all      = true; /* the way */

    for (int m = 0; m < ascent->models; m++) {
        all = all && aggregation[m].eta == 1.0;
    }
    for (size_t k = 0; !all && k < ascent->updates; k++) {
        const sdca_row_update *update = &ascent->update[k];

        if (k + PREFETCH < ascent->updates) {
            SDCA_PREFETCH(&iterate->alpha[update[PREFETCH].row * stride]);
        }
        iterate->alpha[update->row * stride + update->lane] =
            alpha_at(&feasible, update, aggregation[update->lane].eta);
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
    return fmax(least, tuning_sigma_smoothing * sigma +
                           (1.0 - tuning_sigma_smoothing) * tight_sigma);
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
    sigma->orthogonal = smoothed_sigma(sigma->orthogonal, aggregation->tight_sigma,
                                       1.0 + tuning_sigma_margin);
    sigma->mean_direction =
        sums->mean_change2 > 0.0
            ? smoothed_sigma(
                  sigma->mean_direction,
                  tight_factor(mean_change2, sums->mean_change2, aggregation->ranks),
                  sigma->orthogonal)
            : sigma->orthogonal;
}

/* The eta of one model. Collective. */
static double choose_eta(const model_changes *c, const sdca_aggregation *aggregation,
                         const round_sums *sums)
{
    double eta = 1.0;

    /* Steps of sigma / K are safe for any sigma (Ma et al., 2015). */
    double safe = fmin(1.0, c->ascent->sigma[c->lane].orthogonal / aggregation->ranks);

    switch (aggregation->rule) {
    case SDCA_AGGREGATION_AVERAGE:
        eta = 1.0 / aggregation->ranks;
        break;
    case SDCA_AGGREGATION_ADD:
        break;
    case SDCA_AGGREGATION_LINE_SEARCH:
        eta = line_search(c, sums, safe);
        eta = isfinite(eta) ? eta : safe;
        break;
    }
    return eta;
}

void sdca_aggregation_round(MPI_Comm comm, const sdca_objective *objective,
                            sdca_iterate *iterate, sdca_ascent *ascent,
                            sdca_aggregation *aggregation, sdca_round_totals *totals)
{
    int           models                 = ascent->models;
    all_sums      sums                   = { .caller = *totals };
    double        factor[SDCA_MAX_LANES] = { 0.0 };
    model_changes c = { .comm = comm, .ascent = ascent, .weight = iterate->weight };

    if (ascent->single_rank) { /* local steps were the move */
        for (int m = 0; m < models; m++) {
            iterate[m].steps += ascent->steps[m];
            iterate[m].round += models == 1 || ascent->steps[m] > 0;
        }
        return;
    }
    for (int m = 0; m < models; m++) {
        c.objective   = &objective[m];
        c.lane        = (uint32_t)m;
        sums.model[m] = local_sums(&c);
    }
    sdca_vector_allreduce_sum(iterate->allreduce, (double *)&sums,
                              CALLER_SUMS + models * ROUND_SUMS);
    for (int m = 0; m < models; m++) {
        double sigma = ascent->sigma[m].orthogonal;

        if (models > 1 && sums.model[m].steps == 0.0) {
            continue;
        }
        c.objective        = &objective[m];
        c.lane             = (uint32_t)m;
        c.norms            = scale_changes(iterate->allreduce->norms[m], sigma);
        aggregation[m].eta = choose_eta(&c, &aggregation[m], &sums.model[m]);
        factor[m]          = aggregation[m].eta / sigma;
        adapt_sigma(&aggregation[m], &sums.model[m], &c.norms);
        iterate[m].steps += (int64_t)sums.model[m].steps;
        iterate[m].round++;
    }
    sdca_vector_allreduce_apply(iterate->allreduce, factor);
    move_alpha(objective, ascent, aggregation, iterate);
    *totals = sums.caller;
}
