/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_evaluation_schedule.c - when the gap is evaluated, and when it is estimated. */
#include "train/evaluation_schedule.h"

#include "support/check_main.h"

#include <math.h>

enum { ROWS = 6400 };

static const sdca_target target = { .rel_gap = 1e-3 };

/* The gap falls by a factor of e with each epoch from 1; returns the schedule after the
 * evaluation at this epoch. */
static sdca_evaluation_schedule evaluated_at(double epoch, bool estimates)
{
    sdca_evaluation_schedule schedule = sdca_evaluation_schedule_start(target, ROWS, 0.0);

    schedule.estimates = estimates;
    for (double now = 0.0; now <= epoch; now += 1.0) {
        int64_t steps = (int64_t)(now * ROWS);

        sdca_evaluation_schedule_observe(&schedule, steps, 1.0, exp(-now));
        sdca_evaluation_schedule_after_evaluation(
            &schedule, (sdca_schedule_input){ .steps = steps });
    }
    return schedule;
}

START_TEST(an_interval_that_is_given_is_kept)
{
    sdca_evaluation_schedule schedule = sdca_evaluation_schedule_start(target, ROWS, 2.5);

    sdca_evaluation_schedule_observe(&schedule, ROWS, 1.0, 0.5);
    sdca_evaluation_schedule_after_evaluation(&schedule,
                                              (sdca_schedule_input){ .steps = ROWS });
    ck_assert_int_eq(schedule.next_evaluation_step, ROWS + 5 * ROWS / 2);
    ck_assert(!sdca_evaluation_schedule_is_due(&schedule, 3 * ROWS));
    ck_assert(sdca_evaluation_schedule_is_due(&schedule, 7 * ROWS / 2));
    ck_assert(!sdca_evaluation_schedule_estimate_is_due(&schedule, 7 * ROWS));
}
END_TEST

/* Without estimates, evaluations follow the forecast, at most half as many epochs ahead
 * as have passed; with estimates they are rare. */
START_TEST(forecasts_decide_without_estimates)
{
    sdca_evaluation_schedule alone = evaluated_at(4.0, false);
    sdca_evaluation_schedule both  = evaluated_at(4.0, true);

    ck_assert_int_gt(alone.next_evaluation_step, 4 * ROWS);
    ck_assert_int_le(alone.next_evaluation_step, 6 * ROWS);
    ck_assert_int_eq(alone.next_estimate_step, 0);
    ck_assert_int_eq(both.next_evaluation_step, 12 * ROWS);
    ck_assert_int_gt(both.next_estimate_step, 4 * ROWS);
    ck_assert_int_le(both.next_estimate_step, 5 * ROWS);
}
END_TEST

/* An estimate well below the target calls for an evaluation; one that may be below it by
 * chance does not. */
START_TEST(estimates_call_for_evaluations)
{
    sdca_evaluation_schedule  schedule = evaluated_at(4.0, true);
    sdca_schedule_input       input    = { .steps = 6 * ROWS };
    sdca_duality_gap_estimate estimate = { .primal = 1.0, .gap = 9e-4 };

    estimate.standard_error = 3e-4;
    sdca_evaluation_schedule_after_estimate(&schedule, &estimate, input);
    ck_assert(!sdca_evaluation_schedule_is_due(&schedule, input.steps));
    estimate.standard_error = 1e-5;
    sdca_evaluation_schedule_after_estimate(&schedule, &estimate, input);
    ck_assert(sdca_evaluation_schedule_is_due(&schedule, input.steps));
    sdca_evaluation_schedule_after_evaluation(&schedule, input);
    ck_assert(!sdca_evaluation_schedule_is_due(&schedule, input.steps));
}
END_TEST

/* Near the target, rounds are to be conservative if that is possible. */
START_TEST(rounds_near_the_target_are_conservative)
{
    sdca_evaluation_schedule  schedule = evaluated_at(4.0, true);
    sdca_duality_gap_estimate estimate = { .primal = 1.0, .gap = 1.3e-3 };
    sdca_schedule_input       input    = { .steps = 6 * ROWS, .adaptive_sigma = _i == 1 };

    sdca_evaluation_schedule_observe(&schedule, input.steps, 1.0, 1.5e-3);
    sdca_evaluation_schedule_after_estimate(&schedule, &estimate, input);
    ck_assert(!schedule.conservative_sigma);
    sdca_evaluation_schedule_observe(&schedule, input.steps, 1.0, estimate.gap);
    sdca_evaluation_schedule_after_estimate(&schedule, &estimate, input);
    ck_assert(schedule.conservative_sigma == input.adaptive_sigma);
}
END_TEST

/* A certificate adds its rounding errors to the gap: the target is less by that much,
 * unless they exceed it. */
START_TEST(rounding_errors_count)
{
    sdca_evaluation_schedule schedule = evaluated_at(1.0, true);

    schedule.rounding_bound = 4e-4;
    ck_assert_double_eq_tol(sdca_evaluation_schedule_target_less_rounding(&schedule),
                            6e-4, 1e-15);
    schedule.rounding_bound = 2e-3;
    ck_assert_double_eq(sdca_evaluation_schedule_target_less_rounding(&schedule), 1e-3);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, an_interval_that_is_given_is_kept);
    tcase_add_test(tests, forecasts_decide_without_estimates);
    tcase_add_test(tests, estimates_call_for_evaluations);
    tcase_add_loop_test(tests, rounds_near_the_target_are_conservative, 0, 2);
    tcase_add_test(tests, rounding_errors_count);
}
