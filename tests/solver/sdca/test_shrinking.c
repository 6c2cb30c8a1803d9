/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_shrinking.c - rows with little to gain rest, ever longer, and wake in time. */
#include "solver/sdca/shrinking.h"

#include "support/check_main.h"

#include <stdlib.h>

enum { ROWS = 10 };

static sdca_shrinking rest;

static void begin(void)
{
    ck_assert_int_eq(sdca_shrinking_create(ROWS, 1, 0.1, false, &rest), SDCA_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&rest, &rest.lane[0], i, 1.0, true);
    }
    sdca_shrinking_begin_sweep(&rest);
}

static void end(void)
{
    sdca_shrinking_free(&rest);
}

START_TEST(the_threshold_is_a_share_of_the_mean)
{
    ck_assert_double_eq_tol(rest.lane[0].term_sum, ROWS, 1e-12);
    ck_assert_double_eq_tol(rest.lane[0].threshold, 0.1, 1e-12);
    sdca_shrinking_update(&rest, &rest.lane[0], 3, 6.0, true);
    sdca_shrinking_begin_sweep(&rest);
    ck_assert_double_eq_tol(rest.lane[0].threshold, 0.15, 1e-12);
}
END_TEST

static bool is_due(uint32_t i, int64_t sweep)
{
    uint64_t due =
        sdca_shrinking_active_mask(&rest, i / SDCA_SHRINKING_GROUP_SIZE, sweep);

    return due >> (8 * (i % SDCA_SHRINKING_GROUP_SIZE) + 7) & 1;
}

/* From one sweep in which a row is due to the next; it is always the same. */
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

START_TEST(neighbours_rest_together_and_groups_in_turn)
{
    int at_once = 0;

    for (int k = 0; k < 4; k++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            sdca_shrinking_update(&rest, &rest.lane[0], i, 0.0, true);
        }
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert(is_due(i, 8) == is_due(i - i % SDCA_SHRINKING_GROUP_SIZE, 8));
        at_once += is_due(i, 8);
    }
    ck_assert_int_eq(at_once, SDCA_SHRINKING_GROUP_SIZE);
}
END_TEST

START_TEST(rests_double_up_to_a_limit)
{
    const int64_t expected[] = { 1, 2, 4, 8, 16, 32, 64, 64, 64 };

    for (int k = 0; k < 9; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.05, true);
        ck_assert_int_eq(turns_between(2), expected[k]);
    }
}
END_TEST

START_TEST(something_to_gain_ends_the_streak)
{
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, true);
    }
    sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.5, true);
    ck_assert_int_eq(turns_between(2), 1);
    sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, true);
    ck_assert_int_eq(turns_between(2), 1); /* the first of a new streak */
    sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, true);
    ck_assert_int_eq(turns_between(2), 2);
}
END_TEST

/* All terms are now that share of what they were; a row at a tenth of them is visited
 * four times, and may rest or not. */
static int64_t turns_after_shrinking_to(double share)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&rest, &rest.lane[0], i, share, true);
    }
    sdca_shrinking_begin_sweep(&rest);
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.05 * share, true);
    }
    return turns_between(2);
}

START_TEST(nobody_rests_while_terms_shrink_fast)
{
    ck_assert_int_eq(turns_after_shrinking_to(0.1), 1);
    sdca_shrinking_begin_sweep(&rest); /* they no longer do */
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 3, 0.005, true);
    }
    ck_assert_int_gt(turns_between(3), 4);
}
END_TEST

START_TEST(rows_rest_while_terms_shrink_slowly)
{
    ck_assert_int_eq(turns_after_shrinking_to(0.4), 8);
}
END_TEST

START_TEST(rows_that_are_stuck_rest_however_fast_others_are)
{
    rest.only_unmoved = true;
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_shrinking_update(&rest, &rest.lane[0], i, 0.1, false);
    }
    sdca_shrinking_begin_sweep(&rest);
    for (int k = 0; k < 4; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, false);
    }
    ck_assert_int_gt(turns_between(2), 1);
}
END_TEST

START_TEST(with_a_kink_only_rows_that_stand_still_rest)
{
    rest.only_unmoved = true;
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, false);
        sdca_shrinking_update(&rest, &rest.lane[0], 3, 0.01, true);
    }
    ck_assert_int_gt(turns_between(2), 1);
    ck_assert_int_eq(turns_between(3), 1);
}
END_TEST

START_TEST(an_evaluation_wakes_who_has_something_to_gain)
{
    for (int k = 0; k < 5; k++) {
        sdca_shrinking_update(&rest, &rest.lane[0], 2, 0.0, true);
        sdca_shrinking_update(&rest, &rest.lane[0], 4, 0.0, true);
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        rest.gap_term[i] = 1.0F; /* as an evaluation found them ... */
    }
    rest.gap_term[4] = 0.0F; /* ... and this one still rests with reason */
    sdca_shrinking_reactivate(&rest, 0);
    ck_assert_double_eq_tol(rest.lane[0].term_sum, ROWS - 1, 1e-12);
    ck_assert_int_eq(turns_between(2), 1);
    ck_assert_uint_eq(rest.streak[2], 0);
    ck_assert_int_gt(turns_between(4), 1);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, begin, end);

    tcase_add_test(tests, the_threshold_is_a_share_of_the_mean);
    tcase_add_test(tests, neighbours_rest_together_and_groups_in_turn);
    tcase_add_test(tests, rests_double_up_to_a_limit);
    tcase_add_test(tests, something_to_gain_ends_the_streak);
    tcase_add_test(tests, nobody_rests_while_terms_shrink_fast);
    tcase_add_test(tests, rows_rest_while_terms_shrink_slowly);
    tcase_add_test(tests, rows_that_are_stuck_rest_however_fast_others_are);
    tcase_add_test(tests, with_a_kink_only_rows_that_stand_still_rest);
    tcase_add_test(tests, an_evaluation_wakes_who_has_something_to_gain);
}
