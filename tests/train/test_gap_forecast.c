/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_gap_forecast.c - the time of a target, from gaps that fall as they should and from
 * such as one sees. */
#include "train/gap_forecast.h"

#include "support/check_main.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"

START_TEST(nothing_is_known_before_the_second_estimate)
{
    sdca_gap_forecast forecast = { 0.0, 0.0, 0.0 };

    sdca_gap_forecast_observe(&forecast, 0.0, 1.0);
    ck_assert(!isfinite(sdca_gap_forecast_epochs_until(&forecast, 1e-3)));
    sdca_gap_forecast_observe(&forecast, 1.0, 0.1);
    ck_assert_double_eq_tol(sdca_gap_forecast_epochs_until(&forecast, 1e-3), 2.0, 1e-12);
}
END_TEST

START_TEST(a_straight_fall_is_forecast_to_its_end)
{
    sdca_gap_forecast forecast = { 0.0, 0.0, 0.0 };

    for (double epoch = 0.0; epoch < 8.0; epoch += 0.4) {
        sdca_gap_forecast_observe(&forecast, epoch, exp(-0.9 * epoch));
    }
    ck_assert_double_eq_tol(forecast.epoch +
                                sdca_gap_forecast_epochs_until(&forecast, 1e-6),
                            log(1e6) / 0.9, 1e-9);
}
END_TEST

START_TEST(a_target_that_is_reached_needs_no_wait)
{
    sdca_gap_forecast forecast = { 3.0, 1e-4, -1.0 };

    ck_assert_double_eq(sdca_gap_forecast_epochs_until(&forecast, 1e-3), 0.0);
}
END_TEST

/* Estimates with errors of a tenth, an eighth of an epoch apart: the wait is the true one
 * to a quarter. */
START_TEST(errors_of_estimates_hardly_matter)
{
    sdca_random       stream   = sdca_random_stream((uint64_t)_i, SDCA_STREAM_TEST, 0, 0);
    sdca_gap_forecast forecast = { 0.0, 0.0, 0.0 };
    double            epoch, left;

    sdca_gap_forecast_observe(&forecast, 0.0, 1.0);
    for (epoch = 1.0; epoch <= 4.0; epoch += 0.125) {
        double error = 0.2 * (sdca_random_uniform(&stream) - 0.5);

        sdca_gap_forecast_observe(&forecast, epoch, exp(-2.0 * epoch) * (1.0 + error));
    }
    left = 8.0 - forecast.epoch;
    ck_assert_double_eq_tol(sdca_gap_forecast_epochs_until(&forecast, exp(-16.0)), left,
                            left / 4.0);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, nothing_is_known_before_the_second_estimate);
    tcase_add_test(tests, a_straight_fall_is_forecast_to_its_end);
    tcase_add_test(tests, a_target_that_is_reached_needs_no_wait);
    tcase_add_loop_test(tests, errors_of_estimates_hardly_matter, 0, 20);
}
