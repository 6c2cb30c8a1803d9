/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_check.c - whether given dual variables are feasible, and their w(alpha).
 * docs/certificates.md derives the tolerance. */
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
