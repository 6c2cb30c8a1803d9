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

#include "base/compensated_sum.h"
#include "base/tuning.h"
#include "mpi/comm.h"
#include "objective/kernel_dispatch.h"
#include "objective/row_term.h"

/* A negative term of more than this fraction of its parts is not due to rounding, unless
 * the parts are so small that they have few digits. */
static const double negative_tolerance = 1e-9;

/* If the gap is at least this fraction of P, D is taken from its own sum rather than from
 * P - gap. */
static const double large_gap = 0.5;

/* u, and a little more for the rounding in the bounds themselves. */
static const double unit_roundoff = 1.01 * DBL_EPSILON / 2.0;

/* Roundings in a row's weighted term, of the magnitudes that are added up in it. */
static const double loss_roundings = 17.0;

/* A bound on rounding errors is too coarse if it exceeds this fraction of the gap, and
 * the gap this fraction of the target. */
static const double rounding_tolerance = 0.01;

/* |a - b|^2; b may be NULL, for 0. */
static double squared_distance(const sdca_dataset *data, const double *a, const double *b)
{
    compensated_sum norm2 = { 0.0, 0.0 };

    for (int32_t j = 0; j < data->columns; j++) {
        double x = b != NULL ? a[j] - b[j] : a[j];

        compensated_add(&norm2, x * x);
    }
    return compensated_value(&norm2);
}

/* The input of one evaluation. */
typedef struct evaluation {
    const sdca_objective *objective;
    const sdca_dataset   *data;
    sdca_point            point;
    const double         *dual_w;      /* w(alpha); NULL: it is w */
    float                *gap_term;    /* gap terms by row, to be set; or NULL */
    double                norm2;       /* |w|^2 */
    double                w_distance2; /* |w - w(alpha)|^2 */
    bool                  by_row;      /* bound rounding errors row by row */
} evaluation;

/* The sums of one pass over my rows. */
typedef struct row_sums {
    compensated_sum losses; /* every sum is weighted */
    compensated_sum conjugates;
    compensated_sum gap_terms;
    double          errors;      /* bounds on the errors of losses and gap terms */
    double          alpha_norms; /* |alpha_i| |x_i| */
    int64_t invalid_row;  /* a row whose term is negative beyond rounding, or -1; ... */
    double  invalid_term; /* ... that term */
} row_sums;

typedef row_term row_term_function(double p, double a, double z, double y);
typedef double   max_derivative_function(double p, double z, double r, double y);
typedef double   rounding_magnitude_function(double p, double a, double z, double y,
                                             double max_derivative);

/* Rows that are summed without compensation before their sum is added to the total. */
enum { BLOCK = 64 };

/* sum_j |x_j w_j|. */
SDCA_INLINE double row_abs_dot(row_format format, const sdca_rows *x, int64_t first,
                               int64_t width, const double *w)
{
    double magnitude = 0.0;

    for (int64_t k = 0; k < width; k++) {
        int64_t j = is_sparse(format) ? entry_column(format, x, first + k) : k;

        magnitude += fabs(entry_value(format, x, first + k) * w[j]);
    }
    return magnitude;
}

/* |x_i|, or a little more where its square is too small for a double. */
SDCA_INLINE double row_norm(const sdca_row *row, int64_t width)
{
    return sqrt(row->norm2 + (double)width * DBL_MIN);
}

