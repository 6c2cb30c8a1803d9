/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_checkpoint_schedule.c - when a run is saved. */
#include "train/checkpoint_schedule.h"

#include "support/check_main.h"

START_TEST(rounds_and_seconds_decide)
{
    sdca_checkpoint_options  options = { .interval_seconds = 60.0, .interval_rounds = 5 };
    sdca_checkpoint_schedule schedule = sdca_checkpoint_schedule_start(&options);

    ck_assert(!sdca_checkpoint_schedule_is_due(&schedule, 4, 59.0));
    ck_assert(sdca_checkpoint_schedule_is_due(&schedule, 5, 0.0));
    ck_assert(sdca_checkpoint_schedule_is_due(&schedule, 0, 60.0));
    sdca_checkpoint_schedule_after_write(&schedule, 5, 61.0, 2.0, false, false);
    ck_assert(!sdca_checkpoint_schedule_is_due(&schedule, 9, 122.0));
    ck_assert(sdca_checkpoint_schedule_is_due(&schedule, 9, 123.0));
}
END_TEST

/* Writing takes at most 2 % of the time where the interval is adaptive. */
START_TEST(costly_checkpoints_are_rare)
{
    sdca_checkpoint_options  options  = { .interval_seconds  = 60.0,
                                          .adaptive_interval = true };
    sdca_checkpoint_schedule schedule = sdca_checkpoint_schedule_start(&options);

    sdca_checkpoint_schedule_after_write(&schedule, 1, 100.0, 10.0, false, false);
    ck_assert_double_eq_tol(schedule.interval, 490.0, 1e-9);
    sdca_checkpoint_schedule_after_write(&schedule, 2, 700.0, 0.1, false, false);
    ck_assert_double_eq(schedule.interval, 60.0);
}
END_TEST

START_TEST(a_failed_or_outdated_checkpoint_is_not_current)
{
    sdca_checkpoint_options  options  = { .interval_seconds = 60.0 };
    sdca_checkpoint_schedule schedule = sdca_checkpoint_schedule_start(&options);

    sdca_checkpoint_schedule_after_write(&schedule, 7, 1.0, 0.1, false, false);
    ck_assert(sdca_checkpoint_schedule_is_current(&schedule, 7, false));
    ck_assert(!sdca_checkpoint_schedule_is_current(&schedule, 8, false));
    ck_assert(!sdca_checkpoint_schedule_is_current(&schedule, 7, true));
    sdca_checkpoint_schedule_after_write(&schedule, 7, 1.0, 0.1, false, true);
    ck_assert(!sdca_checkpoint_schedule_is_current(&schedule, 7, false));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, rounds_and_seconds_decide);
    tcase_add_test(tests, costly_checkpoints_are_rare);
    tcase_add_test(tests, a_failed_or_outdated_checkpoint_is_not_current);
}
