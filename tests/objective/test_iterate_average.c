/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_iterate_average.c - the mean that is settled at changes is the plain mean. */
#include "objective/iterate_average.h"

#include "support/check_main.h"

#include <stdlib.h>

#include "base/random.h"

enum { ROWS = 7, STEPS = 300 };

/* One random change per step; some steps change nothing. */
START_TEST(it_is_the_plain_mean_of_the_iterates)
{
    const int64_t        froms[]     = { 0, 1, 57, 150, 299 };
    int64_t              from        = froms[_i];
    sdca_random          stream      = sdca_random_stream(1, SDCA_STREAM_TEST, 0, 0);
    double               alpha[ROWS] = { 0.0 }, sum[ROWS] = { 0.0 };
    sdca_iterate_average average;

    ck_assert_int_eq(sdca_iterate_average_create(ROWS, from, &average), SDCA_OK);
    for (int64_t number = 1; number <= STEPS; number++) {
        uint32_t i      = sdca_random_below(&stream, ROWS);
        double   before = alpha[i];

        for (int k = 0; k < ROWS; k++) { /* the iterate before this step counts */
            sum[k] += number > from ? alpha[k] : 0.0;
        }
        if (number % 5 != 0) {
            alpha[i] = sdca_random_uniform(&stream);
            sdca_iterate_average_update(&average, i, before, number);
        }
        for (uint32_t k = 0; number > from && k < ROWS; k++) {
            ck_assert_double_eq_tol(
                sdca_iterate_average_mean(&average, k, alpha[k], number),
                sum[k] / (double)(number - from), 1e-14);
        }
    }
    sdca_iterate_average_free(&average);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, it_is_the_plain_mean_of_the_iterates, 0, 5);
}