/* One term per row; where w is zero, so is every margin. */
SDCA_INLINE row_sums sum_rows(row_term_function           *row_term_of,
                              max_derivative_function     *max_derivative_of,
                              rounding_magnitude_function *rounding_magnitude_of,
                              row_format format, const evaluation *e)
{
    const sdca_rows *x      = &e->data->x;
    double           p      = e->objective->parameter;
    const size_t     stride = e->point.alpha_stride;
    row_sums         all    = { .invalid_row = -1 };

    for (uint32_t first = 0; first < x->count; first += BLOCK) {
        uint32_t end    = x->count - first > BLOCK ? first + BLOCK : x->count;
        double   losses = 0.0, conjugates = 0.0, gap_terms = 0.0;

        for (uint32_t i = first; i < end; i++) {
            double  alpha = e->point.alpha[i * stride], y = x->row[i].y;
            int64_t start = x->row[i].start, width = x->row[i + 1].start - start;
            double  z =
                e->norm2 == 0.0 ? 0.0 : row_dot(format, x, start, width, e->point.w);
            row_term term      = row_term_of(p, alpha, z, y);
            double   magnitude = term.primal + fabs(term.conjugate) + fabs(alpha * z);
            double   weight    = sdca_dataset_weight(e->data, i);

            if (!(term.gap >= -negative_tolerance * magnitude - DBL_MIN)) {
                all.invalid_row  = i;
                all.invalid_term = term.gap;
            }
            if (e->gap_term != NULL) {
                e->gap_term[i] = (float)(weight * term.gap);
            }
            losses += weight * term.primal;
            conjugates += weight * term.conjugate;
            gap_terms += term.gap > 0.0 ? weight * term.gap : 0.0;
            if (e->by_row) {
                double r = unit_roundoff * sdca_rows_dot_error(width) *
                               row_abs_dot(format, x, start, width, e->point.w) +
                           (double)width * DBL_TRUE_MIN;
                double max_derivative = max_derivative_of(p, z, r, y);

                double error = (2.0 * max_derivative + fabs(alpha)) * r +
                               loss_roundings * unit_roundoff *
                                   rounding_magnitude_of(p, alpha, z, y, max_derivative);

                all.errors += weight * error;
                all.alpha_norms += weight * fabs(alpha) * row_norm(&x->row[i], width);
            }
        }
        compensated_add(&all.losses, losses);
        compensated_add(&all.conjugates, conjugates);
        compensated_add(&all.gap_terms, gap_terms);
    }
    return all;
}

typedef row_sums sum_function(const evaluation *e);

#define DEFINE_SUM(id, format)                                                       \
    static row_sums sum_##id##_##format(const evaluation *e)                         \
    {                                                                                \
        return sum_rows(id##_row_term, id##_max_derivative, id##_rounding_magnitude, \
                        format, e);                                                  \
    }
SDCA_DEFINE_KERNELS(DEFINE_SUM)
static sum_function *const sum_table[][ROW_FORMATS] = SDCA_KERNEL_TABLE(sum);
SDCA_KERNEL_TABLE_IS_COMPLETE(sum_table);

/* Sums over the ranks. */
enum { LOSSES, GAP_TERMS, CONJUGATES, ERRORS, ALPHA_NORMS, TOTAL_COUNT };

/* Add a bound on rounding errors to a certificate: row_errors is the mean error of the
 * rows, additions their number in each sum, and w_error the error of w(alpha), which is
 * at this distance from w. */
static void add_rounding(const sdca_objective *objective, double row_errors,
                         double additions, double w_error, double distance,
                         sdca_certificate *out)
{
    double lambda   = objective->lambda;
    double rounding = 1.01 * row_errors +
                      unit_roundoff * additions * (out->primal + out->gap) +
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
    double           r             = means->w_norm > 0.0
                                         ? unit_roundoff * means->w_norm * sqrt(data->margin_error2) + DBL_MIN
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
    double w_error = unit_roundoff * ((double)objective->rows + additions) *
                     sqrt(alpha2 * data->mean_norm2) / objective->lambda;

    add_rounding(objective,
                 margin_errors + loss_roundings * unit_roundoff * rounding_magnitude,
                 additions, w_error, means->w_distance, out);
}

bool sdca_duality_gap_rounding_dominates(const sdca_certificate *certificate,
                                         double                  target_gap)
{
    return !(certificate->rounding <= rounding_tolerance * certificate->gap) &&
           !(certificate->gap <= rounding_tolerance * target_gap);
}

static sdca_status check_terms(const evaluation *e, const row_sums *mine)
{
    return mine->invalid_row < 0
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DEFECT, "the duality gap of row %lld is %s",
                           (long long)sdca_dataset_global_row(
                               e->data, (uint32_t)mine->invalid_row),
                           isnan(mine->invalid_term) ? "not a number" : "negative");
}

