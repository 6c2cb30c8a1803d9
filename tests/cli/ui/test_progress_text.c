/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_progress_text.c - progress lines and the estimated remaining time. */
#include "cli/ui/progress_text.h"

#include "support/check_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const progress_run run = { .fraction               = 0.5,
                                  .seconds_left           = 11.2,
                                  .gap                    = 1.26e-3,
                                  .epoch                  = 3.25,
                                  .test_error             = 0.0425,
                                  .test_name              = "error",
                                  .communication_fraction = 0.08 };

static const progress_rows work = { "data.txt", 0.25, 2.0, 3e8, 12345 };

START_TEST(training_line)
{
    progress_line line = progress_format_run(&run, 79);

    ck_assert_str_eq(line.text, "[======......]  12 s left  gap 1.3e-03  3.2 epochs  "
                                "error 0.0425  MPI time  8 %");
    ck_assert_int_eq(line.coloured, 7); /* the filled part of the bar, and its bracket */
}
END_TEST

START_TEST(reading_line)
{
    progress_rows piped = work;

    ck_assert_str_eq(
        progress_format_rows(&work, 70).text,
        "[====..............]   25 %   6 s left  12345 rows  150 MB/s  data.txt");
    piped.fraction = NAN;
    ck_assert_str_eq(progress_format_rows(&piped, 70).text,
                     "12345 rows  150 MB/s  data.txt");
    ck_assert_int_eq(progress_format_rows(&piped, 70).coloured, 0);
    piped.bytes = NAN;
    ck_assert_str_eq(progress_format_rows(&piped, 70).text, "12345 rows  data.txt");
}
END_TEST

/* Unknown fields are omitted. */
START_TEST(no_test_set_and_no_ranks)
{
    progress_run alone = run;

    alone.test_error = alone.communication_fraction = NAN;
    ck_assert_str_eq(progress_format_run(&alone, 60).text,
                     "[===========...........]  12 s left  gap 1.3e-03  3.2 epochs");
}
END_TEST

/* Any width works; fields are dropped from the end, and none is truncated. */
START_TEST(every_width)
{
    size_t        longest = 0;
    progress_line full    = progress_format_run(&run, 1000);

    for (int width = -1; width < 1000; width++) {
        progress_line line   = progress_format_run(&run, width);
        progress_line rows   = progress_format_rows(&work, width);
        size_t        length = strlen(line.text);
        const char   *fields = strchr(line.text, ']');

        ck_assert_int_le((int)length, width > 0 ? width : 0);
        ck_assert_int_le((int)strlen(rows.text), width > 0 ? width : 0);
        ck_assert_uint_ge(length + 20, longest); /* the bar takes at most one field */
        ck_assert_int_le(line.coloured, (int)length);
        if (fields != NULL) {
            const char *end = strstr(full.text, fields) + strlen(fields);

            ck_assert(strstr(full.text, fields) == strchr(full.text, ']'));
            ck_assert(*end == '\0' || strncmp(end, "  ", 2) == 0);
        }
        longest = length > longest ? length : longest;
    }
    ck_assert_ptr_nonnull(strstr(full.text, "MPI time  8 %"));
}
END_TEST

START_TEST(bar_is_empty_at_start_and_full_at_end)
{
    for (int width = 8; width < 100; width++) {
        progress_run  r = run;
        progress_line line;

        r.fraction = 0.0;
        line       = progress_format_run(&r, width);
        ck_assert_ptr_null(strchr(line.text, '='));
        r.fraction = -1.0; /* should not happen */
        ck_assert_str_eq(progress_format_run(&r, width).text, line.text);
        r.fraction = 1.0;
        line       = progress_format_run(&r, width);
        ck_assert_int_eq(line.text[line.coloured], ']');
        ck_assert_ptr_null(strstr(line.text, "=."));
        r.fraction = 1.5;
        ck_assert_str_eq(progress_format_run(&r, width).text, line.text);
    }
}
END_TEST

