/* SPDX-License-Identifier: BSD-3-Clause
 *
 * duality_gap.c - the duality gap: an upper bound on the suboptimality of w.
 *
 * With w = w(alpha), lambda |w|^2 = (1/S) sum s_i alpha_i w.x_i, and the gap is a
 * weighted mean of terms that are non-negative by the Fenchel-Young inequality:
 *
 *     P(w) - D(alpha) = (1/S) sum s_i (phi_i(z_i) + phi_i*(-alpha_i) + alpha_i z_i)
 *
 * with z_i = w.x_i and the weights s_i of the rows, whose sum is S. Nothing large
 * cancels, so that a gap of 1e-12 P is still accurate. For any other w, the gap is this
 * mean plus (lambda/2) |w - w(alpha)|^2.
 *
 * A certificate also bounds the errors of its own arithmetic. With u = 2^-53:
 *
 *     margins    |z - fl(z)| <= r = k u sum_j |x_j w_j|, k = sdca_rows_dot_error();
 *                phi moves by at most r times its steepness there, alpha z by |alpha| r;
 *     losses     17 u times the magnitudes of all that is added up in a row's term;
 *     w(alpha)   is off by at most h = (m + 12) u C sum s_i |alpha_i||x_i|, for m
 * additions in a column, which adds lambda |w - w(alpha)| h + (lambda/2) h^2; sums of
 * terms that are not negative: u of each per addition.
 *
 * With an intercept without penalty the dual has the constraint sum s_i alpha_i = 0.
 * Where rounding leaves a part d of the alpha of one sign too much, 1 - d times these are
 * feasible, and by convexity their terms grow by at most d times the losses: d is
 * sdca_intercept_imbalance(), and w(alpha) moves by at most d C sum s_i |alpha_i||x_i|.
 *
 * The errors of P and of the gap are both added to the gap: then min P >= P - gap and,
 * for relative targets of at most 1, gap / P can be relied on, with P as reported.
 *
 * These are first bounded from sums that are known already, at no cost: with gamma
 * phi'^2 <= 2 phi for a (1/gamma)-smooth loss, |x||w| for the sum over j, and the
 * Cauchy-Schwarz inequality for sums over rows. Only if that is too coarse, another
 * pass over the rows sums the bounds row by row. */
#include "objective/duality_gap.h"

#include <float.h>
#include <math.h>

#include "mpi/comm.h"
#include "objective/gap_pass.h"
#include "objective/intercept.h"

/* If the gap is at least this fraction of P, D is taken from its own sum rather than from
 * P - gap. */
static const double large_gap = 0.5;

/* A bound on rounding errors is too coarse if it exceeds this fraction of the gap, and
 * the gap this fraction of the target. */
static const double rounding_tolerance = 0.01;

/* |a - b|^2 without an intercept; b may be NULL, for 0. */
static double squared_distance(const sdca_dataset *data, const double *a, size_t a_stride,
                               const double *b)
{
    compensated_sum norm2 = { 0.0, 0.0 };

    for (size_t j = 0; j < (size_t)sdca_dataset_penalized_columns(data); j++) {
        double x = b != NULL ? a[j * a_stride] - b[j] : a[j * a_stride];

        compensated_add(&norm2, x * x);
    }
    return compensated_value(&norm2);
}

/* Sums over the ranks. */
typedef struct gap_totals {
    double losses;
    double gap_terms;
    double conjugates;
    double errors;
    double alpha_norms;
} gap_totals;

enum { TOTAL_COUNT = sizeof(gap_totals) / sizeof(double) };

/* The input and the sums of one evaluation, of one model or of several side by side. */
typedef struct evaluation {
    const sdca_dataset *data;
    int                 lanes;
    const double       *w;                    /* of the first lane */
    sdca_gap_lane       lane[SDCA_MAX_LANES]; /* no objective: not to be evaluated */
    const double       *dual_w;      /* w(alpha); NULL: it is w. With one lane only */
    double              w_distance2; /* |w - w(alpha)|^2 */
    double              intercept2[SDCA_MAX_LANES]; /* squared weight of an intercept */
    double              imbalance[SDCA_MAX_LANES];  /* sdca_intercept_imbalance(), or 0 */
    gap_totals          totals[SDCA_MAX_LANES];
} evaluation;

/* Add a bound on rounding errors to a certificate: row_errors is the mean error of the
 * rows, additions their number in each sum, and w_error the error of w(alpha), which is
 * at this distance from w. */
