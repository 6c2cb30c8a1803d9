/* SPDX-License-Identifier: BSD-3-Clause
 *
 * leave_one_out_bounds.c - bounds on the error of training without each row in turn.
 * docs/certificates.md derives them. */
#include "objective/leave_one_out_bounds.h"

#include <math.h>

#include "data/rows.h"
#include "mpi/comm.h"
#include "objective/gap_pass.h"

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

sdca_leave_one_out sdca_leave_one_out_bound(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            double gap, double w_distance)
{
    ball   b      = { .distance2 = gap / objective->lambda, .w_distance = w_distance };
    double sum[3] = { 0.0, 0.0, 0.0 };

    for (int32_t j = 0; j < data->columns; j++) {
        b.w_norm = hypot(b.w_norm, point.w[j]);
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        int    judged = judge_row(objective, data, &point, &b, i);
        double weight = sdca_dataset_sample_weight(data, i);

        sum[0] += judged < 0 ? weight : 0.0;
        sum[1] += judged == 0 ? weight : 0.0;
        sum[2] += weight;
    }
    sdca_comm_allreduce_sum(comm, sum, 3);
    return (sdca_leave_one_out){ .wrong = sum[0], .undecided = sum[1], .total = sum[2] };
}