START_TEST(formatted_times)
{
    static const struct {
        double      left;
        const char *words;
    } cases[] = { { 0.0, "]   0 s left" },
                  { 0.2, "]   1 s left" },
                  { 59.0, "]  59 s left" },
                  { 59.5, "]  1:00 left" },
                  { 3599.0, "]  59:59 left" },
                  { 3661.0, "]  1:01:01 left" },
                  { 1e9, "? left" },
                  { INFINITY, "? left" },
                  { NAN, "? left" } };

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        progress_run r = run;

        r.seconds_left = cases[k].left;
        ck_assert_ptr_nonnull(strstr(progress_format_run(&r, 79).text, cases[k].words));
    }
}
END_TEST

START_TEST(progress_is_logarithmic_in_the_gap)
{
    ck_assert_double_eq_tol(progress_fraction(1.0, 1e-2, 1e-4), 0.5, 1e-12);
    ck_assert_double_eq_tol(progress_fraction(1.0, 1e-3, 1e-4), 0.75, 1e-12);
    ck_assert_double_eq(progress_fraction(1.0, 2.0, 1e-4), 0.0);
    ck_assert_double_eq(progress_fraction(1.0, 1e-9, 1e-4), 1.0);
    ck_assert_double_eq(progress_fraction(1.0, 0.0, 1e-4), 1.0);
    ck_assert_double_eq(progress_fraction(0.0, 0.0, 1e-4), 1.0); /* solved at the start */
    ck_assert_double_eq(progress_fraction(1.0, 0.5, 0.0), 0.0);
}
END_TEST

START_TEST(steady_decrease_is_predicted_exactly)
{
    progress_forecast forecast = { 0 };

    ck_assert(isinf(progress_forecast_seconds_left(&forecast, 0.0, 1e-6)));
    for (int k = 0; k <= 40; k++) {
        progress_forecast_add(&forecast, 0.5 * k, exp(-0.25 * k));
        if (k == 0) {
            ck_assert(isinf(progress_forecast_seconds_left(&forecast, 0.0, 1e-6)));
        } else {
            ck_assert_double_eq_tol(
                progress_forecast_seconds_left(&forecast, 0.5 * k, exp(-20.0)),
                40.0 - 0.5 * k, 1e-9);
        }
    }
    /* No update for 3 seconds: 3 seconds less, and never below 0. */
    progress_forecast_add(&forecast, 23.0, exp(-0.25 * 40));
    ck_assert_double_eq_tol(progress_forecast_seconds_left(&forecast, 23.0, exp(-20.0)),
                            17.0, 1e-9);
    ck_assert_double_eq(progress_forecast_seconds_left(&forecast, 99.0, exp(-20.0)), 0.0);
}
END_TEST

/* A fast start is soon forgotten. */
START_TEST(recent_progress_counts)
{
    progress_forecast forecast = { 0 };

    for (int k = 0; k <= 64; k++) {
        double t = k;

        progress_forecast_add(&forecast, t, exp(-(t < 10.0 ? t : 9.0 + 0.1 * t)));
    }
    ck_assert_double_eq_tol(progress_forecast_seconds_left(&forecast, 64.0, exp(-20.0)),
                            (20.0 - 9.0 - 6.4) / 0.1, 1e-9);
}
END_TEST

START_TEST(rising_gap_gives_no_estimate)
{
    progress_forecast forecast = { 0 };

    for (int k = 0; k < 10; k++) {
        progress_forecast_add(&forecast, k, exp(0.1 * k));
    }
    ck_assert(isinf(progress_forecast_seconds_left(&forecast, 10.0, 1e-6)));
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, training_line);
    tcase_add_test(tests, reading_line);
    tcase_add_test(tests, no_test_set_and_no_ranks);
    tcase_add_test(tests, every_width);
    tcase_add_test(tests, bar_is_empty_at_start_and_full_at_end);
    tcase_add_test(tests, formatted_times);
    tcase_add_test(tests, progress_is_logarithmic_in_the_gap);
    tcase_add_test(tests, steady_decrease_is_predicted_exactly);
    tcase_add_test(tests, recent_progress_counts);
    tcase_add_test(tests, rising_gap_gives_no_estimate);
}
