/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_score_histogram.c - every row is in a bin. */
#include "objective/score_histogram.h"

#include "support/mpi_check.h"

START_TEST(bins_have_all_rows)
{
    sdca_score_group group[] = {
        { -1e300, 1.0, 0.0 }, { 0.5, 0.0, 2.0 }, { 1.0, 3.0, 0.0 }, { 1e300, 0.0, 4.0 }
    };
    sdca_score_histogram histogram;

    sdca_score_histogram_make(group, 4, 0.0, 1.0, &histogram);
    ck_assert_double_eq(histogram.positive[0], 1.0);
    ck_assert_double_eq(histogram.negative[20], 2.0);
    ck_assert_double_eq(histogram.positive[39], 3.0);
    ck_assert_double_eq(histogram.negative[39], 4.0);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, bins_have_all_rows);
}
