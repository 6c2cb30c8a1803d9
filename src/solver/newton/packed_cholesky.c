/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packed_cholesky.c - Cholesky factorisation of a symmetric matrix, stored as its
 * lower triangle, row by row. */
#include "solver/newton/packed_cholesky.h"

#include <float.h>
#include <math.h>

/* Two rows of the matrix at a time. */
void sdca_cholesky_add_outer(double *matrix, double weight, const int32_t *column,
                             const double *value, int64_t count)
{
    int64_t k = 0;

    for (; k + 1 < count; k += 2) {
        double *row_k  = matrix + sdca_cholesky_row_start(column[k]),
               *row_k1 = matrix + sdca_cholesky_row_start(column[k + 1]);
        double first = weight * value[k], second = weight * value[k + 1];

        for (int64_t l = 0; l <= k; l++) {
            row_k[column[l]] += first * value[l];
            row_k1[column[l]] += second * value[l];
        }
        row_k1[column[k + 1]] += second * value[k + 1];
    }
    for (int64_t l = 0; k < count && l <= k; l++) {
        matrix[sdca_cholesky_row_start(column[k]) + (size_t)column[l]] +=
            weight * value[k] * value[l];
    }
}

/* Four partial sums keep four multiply-adds in flight. */
static double dot(const double *a, const double *b, int32_t count)
{
    double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int32_t k = 0;

    for (; k + 4 <= count; k += 4) {
        s0 += a[k] * b[k];
        s1 += a[k + 1] * b[k + 1];
        s2 += a[k + 2] * b[k + 2];
        s3 += a[k + 3] * b[k + 3];
    }
    for (; k < count; k++) {
        s0 += a[k] * b[k];
    }
    return (s0 + s1) + (s2 + s3);
}

void sdca_cholesky_factor(double *matrix, int32_t columns)
{
    for (int32_t j = 0; j < columns; j++) {
        double *row      = matrix + sdca_cholesky_row_start(j);
        double  diagonal = row[j];

        for (int32_t k = 0; k <= j; k++) {
            const double *other    = matrix + sdca_cholesky_row_start(k);
            double        residual = row[k] - dot(row, other, k);

            row[k] = k < j                                         ? residual / other[k]
                     : residual > columns * DBL_EPSILON * diagonal ? sqrt(residual)
                                                                   : INFINITY;
        }
    }
}

void sdca_cholesky_solve(const double *matrix, int32_t columns, double *x)
{
    for (int32_t j = 0; j < columns; j++) {
        const double *row = matrix + sdca_cholesky_row_start(j);

        x[j] = (x[j] - dot(row, x, j)) / row[j];
    }
    for (int32_t j = columns - 1; j >= 0; j--) {
        const double *row = matrix + sdca_cholesky_row_start(j);

        x[j] /= row[j];
        for (int32_t l = 0; l < j; l++) {
            x[l] -= row[l] * x[j];
        }
    }
}
