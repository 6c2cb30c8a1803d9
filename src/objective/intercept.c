/* SPDX-License-Identifier: BSD-3-Clause
 *
 * intercept.c - an intercept b without penalty. */
#include "objective/intercept.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/compensated_sum.h"
#include "mpi/comm.h"
#include "objective/gap_pass.h"

/* The weighted sums of |alpha|, by sign: all, and those inside their intervals. */
typedef struct sign_sums {
    double all[2]; /* of the negative and of the positive alpha */
    double free[2];
} sign_sums;

/* Does alpha lie inside its interval, away from the ends? */
static bool is_free(const sdca_objective *objective, const sdca_dataset *data, uint32_t i,
                    double alpha)
{
    sdca_interval allowed = sdca_objective_feasible(
        objective, sdca_objective_label(objective, data->x.row[i].y));

    return alpha > allowed.low && alpha < allowed.high;
}

static sign_sums sum_by_sign(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, sdca_point point)
{
    compensated_sum all[2] = { { 0.0, 0.0 }, { 0.0, 0.0 } };
    sign_sums       sums   = { { 0.0, 0.0 }, { 0.0, 0.0 } };

    for (uint32_t i = 0; i < data->x.count; i++) {
        double alpha = point.alpha[i * point.alpha_stride];
        double size  = sdca_dataset_weight(data, i) * fabs(alpha);

        if (size > 0.0) {
            compensated_add(&all[alpha > 0.0], size);
            sums.free[alpha > 0.0] += is_free(objective, data, i, alpha) ? size : 0.0;
        }
    }
    sums.all[0] = compensated_value(&all[0]);
    sums.all[1] = compensated_value(&all[1]);
    sdca_comm_allreduce_sum(comm, sums.all, 4);
    return sums;
}

void sdca_intercept_balance(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, sdca_point point)
{
    sign_sums sums   = sum_by_sign(comm, objective, data, point);
    int       heavy  = sums.all[1] > sums.all[0];
    double    excess = sums.all[heavy] - sums.all[1 - heavy];
    bool      free   = excess <= sums.free[heavy] / 2.0;
    double    factor =
        1.0 - excess / (free ? fmax(sums.free[heavy], DBL_MIN) : sums.all[heavy]);

    for (uint32_t i = 0; excess > 0.0 && i < data->x.count; i++) {
        double *alpha = &point.alpha[i * point.alpha_stride];

        if (*alpha != 0.0 && (*alpha > 0.0) == (heavy == 1) &&
            (!free || is_free(objective, data, i, *alpha))) {
            *alpha *= fmax(0.0, factor);
        }
    }
}

double sdca_intercept_imbalance(MPI_Comm comm, const sdca_dataset *data, sdca_point point)
{
    compensated_sum sum      = { 0.0, 0.0 };
    double          total[3] = { 0.0, 0.0, (double)data->x.count }; /* of s alpha, ... */

    for (uint32_t i = 0; i < data->x.count; i++) {
        double term = sdca_dataset_weight(data, i) * point.alpha[i * point.alpha_stride];

        compensated_add(&sum, term);
        total[1] += fabs(term);
    }
    total[0] = compensated_value(&sum);
    sdca_comm_allreduce_sum(comm, total, 3);

    /* Products and the compensated sum are off by a few roundings of all terms. */
    return total[1] > 0.0
               ? fmin(1.0, 2.0 * fabs(total[0]) / total[1] +
                               (4.0 + sdca_comm_size(comm) + total[2] * DBL_EPSILON) *
                                   DBL_EPSILON)
               : 0.0;
}

/* The margins without b of one model. */
typedef struct margins {
    MPI_Comm              comm;
    const sdca_objective *objective;
    const sdca_dataset   *data;
    const sdca_iterate   *iterate;
    const double         *z; /* of row i: z[i * lanes] */
} margins;

/* The weight of row i in P: 0 if its fold is held out. */
static double weight_of(const margins *m, uint32_t i)
{
    return sdca_objective_holds_out(m->objective, sdca_dataset_fold(m->data, i))
               ? 0.0
               : sdca_dataset_weight(m->data, i);
}

/* S times the derivative of P by b. Collective. */
static double derivative(const margins *m, double b)
{
    const sdca_objective *objective = m->objective;
    compensated_sum       sum       = { 0.0, 0.0 };
    double                total;

    for (uint32_t i = 0; i < m->data->x.count; i++) {
        double z = m->z[(size_t)i * (size_t)m->iterate->lanes] + b;

        /* For q = 0 the maximiser is minus a derivative. */
        compensated_add(&sum, -weight_of(m, i) *
                                  objective->loss->maximizer(
                                      objective->parameter, 0.0, z, 0.0,
                                      sdca_iterate_label(m->iterate, objective, i)));
    }
    total = compensated_value(&sum);
    sdca_comm_allreduce_sum(m->comm, &total, 1);
    return total;
}