static void add_rounding(const sdca_objective *objective, double row_errors,
                         double additions, double w_error, double distance,
                         sdca_certificate *out)
{
    double lambda   = objective->lambda;
    double rounding = 1.01 * row_errors +
                      sdca_unit_roundoff * additions * (out->primal + out->gap) +
                      lambda * w_error * (distance + w_error / 2.0);

    out->rounding = rounding >= 0.0 ? rounding : INFINITY; /* also for NaN */
    out->gap += out->rounding;

    /* w* lies in a ball around the middle of w and w(alpha): |(w + w(alpha))/2 - w*|^2
     * <= gap/lambda - |w - w(alpha)|^2/4, so that |w - w*| grows with |w - w(alpha)|. */
    distance =
        fmin(distance + w_error, sdca_duality_gap_distance_bound(lambda, out->gap));
    out->distance =
        sqrt(fmax(0.0, out->gap / lambda - distance * distance / 4.0)) + distance / 2.0;
}

void sdca_duality_gap_add_rounding(const sdca_objective         *objective,
                                   const sdca_dataset           *data,
                                   const sdca_duality_gap_means *means, double additions,
                                   sdca_certificate *out)
{
    const sdca_loss *loss          = objective->loss;
    double           lipschitz     = loss->lipschitz(objective->parameter);
    double           gamma         = loss->smoothness(objective->parameter);
    double           e             = loss->insensitivity(objective->parameter);
    double           inverse_gamma = gamma > 0.0 ? 1.0 / gamma : 0.0;

    /* Means over the rows that count are at most this many times those over all rows. */
    double part = data->total_weight / objective->total_weight;
    double r    = means->w_norm > 0.0 ? sdca_unit_roundoff * means->w_norm *
                                             sqrt(part * data->margin_error2) +
                                         DBL_MIN
                                      : 0.0;

    /* Means of the squares of phi' and alpha, of which 2 phi/gamma and 2 (term)/gamma
     * bound phi' and the distance between the two. */
    double derivative2 =
        gamma > 0.0 ? fmin(lipschitz * lipschitz, 2.0 * inverse_gamma * means->mean_loss)
                    : lipschitz * lipschitz;
    double alpha2 = isfinite(lipschitz)
                        ? lipschitz * lipschitz
                        : 2.0 * derivative2 + 4.0 * inverse_gamma * means->mean_term;
    double margin_errors =
        r * sqrt(8.0 * derivative2 + 2.0 * alpha2) + 2.0 * inverse_gamma * r * r;
    double rounding_magnitude = 7.0 * means->mean_loss + means->mean_term +
                                6.0 * e * sqrt(alpha2) + gamma * alpha2;
    double w_error =
        (sdca_unit_roundoff * ((double)objective->rows + additions) + means->imbalance) *
        sqrt(alpha2 * part * data->mean_norm2) / objective->lambda;

    add_rounding(objective,
                 margin_errors + means->imbalance * means->mean_loss +
                     sdca_row_term_roundings * sdca_unit_roundoff * rounding_magnitude,
                 additions, w_error, means->w_distance, out);
}

bool sdca_duality_gap_rounding_dominates(const sdca_certificate *certificate,
                                         const sdca_target      *target)
{
    return !(certificate->rounding <= rounding_tolerance * certificate->gap) &&
           !(certificate->gap <=
             rounding_tolerance * sdca_target_gap(target, certificate->primal));
}

static sdca_status check_terms(const evaluation *e, const sdca_gap_sums *sums)
{
    for (int m = 0; m < e->lanes; m++) {
        if (e->lane[m].objective != NULL && sums[m].invalid_row >= 0) {
            return SDCA_FAIL(SDCA_DEFECT, "the duality gap of row %lld is %s",
                             (long long)sdca_dataset_global_row(
                                 e->data, (uint32_t)sums[m].invalid_row),
                             isnan(sums[m].invalid_term) ? "not a number" : "negative");
        }
    }
    return SDCA_OK;
}

/* P, D and gap of one model from its totals. */
static sdca_certificate certificate_of(const evaluation *e, int m)
{
    const sdca_gap_lane *lane    = &e->lane[m];
    const gap_totals    *totals  = &e->totals[m];
    double               S       = lane->objective->total_weight;
    double               lambda  = lane->objective->lambda;
    double               penalty = lambda / 2.0 * lane->norm2;
    double               dual_penalty =
        e->dual_w != NULL ? lambda / 2.0 * squared_distance(e->data, e->dual_w, 1, NULL)
                                        : penalty;
    sdca_certificate out = { .primal = totals->losses / S + penalty,
                             .gap =
                                 totals->gap_terms / S + lambda / 2.0 * e->w_distance2 };

    out.distance = sdca_duality_gap_distance_bound(lambda, out.gap);
    out.dual     = out.gap < large_gap * out.primal
                       ? out.primal - out.gap
                       : 0.0 - totals->conjugates / S - dual_penalty;
    return out;
}

/* One pass over the rows of all ranks; sets the totals and certificates of the lanes to
 * be evaluated. Collective. */