/* One pass over the rows of all ranks; sets totals. Collective. */
static sdca_status evaluate_rows(MPI_Comm comm, const evaluation *e,
                                 double totals[TOTAL_COUNT], sdca_certificate *out)
{
    double      S            = e->objective->total_weight;
    double      lambda       = e->objective->lambda;
    double      added        = (double)e->data->x.count + sdca_comm_size(comm) + 12.0;
    double      penalty      = lambda / 2.0 * e->norm2;
    double      dual_penalty = e->dual_w != NULL
                                   ? lambda / 2.0 * squared_distance(e->data, e->dual_w, NULL)
                                   : penalty;
    row_sums    mine   = sum_table[e->objective->loss->kind][format_of(&e->data->x)](e);
    sdca_status status = sdca_comm_agree(comm, check_terms(e, &mine));

    if (status != SDCA_OK) {
        return status;
    }
    totals[LOSSES]      = compensated_value(&mine.losses);
    totals[GAP_TERMS]   = compensated_value(&mine.gap_terms);
    totals[CONJUGATES]  = compensated_value(&mine.conjugates);
    totals[ERRORS]      = mine.errors;
    totals[ALPHA_NORMS] = added * mine.alpha_norms;
    sdca_comm_allreduce_sum(comm, totals, TOTAL_COUNT);
    *out          = (sdca_certificate){ .primal = totals[LOSSES] / S + penalty,
                                        .gap    = totals[GAP_TERMS] / S +
                                               lambda / 2.0 * e->w_distance2 };
    out->distance = sdca_duality_gap_distance_bound(lambda, out->gap);
    out->dual     = out->gap < large_gap * out->primal
                        ? out->primal - out->gap
                        : 0.0 - totals[CONJUGATES] / S - dual_penalty;
    return isfinite(out->primal) && isfinite(out->gap) && isfinite(out->dual)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DEFECT, "the objective is no longer finite");
}

/* The norms that an evaluation needs. */
static void compute_norms(evaluation *e)
{
    e->norm2 = squared_distance(e->data, e->point.w, NULL);
    e->w_distance2 =
        e->dual_w != NULL ? squared_distance(e->data, e->point.w, e->dual_w) : 0.0;
}

/* One pass, and a second one if the first does not give a sharp enough bound on rounding
 * errors. Collective. */
static sdca_status certify(MPI_Comm comm, evaluation e, double target_gap,
                           sdca_certificate *out)
{
    sdca_status status    = SDCA_OK;
    double      S         = e.objective->total_weight;
    double      additions = BLOCK + sdca_comm_size(comm) + 32.0;
    double      totals[TOTAL_COUNT];

    compute_norms(&e);
    SDCA_TRY(evaluate_rows(comm, &e, totals, out));
    sdca_duality_gap_add_rounding(
        e.objective, e.data,
        &(sdca_duality_gap_means){ .mean_loss  = totals[LOSSES] / S,
                                   .mean_term  = totals[GAP_TERMS] / S,
                                   .w_norm     = sqrt(e.norm2),
                                   .w_distance = sqrt(e.w_distance2) },
        additions + sdca_comm_size(comm), out);
    if (sdca_duality_gap_rounding_dominates(out, target_gap)) {
        e.by_row = true;
        SDCA_TRY(evaluate_rows(comm, &e, totals, out));
        add_rounding(e.objective, totals[ERRORS] / S, additions,
                     unit_roundoff * totals[ALPHA_NORMS] / (e.objective->lambda * S),
                     sqrt(e.w_distance2), out);
    }
    out->dual = out->gap < large_gap * out->primal ? out->primal - out->gap : out->dual;

done:
    return status;
}

sdca_status sdca_duality_gap_measure(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     float *gap_term, sdca_certificate *out)
{
    double     totals[TOTAL_COUNT];
    evaluation e = {
        .objective = objective, .data = data, .point = point, .gap_term = gap_term
    };

    compute_norms(&e);
    return evaluate_rows(comm, &e, totals, out);
}

