/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packed_cholesky.h - Cholesky factorisation of a symmetric matrix, stored as its
 * lower triangle, row by row. */
#ifndef SDCA_SOLVER_NEWTON_PACKED_CHOLESKY_H
#define SDCA_SOLVER_NEWTON_PACKED_CHOLESKY_H

#include <stddef.h>
#include <stdint.h>

/* The offset of row j; with the number of columns for j, the number of elements. Local.
 * */
static inline size_t sdca_cholesky_row_start(int64_t j)
{
    return (size_t)j * ((size_t)j + 1) / 2;
}

/* matrix += weight x x^T, for x with count values in ascending columns. Local. */
void sdca_cholesky_add_outer(double *matrix, double weight, const int32_t *column,
                             const double *value, int64_t count);

/* Replace the matrix by L with L L^T = matrix. A column that is linearly dependent on
 * those before it, within rounding, gets an infinite pivot. Local. */
void sdca_cholesky_factor(double *matrix, int32_t columns);

/* x = (L L^T)^-1 x; 0 where a pivot is infinite. Local. */
void sdca_cholesky_solve(const double *matrix, int32_t columns, double *x);

#endif