static sdca_status evaluate_rows(MPI_Comm comm, evaluation *e, sdca_certificate *out)
{
    double        added = (double)e->data->x.count + sdca_comm_size(comm) + 12.0;
    sdca_gap_sums mine[SDCA_MAX_LANES];
    sdca_status   status = SDCA_OK;

    if (e->lanes == 1) {
        sdca_gap_pass_run(e->data, &e->lane[0], &mine[0]);
    } else {
        sdca_gap_pass_run_lanes(e->data, e->lanes, e->w, e->lane, mine);
    }
    SDCA_TRY(sdca_comm_agree(comm, check_terms(e, mine)));
    for (int m = 0; m < e->lanes; m++) {
        if (e->lane[m].objective != NULL) {
            e->totals[m] =
                (gap_totals){ .losses      = compensated_value(&mine[m].losses),
                              .gap_terms   = compensated_value(&mine[m].gap_terms),
                              .conjugates  = compensated_value(&mine[m].conjugates),
                              .errors      = mine[m].errors,
                              .alpha_norms = added * mine[m].alpha_norms };
        }
    }
    sdca_comm_allreduce_sum(comm, &e->totals[0].losses, e->lanes * TOTAL_COUNT);
    for (int m = 0; m < e->lanes && status == SDCA_OK; m++) {
        if (e->lane[m].objective != NULL) {
            out[m] = certificate_of(e, m);
            status =
                isfinite(out[m].primal) && isfinite(out[m].gap) && isfinite(out[m].dual)
                    ? SDCA_OK
                    : SDCA_FAIL(SDCA_DEFECT, "the objective is no longer finite");
        }
    }

done:
    return status;
}

/* The square of the weight of an intercept, which is a part of margins. */
static double intercept_weight2(const sdca_dataset *data, sdca_point point)
{
    double w =
        data->intercept ? point.w[(size_t)(data->columns - 1) * point.w_stride] : 0.0;

    return w * w;
}

/* The norms that an evaluation needs. */
static void compute_norms(evaluation *e)
{
    for (int m = 0; m < e->lanes; m++) {
        if (e->lane[m].objective != NULL) {
            e->lane[m].norm2 = squared_distance(e->data, e->lane[m].point.w,
                                                e->lane[m].point.w_stride, NULL);
            e->intercept2[m] = intercept_weight2(e->data, e->lane[m].point);
            e->lane[m].zero  = e->lane[m].norm2 + e->intercept2[m] == 0.0;
        }
    }
    e->w_distance2 = e->dual_w != NULL
                         ? squared_distance(e->data, e->lane[0].point.w, 1, e->dual_w)
                         : 0.0;
}

/* Add the bound that is known without another pass; true if it is too coarse. */
static bool bound_coarsely(const evaluation *e, int m, double additions,
                           const sdca_target *target, sdca_certificate *out)
{
    const sdca_gap_lane *lane = &e->lane[m];
    double               S    = lane->objective->total_weight;

    sdca_duality_gap_add_rounding(
        lane->objective, e->data,
        &(sdca_duality_gap_means){ .mean_loss  = e->totals[m].losses / S,
                                   .mean_term  = e->totals[m].gap_terms / S,
                                   .w_norm     = sqrt(lane->norm2 + e->intercept2[m]),
                                   .imbalance  = e->imbalance[m],
                                   .w_distance = sqrt(e->w_distance2) },
        additions, out);
    return sdca_duality_gap_rounding_dominates(out, target);
}

/* One pass, and a second one for the models for which the first does not give a sharp
 * enough bound on rounding errors. Collective. */
static sdca_status certify(MPI_Comm comm, evaluation *e, const sdca_target *target,
                           sdca_certificate *out)
{
    sdca_status status    = SDCA_OK;
    double      additions = SDCA_GAP_PASS_BLOCK + sdca_comm_size(comm) + 32.0;
    evaluation  again     = *e;
    bool        coarse    = false;

    compute_norms(e);
    for (int m = 0; e->data->intercept && m < e->lanes; m++) {
        e->imbalance[m] = e->lane[m].objective != NULL
                              ? sdca_intercept_imbalance(comm, e->data, e->lane[m].point)
                              : 0.0;
    }
    SDCA_TRY(evaluate_rows(comm, e, out));
    again = *e;
    for (int m = 0; m < e->lanes; m++) {
        if (e->lane[m].objective != NULL &&
            bound_coarsely(e, m, additions + sdca_comm_size(comm), target, &out[m])) {
            again.lane[m].by_row = true;
            coarse               = true;
        } else {
            again.lane[m].objective = NULL;
        }
    }
    if (coarse) {
        SDCA_TRY(evaluate_rows(comm, &again, out));
    }
    for (int m = 0; m < e->lanes; m++) {
        const sdca_objective *objective = again.lane[m].objective;

        if (objective != NULL) {
            double S = objective->total_weight;

            /* alpha_norms has a factor of at least 12. */
            add_rounding(objective,
                         again.totals[m].errors / S +
                             e->imbalance[m] * again.totals[m].losses / S,
                         additions,
                         (sdca_unit_roundoff + e->imbalance[m] / 12.0) *
                             again.totals[m].alpha_norms / (objective->lambda * S),
                         sqrt(e->w_distance2), &out[m]);
        }
        if (e->lane[m].objective != NULL && out[m].gap < large_gap * out[m].primal) {
            out[m].dual = out[m].primal - out[m].gap;
        }
    }

done:
    return status;
}