sdca_status sdca_duality_gap_certify(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     double target_gap, float *gap_term,
                                     sdca_certificate *out)
{
    return certify(
        comm,
        (evaluation){
            .objective = objective, .data = data, .point = point, .gap_term = gap_term },
        target_gap, out);
}

sdca_status sdca_duality_gap_certify_pair(MPI_Comm comm, const sdca_objective *objective,
                                          const sdca_dataset *data, sdca_point point,
                                          double target_gap, double *dual_w,
                                          sdca_certificate *out)
{
    sdca_point_recompute_w(comm, objective, data,
                           (sdca_point){ point.alpha, point.alpha_stride, dual_w });
    return certify(
        comm,
        (evaluation){
            .objective = objective, .data = data, .point = point, .dual_w = dual_w },
        target_gap, out);
}

sdca_status sdca_duality_gap_certify_primal(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            double target_gap, double *dual_w,
                                            sdca_certificate *out)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, point.w);

        /* For q = 0 the maximiser is minus a derivative. */
        point.alpha[i * point.alpha_stride] = objective->loss->maximizer(
            objective->parameter, 0.0, z, 0.0, data->x.row[i].y);
    }
    return sdca_duality_gap_certify_pair(comm, objective, data, point, target_gap, dual_w,
                                         out);
}

/* The weighted sums of the losses and of the gap terms of count consecutive rows from
 * first on. */
static void sum_consecutive_rows(const sdca_objective *objective,
                                 const sdca_dataset *data, const sdca_iterate *iterate,
                                 uint32_t first, uint32_t count, double *loss,
                                 double *gap)
{
    double p = objective->parameter;

    *loss = 0.0;
    *gap  = 0.0;
    for (uint32_t i = first; i < first + count; i++) {
        const sdca_iterate_row *row = &iterate->row[i];
        double                  z   = sdca_rows_dot(&data->x, i, iterate->w);
        double                  phi = objective->loss->primal(p, z, row->y);

        double weight = sdca_dataset_weight(data, i);

        *loss += weight * phi;
        *gap += weight *
                row_gap_estimate(phi, objective->loss->conjugate(p, row->alpha, row->y),
                                 row->alpha, z);
    }
}

sdca_duality_gap_estimate sdca_duality_gap_sample(MPI_Comm              comm,
                                                  const sdca_objective *objective,
                                                  const sdca_dataset   *data,
                                                  const sdca_iterate   *iterate,
                                                  double fraction, sdca_random stream)
{
    const uint32_t block_rows =
        TUNING_SAMPLE_BLOCK_ROWS; /* read faster than scattered rows */
    uint32_t rows          = data->x.count;
    uint32_t rows_in_block = rows < block_rows ? rows : block_rows;
    uint32_t blocks        = (uint32_t)ceil(fraction * rows / block_rows);
    double   S             = objective->total_weight;
    double   norm2         = 0.0, variance;
    double   totals[4]     = { 0.0, 0.0, 0.0, blocks };

    for (uint32_t g = 0; g < blocks; g++) {
        double   scale    = (double)rows / ((double)blocks * rows_in_block);
        double   position = (g + sdca_random_uniform(&stream)) / blocks;
        uint32_t last     = rows - rows_in_block;
        uint32_t first    = (uint32_t)fmin(last, position * (last + 1.0));
        double   loss, gap;

        sum_consecutive_rows(objective, data, iterate, first, rows_in_block, &loss, &gap);
        totals[0] += scale * loss;
        totals[1] += scale * gap;
        totals[2] += scale * gap * scale * gap;
    }
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += iterate->w[j] * iterate->w[j];
    }
    sdca_comm_allreduce_sum(comm, totals, 4);
    variance = totals[3] > 1.0 ? (totals[2] - totals[1] * totals[1] / totals[3]) *
                                     totals[3] / (totals[3] - 1.0)
                               : totals[1] * totals[1]; /* one block gives no variance */
    return (sdca_duality_gap_estimate){ .primal = totals[0] / S +
                                                  objective->lambda / 2.0 * norm2,
                                        .gap            = fmax(0.0, totals[1] / S),
                                        .standard_error = sqrt(fmax(0.0, variance)) / S };
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
