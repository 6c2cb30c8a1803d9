/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_packed_cholesky.c - the packed matrix beside plain arithmetic on a full one. */
#include "solver/newton/packed_cholesky.h"

#include "support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { MOST = 23 };

static const double lambda = 0.5;

/* lambda I + sum weight x x^T of random sparse x, packed and in full. */
static void make(int columns, double *packed, double full[MOST][MOST])
{
    sdca_random stream = sdca_random_stream(3, SDCA_STREAM_TEST, (uint64_t)columns, 0);

    memset(packed, 0, sdca_cholesky_row_start(columns) * sizeof *packed);
    memset(full, 0, MOST * sizeof full[0]);
    for (int j = 0; j < columns; j++) {
        packed[sdca_cholesky_row_start(j) + (size_t)j] = lambda;
        full[j][j]                                     = lambda;
    }
    for (int row = 0; row < 40; row++) {
        double  weight = sdca_random_uniform(&stream);
        int32_t column[MOST];
        double  value[MOST];
        int     count = 0;

        for (int32_t j = 0; j < columns; j++) {
            if (sdca_random_uniform(&stream) < 0.4) {
                column[count]  = j;
                value[count++] = sdca_random_uniform(&stream) - 0.5;
            }
        }
        sdca_cholesky_add_outer(packed, weight, column, value, count);
        for (int k = 0; k < count; k++) {
            for (int l = 0; l < count; l++) {
                full[column[k]][column[l]] += weight * value[k] * value[l];
            }
        }
    }
}

START_TEST(sums_of_squares_are_those_of_a_full_matrix)
{
    double full[MOST][MOST], packed[MOST * (MOST + 1) / 2];

    make(_i, packed, full);
    for (int j = 0; j < _i; j++) {
        for (int k = 0; k <= j; k++) {
            ck_assert_double_eq_tol(packed[sdca_cholesky_row_start(j) + (size_t)k],
                                    full[j][k], 1e-13);
        }
    }
}
END_TEST

START_TEST(what_is_solved_solves)
{
    double full[MOST][MOST], packed[MOST * (MOST + 1) / 2], x[MOST];

    make(_i, packed, full);
    for (int j = 0; j < _i; j++) {
        x[j] = 1.0 + j;
    }
    sdca_cholesky_factor(packed, _i);
    sdca_cholesky_solve(packed, _i, x);
    for (int j = 0; j < _i; j++) {
        double product = 0.0;

        for (int k = 0; k < _i; k++) {
            product += full[j][k] * x[k];
        }
        ck_assert_double_eq_tol(product, 1.0 + j, 1e-10);
    }
}
END_TEST

START_TEST(a_column_that_depends_on_others_stays_where_it_is)
{
    /* The third is the sum of the others. */
    double matrix[] = { 2.0, 1.0, 3.0, 3.0, 4.0, 7.0 };
    double x[]      = { 3.0, 4.0, 7.0 };

    sdca_cholesky_factor(matrix, 3);
    ck_assert(isinf(matrix[5]));
    sdca_cholesky_solve(matrix, 3, x);
    ck_assert_double_eq_tol(x[0], 1.0, 1e-14);
    ck_assert_double_eq_tol(x[1], 1.0, 1e-14);
    ck_assert_double_eq(x[2], 0.0);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, sums_of_squares_are_those_of_a_full_matrix, 1, MOST + 1);
    tcase_add_loop_test(tests, what_is_solved_solves, 1, MOST + 1);
    tcase_add_test(tests, a_column_that_depends_on_others_stays_where_it_is);
}