static evaluation evaluation_of(const sdca_objective *objective, const sdca_dataset *data,
                                sdca_point point, const double *dual_w, float *gap_term)
{
    return (evaluation){
        .data   = data,
        .lanes  = 1,
        .w      = point.w,
        .lane   = { { .objective = objective, .point = point, .gap_term = gap_term } },
        .dual_w = dual_w
    };
}

/* The models of an iterate whose bits are set. */
static evaluation evaluation_of_lanes(const sdca_objective *objective,
                                      const sdca_dataset   *data,
                                      const sdca_iterate *iterate, unsigned models,
                                      float *gap_term)
{
    evaluation e = { .data = data, .lanes = iterate->lanes, .w = iterate->w };

    for (int m = 0; m < iterate->lanes; m++) {
        if (models >> m & 1) {
            e.lane[m] =
                (sdca_gap_lane){ .objective = &objective[m],
                                 .point     = sdca_iterate_point(&iterate[m]),
                                 .gap_term  = gap_term != NULL ? gap_term + m : NULL };
        }
    }
    return e;
}

sdca_status sdca_duality_gap_measure(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     float *gap_term, sdca_certificate *out)
{
    evaluation e = evaluation_of(objective, data, point, NULL, gap_term);

    compute_norms(&e);
    return evaluate_rows(comm, &e, out);
}

sdca_status sdca_duality_gap_certify(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     const sdca_target *target, float *gap_term,
                                     sdca_certificate *out)
{
    evaluation e = evaluation_of(objective, data, point, NULL, gap_term);

    return certify(comm, &e, target, out);
}

sdca_status sdca_duality_gap_measure_lanes(MPI_Comm comm, const sdca_objective *objective,
                                           const sdca_dataset *data,
                                           const sdca_iterate *iterate, unsigned models,
                                           float *gap_term, sdca_certificate *out)
{
    evaluation e = evaluation_of_lanes(objective, data, iterate, models, gap_term);

    compute_norms(&e);
    return evaluate_rows(comm, &e, out);
}

sdca_status sdca_duality_gap_certify_lanes(MPI_Comm comm, const sdca_objective *objective,
                                           const sdca_dataset *data,
                                           const sdca_iterate *iterate, unsigned models,
                                           const sdca_target *target, float *gap_term,
                                           sdca_certificate *out)
{
    evaluation e = evaluation_of_lanes(objective, data, iterate, models, gap_term);

    return certify(comm, &e, target, out);
}

sdca_status sdca_duality_gap_certify_pair(MPI_Comm comm, const sdca_objective *objective,
                                          const sdca_dataset *data, sdca_point point,
                                          const sdca_target *target, double *dual_w,
                                          sdca_certificate *out)
{
    evaluation e = evaluation_of(objective, data, point, dual_w, NULL);

    if (data->intercept) {
        sdca_intercept_balance(comm, objective, data, point);
    }
    sdca_point_recompute_w(comm, objective, data,
                           (sdca_point){ point.alpha, point.alpha_stride, dual_w, 1 });
    return certify(comm, &e, target, out);
}

sdca_status sdca_duality_gap_certify_primal(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            const sdca_target *target, double *dual_w,
                                            sdca_certificate *out)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, point.w);

        /* For q = 0 the maximiser is minus a derivative. */
        point.alpha[i * point.alpha_stride] =
            objective->loss->maximizer(objective->parameter, 0.0, z, 0.0,
                                       sdca_objective_label(objective, data->x.row[i].y));
    }
    return sdca_duality_gap_certify_pair(comm, objective, data, point, target, dual_w,
                                         out);
}

double sdca_duality_gap_relative(const sdca_certificate *certificate)
{
    return certificate->gap <= 0.0 ? 0.0 : certificate->gap / certificate->primal;
}

double sdca_duality_gap_distance_bound(double lambda, double gap)
{
    return sqrt(2.0 * gap / lambda);
}

bool sdca_target_is_met(const sdca_target *target, const sdca_certificate *certificate)
{
    return target->gap > 0.0 ? certificate->gap <= target->gap
                             : sdca_duality_gap_relative(certificate) <= target->rel_gap;
}

double sdca_target_gap(const sdca_target *target, double primal)
{
    return target->gap > 0.0 ? target->gap : target->rel_gap * primal;
}