/* A value of b, and the derivative there. */
typedef struct line_point {
    double b;
    double slope;
} line_point;

/* Two points with a minimum between them, from a first one on; the same point twice if
 * it is one, or if there is none within reach. Collective. */
static void find_bracket(const margins *m, double tolerance, line_point *low,
                         line_point *high)
{
    enum { MOST = 100 };
    line_point at   = *low;
    double     step = fmax(fabs(at.slope) / m->objective->total_weight,
                           DBL_EPSILON * (1.0 + fabs(at.b)));
    double     sign = at.slope > 0.0 ? -1.0 : 1.0;

    for (int k = 0; k < MOST && fabs(at.slope) * step > tolerance; k++, step *= 2.0) {
        line_point next = { .b = at.b + sign * step };

        next.slope = derivative(m, next.b);
        if (next.slope == 0.0) {
            *low = *high = next;
            return;
        }
        if ((next.slope > 0.0) != (at.slope > 0.0)) {
            *low  = sign > 0.0 ? at : next;
            *high = sign > 0.0 ? next : at;
            return;
        }
        at = next;
    }
    *low = *high = at;
}

/* The b with the smallest P, where P may be off by tolerance/S: secants between two
 * points that enclose it, and halves where these do not narrow the interval fast enough.
 * Collective. */
static double minimize(const margins *m, double start, double tolerance)
{
    enum { MOST = 100 };
    line_point low = { start, derivative(m, start) }, high = low;

    if (low.slope != 0.0) {
        find_bracket(m, tolerance, &low, &high);
    }
    for (int k = 0; k < MOST && high.b > low.b; k++) {
        double     width  = high.b - low.b;
        double     secant = low.b - low.slope * width / (high.slope - low.slope);
        line_point at     = { .b = k % 2 == 0 ? secant : low.b + width / 2.0 };

        if (fmin(-low.slope, high.slope) * width <= tolerance || !(at.b > low.b) ||
            !(at.b < high.b)) {
            break;
        }
        at.slope = derivative(m, at.b);
        if (at.slope == 0.0) {
            return at.b;
        }
        *(at.slope < 0.0 ? &low : &high) = at;
    }
    return -low.slope < high.slope ? low.b : high.b;
}

/* Allocate the margins of all models. Collective. */
static sdca_status make_room(MPI_Comm comm, const sdca_dataset *data,
                             const sdca_iterate *iterate, double **z)
{
    *z = sdca_alloc_array((size_t)data->x.count * (size_t)iterate->lanes, sizeof **z);
    return sdca_comm_agree(
        comm, *z != NULL ? SDCA_OK
                         : SDCA_FAIL(SDCA_MEMORY, "no memory for the margins of %lu rows",
                                     (unsigned long)data->x.count));
}

/* The margins of all models without b, of row i and model k z[i * lanes + k]. */
static void compute_margins(const sdca_dataset *data, const sdca_iterate *iterate,
                            double *z)
{
    size_t                   lanes = (size_t)iterate->lanes;
    const sdca_lane_kernels *kernels =
        lanes > 1 ? sdca_lane_kernels_find(&data->x, iterate->lanes) : NULL;
    const double *constant = iterate->w + (size_t)(data->columns - 1) * lanes;

    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t first = data->x.row[i].start;

        if (lanes == 1) {
            z[i] = sdca_rows_dot(&data->x, i, iterate->w);
        } else {
            kernels->dot(&data->x, first, data->x.row[i + 1].start - first, iterate->w,
                         z + i * lanes);
        }
        for (size_t k = 0; k < lanes; k++) {
            z[i * lanes + k] -= data->bias * constant[k];
        }
    }
}

/* Set b; the sum of alpha, and so its distance from the centre, stays. */
static void set_intercept(const sdca_dataset *data, double b, sdca_iterate *iterate)
{
    double *weight = &iterate->w[(size_t)(data->columns - 1) * (size_t)iterate->lanes];

    iterate->centre += b / data->bias - *weight;
    *weight = b / data->bias;
}

sdca_status sdca_intercept_prepare(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset *data, int all_models,
                                   unsigned models, const double *target_gap,
                                   sdca_iterate *iterate)
{
    const double tolerance = 0.01; /* of the target */
    sdca_status  status    = SDCA_OK;
    double      *z         = NULL;

    SDCA_TRY(make_room(comm, data, iterate, &z));
    for (int k = 0; k < all_models; k++) {
        if (models >> k & 1) {
            sdca_intercept_balance(comm, &objective[k], data,
                                   sdca_iterate_point(&iterate[k]));
        }
    }
    sdca_iterate_recompute_w(comm, objective, data, all_models, iterate);
    compute_margins(data, iterate, z);
    for (int k = 0; k < all_models; k++) {
        margins m = { comm, &objective[k], data, &iterate[k], z + k };

        if (models >> k & 1) {
            set_intercept(data,
                          minimize(&m, sdca_iterate_intercept(&iterate[k]),
                                   tolerance * target_gap[k] * objective[k].total_weight),
                          &iterate[k]);
        }
    }
    sdca_iterate_w_changed(iterate);

done:
    free(z);
    return status;
}

