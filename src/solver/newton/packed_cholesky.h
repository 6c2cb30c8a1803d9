/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packed_cholesky.h - a symmetric matrix as its lower triangle, packed row by row. */
#ifndef SDCA_SOLVER_NEWTON_PACKED_CHOLESKY_H
#define SDCA_SOLVER_NEWTON_PACKED_CHOLESKY_H

#include <stddef.h>
#include <stdint.h>

/* Where row j begins; of the number of columns, how many numbers there are. Local. */
static inline size_t sdca_cholesky_row_start(int64_t j)
{
    return (size_t)j * ((size_t)j + 1) / 2;
}

/* matrix += weight x x^T, for x with count values in ascending columns. Local. */
void sdca_cholesky_add_outer(double *matrix, double weight, const int32_t *column,
                             const double *value, int64_t count);

/* L L^T = matrix, in its place. A column that depends on those before it, as far as
 * rounding can tell, gets an infinite pivot. Local. */
void sdca_cholesky_factor(double *matrix, int32_t columns);

/* x = (L L^T)^-1 x; 0 where a pivot is infinite. Local. */
void sdca_cholesky_solve(const double *matrix, int32_t columns, double *x);

#endif
