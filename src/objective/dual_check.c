/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_check.c - what given dual variables say about given weights: feasibility,
 * w(alpha), and the error without each row in turn. docs/certificates.md derives the
 * bounds. */
#include "objective/dual_check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "mpi/comm.h"
#include "objective/gap_pass.h"

int64_t sdca_dual_check_find_infeasible(const sdca_objective *objective,
                                        const sdca_dataset *data, const double *alpha,
                                        size_t alpha_stride)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_interval allowed = sdca_objective_feasible(
            objective, sdca_objective_label(objective, data->x.row[i].y));
        double a = alpha[i * alpha_stride];

        if (!(isfinite(a) && a >= allowed.low && a <= allowed.high)) {
            return i;
        }
    }
    return -1;
}

/* Add the magnitude of a row's part in each column, times 2^-53 per addition: magnitude
 * has its sums, and count the numbers of additions. */
static void add_magnitudes(const sdca_rows *x, uint32_t i, double factor,
                           double *magnitude, double *count)
{
    for (int64_t k = x->row[i].start; k < x->row[i + 1].start; k++) {
        int64_t j = sdca_rows_column(x, k);

        magnitude[j] += fabs(factor * sdca_rows_value(x, k));
        count[j] += 1.0;
    }
}

void sdca_dual_check_rebuild(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, sdca_point point, int ranks,
                             double *tolerance)
{
    double *count = point.w; /* for a while */

    memset(tolerance, 0, (size_t)data->columns * sizeof *tolerance);
    memset(count, 0, (size_t)data->columns * sizeof *count);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double alpha = point.alpha[i * point.alpha_stride];

        if (alpha != 0.0) {
            add_magnitudes(&data->x, i, sdca_dataset_weight(data, i) * alpha, tolerance,
                           count);
        }
    }
    sdca_comm_allreduce_sum(comm, tolerance, data->columns);
    sdca_comm_allreduce_sum(comm, count, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        tolerance[j] = 2.0 * sdca_unit_roundoff *
                           (count[j] + ranks + sdca_comm_size(comm) + 16.0) *
                           objective->C * tolerance[j] +
                       4.0 * DBL_TRUE_MIN * (count[j] + 1.0);
    }
    sdca_point_recompute_w(comm, objective, data, point);
}

/* The norms that bound the margins without a row. */
typedef struct ball {
    double distance2;  /* gap / lambda */
    double w_distance; /* |w - w(alpha)| */
    double w_norm;     /* |w| */
} ball;

/* -1, 0 or 1: the label of row i without it is proven to be wrong, not proven, or proven
 * to be right. With A = s alpha x / (lambda S) and d = |w - w(alpha)|, the optimum
 * without the row is within sqrt(gap/lambda + |A|^2/4 + |A| d/2) of (w + w(alpha) - A)/2.
 */
static int judge_row(const sdca_objective *objective, const sdca_dataset *data,
                     const sdca_point *point, const ball *b, uint32_t i)
{
    const sdca_row *row   = &data->x.row[i];
    double          y     = sdca_objective_label(objective, row->y);
    double          alpha = point->alpha[i * point->alpha_stride];
    double          norm  = sqrt(row->norm2);
    double          scale = objective->C * sdca_dataset_weight(data, i) * alpha;
    double          A     = fabs(scale) * norm;
    double margin = y * (sdca_rows_dot(&data->x, i, point->w) - scale * row->norm2 / 2.0);
    double rounding =
        sdca_unit_roundoff *
        ((sdca_rows_dot_error(row[1].start - row[0].start) + 4.0) * b->w_norm + 8.0 * A);
    double reach = norm * (sqrt(b->distance2 + A * A / 4.0 + A * b->w_distance / 2.0) *
                               (1.0 + 1e-9) +
                           b->w_distance / 2.0 + rounding);

    if (row->norm2 == 0.0) { /* its score is 0 in any case */
        return y < 0.0 ? 1 : -1;
    }
    return margin > reach ? 1 : margin < -reach ? -1 : 0;
}

sdca_leave_one_out sdca_dual_check_leave_one_out(MPI_Comm              comm,
                                                 const sdca_objective *objective,
                                                 const sdca_dataset   *data,
                                                 sdca_point point, double gap,
                                                 double w_distance)
{
    ball   b      = { .distance2 = gap / objective->lambda, .w_distance = w_distance };
    double sum[2] = { 0.0, 0.0 };

    for (int32_t j = 0; j < data->columns; j++) {
        b.w_norm = hypot(b.w_norm, point.w[j]);
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        int judged = judge_row(objective, data, &point, &b, i);

        sum[0] += judged < 0 ? sdca_dataset_weight(data, i) : 0.0;
        sum[1] += judged == 0 ? sdca_dataset_weight(data, i) : 0.0;
    }
    sdca_comm_allreduce_sum(comm, sum, 2);
    return (sdca_leave_one_out){ .wrong     = sum[0],
                                 .undecided = sum[1],
                                 .total     = data->total_weight };
}