void sdca_intercept_move_centre(sdca_iterate *iterate)
{
    double *weight = &iterate->w[(size_t)(iterate->columns - 1) * (size_t)iterate->lanes];
    double  change = *weight - iterate->centre;

    iterate->centre = *weight;
    *weight += change;
}

/* The optimum w* is within a distance r of w, so that the margin of row i without b is
 * within r |x_i| of z_i. phi' does not fall: if its sum is positive at the least margins
 * for some b, it is so for w* and all greater b, and no minimum is there; likewise below.
 */
typedef struct bound_search {
    margins m;
    double  b;        /* of the iterate */
    double  radius;   /* r, and the rounding errors of margins per unit of |x| */
    double  rounding; /* those of b */
} bound_search;

/* Is the b of every optimum proven to be at most this far from b on one side? Collective.
 */
static bool is_bound(const bound_search *s, double far, double side)
{
    const sdca_objective *objective = s->m.objective;
    const sdca_dataset   *data      = s->m.data;
    compensated_sum       sum       = { 0.0, 0.0 };
    double                total[2]  = { 0.0, 0.0 }; /* of s phi', and of its magnitude */

    for (uint32_t i = 0; i < data->x.count; i++) {
        double norm2 = data->x.row[i].norm2;
        double norm  = sqrt(fmax(0.0, norm2 - data->bias * data->bias) + 1e-12 * norm2);
        double z = s->m.z[(size_t)i * (size_t)s->m.iterate->lanes] + s->b + side * far;
        double least = z - side * (s->radius * norm + s->rounding);
        double term =
            -sdca_dataset_weight(data, i) *
            objective->loss->maximizer(objective->parameter, 0.0, least, 0.0,
                                       sdca_iterate_label(s->m.iterate, objective, i));

        compensated_add(&sum, term);
        total[1] += fabs(term);
    }
    total[0] = side * compensated_value(&sum);
    sdca_comm_allreduce_sum(s->m.comm, total, 2);
    return total[0] > 1e-10 * total[1];
}

/* The least distance on one side that is proven, up to some per cent; infinite if there
 * is none in reach. Collective. */
static double find_bound(const bound_search *s, double first, double side)
{
    enum { DOUBLINGS = 24, HALVINGS = 6 };
    double near = 0.0, far = first;
    int    k = 0;

    while (k < DOUBLINGS && !is_bound(s, far, side)) {
        near = far;
        far *= 2.0;
        k++;
    }
    for (int h = 0; h < HALVINGS && k < DOUBLINGS; h++) {
        double middle = near + (far - near) / 2.0;

        *(is_bound(s, middle, side) ? &far : &near) = middle;
    }
    return k < DOUBLINGS ? far : INFINITY;
}

sdca_status sdca_intercept_set_bounds(MPI_Comm comm, const sdca_objective *objective,
                                      const sdca_dataset *data,
                                      const sdca_iterate *iterate, int k,
                                      sdca_certificate *certificate)
{
    sdca_status  status    = SDCA_OK;
    double       roundings = sdca_unit_roundoff * ((double)data->columns + 8.0);
    double       w_norm    = sqrt(2.0 * certificate->primal / objective->lambda);
    double       b         = sdca_iterate_intercept(&iterate[k]), first;
    double       below = INFINITY, above = INFINITY, *z = NULL;
    bound_search s = { .m        = { comm, objective, data, &iterate[k], NULL },
                       .b        = b,
                       .radius   = certificate->distance + roundings * w_norm,
                       .rounding = roundings * (fabs(b) + 1.0) };

    SDCA_TRY(make_room(comm, data, iterate, &z));
    s.m.z = z + k;
    first = s.radius * sqrt(data->mean_norm2) + 1e-12 * (1.0 + fabs(b));
    if (isfinite(first) && certificate->rounding > 0.0) {
        compute_margins(data, iterate, z);
        below = find_bound(&s, first, -1.0);
        above = find_bound(&s, first, 1.0);
    }
    certificate->bounds_intercept = isfinite(below) && isfinite(above);
    certificate->intercept_low    = b - below * (1.0 + 1e-12);
    certificate->intercept_high   = b + above * (1.0 + 1e-12);

done:
    free(z);
    return status;
}
