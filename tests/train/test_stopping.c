/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_stopping.c - when a run ends. */
#include "train/stopping.h"

#include "support/check_main.h"

#include <math.h>

enum { ROWS = 100 };

static sdca_stopping start(void)
{
    return (
        sdca_stopping){ .rows = ROWS, .rounding_level = 1e-12, .best_dual = -INFINITY };
}

/* Each budget ends a run exactly when it is used up. */
START_TEST(budgets_are_used_up)
{
    sdca_stopping stopping = start();
    sdca_clock    clock    = { .elapsed = 7.0, .elapsed_at_resume = 4.0 };
    sdca_iterate  iterate  = { .steps = 3 * ROWS, .round = 5 };

    ck_assert(!sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    stopping.max_epochs = 4;
    stopping.max_rounds = 6;
    clock.limit         = 3.5; /* of this call alone */
    ck_assert(!sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    stopping.max_epochs = 3;
    ck_assert(sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    stopping.max_epochs = 0;
    stopping.max_rounds = 5;
    ck_assert(sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    stopping.max_rounds = 0;
    clock.limit         = 3.0;
    ck_assert(sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
}
END_TEST

/* A request to stop ends a run, or if runs are saved, interrupts it. */
START_TEST(a_request_stops_or_interrupts)
{
    sdca_stopping stopping = start();
    sdca_clock    clock    = { .elapsed = 1.0 };
    sdca_iterate  iterate  = { .steps = 1 };

    stopping.stop_requested = true;
    ck_assert(sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    ck_assert(!sdca_stopping_must_interrupt(&stopping, &clock));
    stopping.saves_runs = true;
    ck_assert(!sdca_stopping_budget_exhausted(&stopping, &clock, &iterate));
    ck_assert(sdca_stopping_must_interrupt(&stopping, &clock));
}
END_TEST

/* 50 epochs without a better gap at the level of rounding, or 200 and half of the run
 * without progress elsewhere. */
START_TEST(no_progress_is_a_stall)
{
    sdca_stopping     stopping = start();
    sdca_run_progress progress = { .steps             = 300 * ROWS,
                                   .best_step         = 249 * ROWS,
                                   .best_relative_gap = 1e-13 };

    stopping.progress_step = 249 * ROWS;
    ck_assert(sdca_stopping_has_stalled(&stopping, &progress));
    progress.best_step = 250 * ROWS;
    ck_assert(!sdca_stopping_has_stalled(&stopping, &progress));
    progress.best_relative_gap = 1e-3;
    stopping.progress_step     = 100 * ROWS;
    ck_assert(sdca_stopping_has_stalled(&stopping, &progress));
    stopping.progress_step = 101 * ROWS;
    ck_assert(!sdca_stopping_has_stalled(&stopping, &progress));
    progress.steps         = 500 * ROWS;
    stopping.progress_step = 260 * ROWS; /* less than half of the run */
    ck_assert(!sdca_stopping_has_stalled(&stopping, &progress));
    stopping.progress_step = 100 * ROWS;
    stopping.max_epochs    = 1000;
    ck_assert(!sdca_stopping_has_stalled(&stopping, &progress));
}
END_TEST

/* A larger D or a smaller gap counts only if the gain is not negligible beside the gap.
 */
START_TEST(negligible_gains_do_not_count)
{
    sdca_stopping    stopping = start();
    sdca_certificate now      = { .dual = 1.0, .gap = 0.5 };

    sdca_stopping_observe(&stopping, &now, 0.5, 10);
    ck_assert_int_eq(stopping.progress_step, 10);
    now.dual = 1.0 + 1e-7;
    sdca_stopping_observe(&stopping, &now, 0.5 + 1e-7, 20);
    ck_assert_int_eq(stopping.progress_step, 10);
    now.dual = 1.0 + 1e-6;
    sdca_stopping_observe(&stopping, &now, 0.5, 30);
    ck_assert_int_eq(stopping.progress_step, 30);
    sdca_stopping_observe(&stopping, &now, 0.5 + 1e-6, 40);
    ck_assert_int_eq(stopping.progress_step, 40);
}
END_TEST

START_TEST(a_target_below_rounding_cannot_be_proven)
{
    sdca_certificate now = { .primal = 1.0, .gap = 3e-16, .rounding = 2.5e-16 };

    ck_assert(sdca_stopping_target_below_rounding(&now, 1e-16));
    ck_assert(!sdca_stopping_target_below_rounding(&now, 2.6e-16)); /* still possible */
    now.gap = 1e-10;                                                /* not there yet */
    ck_assert(!sdca_stopping_target_below_rounding(&now, 1e-16));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, budgets_are_used_up);
    tcase_add_test(tests, a_request_stops_or_interrupts);
    tcase_add_test(tests, no_progress_is_a_stall);
    tcase_add_test(tests, negligible_gains_do_not_count);
    tcase_add_test(tests, a_target_below_rounding_cannot_be_proven);
}
