/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_shrinking.c - rows with small gap terms are skipped, for more sweeps each time,
 * and reactivated by an evaluation. */
#include "solver/sdca/shrinking.h"

#include "support/check_main.h"

#include <stdlib.h>

enum { ROWS = 10 };

static sdca_shrinking shrinking;

static void begin(void)
{
    ck_assert_int_eq(sdca_shrinking_create(ROWS, 1, 0.1, false, &shrinking), SDCA_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], i, 1.0, true);
    }
    sdca_shrinking_begin_sweep(&shrinking);
}

static void end(void)
{
    sdca_shrinking_free(&shrinking);
}

START_TEST(the_threshold_is_a_share_of_the_mean)
{
    ck_assert_double_eq_tol(shrinking.lane[0].term_sum, ROWS, 1e-12);
    ck_assert_double_eq_tol(shrinking.lane[0].threshold, 0.1, 1e-12);
    sdca_shrinking_update(&shrinking, &shrinking.lane[0], 3, 6.0, true);
    sdca_shrinking_begin_sweep(&shrinking);
    ck_assert_double_eq_tol(shrinking.lane[0].threshold, 0.15, 1e-12);
}
END_TEST

static bool is_due(uint32_t i, int64_t sweep)
{
    uint64_t due =
        sdca_shrinking_active_mask(&shrinking, i / SDCA_SHRINKING_GROUP_SIZE, sweep);

    return due >> (8 * (i % SDCA_SHRINKING_GROUP_SIZE) + 7) & 1;
}

/* Sweeps from one in which a row is due to the next; the number is constant. */
static int64_t turns_between(uint32_t i)
{
    int64_t between = 0, last = -1;

    for (int64_t sweep = 0; sweep < 300; sweep++) {
        if (is_due(i, sweep)) {
            ck_assert(between == 0 || sweep - last == between);
            between = last >= 0 ? sweep - last : 0;
            last    = sweep;
        }
    }
    return between;
}

START_TEST(neighbours_are_due_together_and_groups_in_turn)
{
    int at_once = 0;

    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            sdca_shrinking_update(&shrinking, &shrinking.lane[0], i, 0.0, true);
        }
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert(is_due(i, 8) == is_due(i - i % SDCA_SHRINKING_GROUP_SIZE, 8));
        at_once += is_due(i, 8);
    }
    ck_assert_int_eq(at_once, SDCA_SHRINKING_GROUP_SIZE);
}
END_TEST

START_TEST(skipped_sweeps_double_up_to_a_limit)
{
    const int64_t expected[] = { 1, 2, 4, 8, 16, 32, 64, 64, 64 };

    for (int k = 0; k < 9; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.05, true);
        ck_assert_int_eq(turns_between(2), expected[k]);
    }
}
END_TEST

START_TEST(a_large_term_ends_the_streak)
{
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, true);
    }
    sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.5, true);
    ck_assert_int_eq(turns_between(2), 1);
    sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, true);
    ck_assert_int_eq(turns_between(2), 1); /* the first of a new streak */
    sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, true);
    ck_assert_int_eq(turns_between(2), 2);
}
END_TEST

/* All terms fall to this share of what they were, and a row with a small term is visited
 * four times: the sweeps between its visits. */
static int64_t turns_after_terms_fall_to(double share)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], i, share, true);
    }
    sdca_shrinking_begin_sweep(&shrinking);
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.05 * share, true);
    }
    return turns_between(2);
}

START_TEST(no_row_is_skipped_while_terms_fall_fast)
{
    ck_assert_int_eq(turns_after_terms_fall_to(0.1), 1);
    sdca_shrinking_begin_sweep(&shrinking); /* they no longer fall */
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 3, 0.005, true);
    }
    ck_assert_int_gt(turns_between(3), 4);
}
END_TEST

START_TEST(rows_are_skipped_while_terms_fall_slowly)
{
    ck_assert_int_eq(turns_after_terms_fall_to(0.4), 8);
}
END_TEST

START_TEST(unmoved_rows_are_skipped_while_terms_fall_fast)
{
    shrinking.only_unmoved = true;
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], i, 0.1, false);
    }
    sdca_shrinking_begin_sweep(&shrinking);
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, false);
    }
    ck_assert_int_gt(turns_between(2), 1);
}
END_TEST

START_TEST(with_a_kink_only_unmoved_rows_are_skipped)
{
    shrinking.only_unmoved = true;
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, false);
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 3, 0.01, true);
    }
    ck_assert_int_gt(turns_between(2), 1);
    ck_assert_int_eq(turns_between(3), 1);
}
END_TEST

START_TEST(an_evaluation_reactivates_rows_with_large_terms)
{
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 2, 0.0, true);
        sdca_shrinking_update(&shrinking, &shrinking.lane[0], 4, 0.0, true);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        shrinking.gap_term[i] = 1.0F; /* as an evaluation found them ... */
    }
    shrinking.gap_term[4] = 0.0F; /* ... and this one is still small */
    sdca_shrinking_reactivate(&shrinking, 0);
    ck_assert_double_eq_tol(shrinking.lane[0].term_sum, ROWS - 1, 1e-12);
    ck_assert_int_eq(turns_between(2), 1);
    ck_assert_uint_eq(shrinking.streak[2], 0);
    ck_assert_int_gt(turns_between(4), 1);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, begin, end);

    tcase_add_test(tests, the_threshold_is_a_share_of_the_mean);
    tcase_add_test(tests, neighbours_are_due_together_and_groups_in_turn);
    tcase_add_test(tests, skipped_sweeps_double_up_to_a_limit);
    tcase_add_test(tests, a_large_term_ends_the_streak);
    tcase_add_test(tests, no_row_is_skipped_while_terms_fall_fast);
    tcase_add_test(tests, rows_are_skipped_while_terms_fall_slowly);
    tcase_add_test(tests, unmoved_rows_are_skipped_while_terms_fall_fast);
    tcase_add_test(tests, with_a_kink_only_unmoved_rows_are_skipped);
    tcase_add_test(tests, an_evaluation_reactivates_rows_with_large_terms);
}
