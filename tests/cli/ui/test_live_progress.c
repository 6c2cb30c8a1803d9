/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_live_progress.c - the status line, drawn into a file instead of a terminal.
 *
 * tests/e2e/terminal_output.sh tests the program on a real terminal. */
#include "cli/ui/live_progress.h"

#include "support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 1000 };

/* Redirect stderr to a file, and set the width in COLUMNS. */
static void begin(const char *columns)
{
    FILE *file = tmpfile();

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(dup2(fileno(file), STDERR_FILENO), STDERR_FILENO);
    fclose(file);
    ck_assert_int_eq(setenv("COLUMNS", columns, 1), 0);
}

/* The contents of that file. */
static const char *written(void)
{
    static char text[LONGEST];
    ssize_t     length;

    fflush(stderr);
    length = pread(STDERR_FILENO, text, sizeof text - 1, 0);
    ck_assert_int_ge((int)length, 0);
    text[length] = '\0';
    return text;
}

/* A visible line whose last update was long ago. */
static live_progress open_seen(bool colours)
{
    live_progress l = { .terminal = { .is_enabled  = true,
                                      .fd          = STDERR_FILENO,
                                      .has_colours = colours,
                                      .last_drawn  = terminal_line_clock() - 1.0 } };

    return l;
}

START_TEST(reading_is_drawn_and_cleared)
{
    live_progress l;

    begin("44");
    l = open_seen(false);
    live_progress_begin_rows(&l, "data.h5");
    l.start -= 2.9;
    live_progress_update_reader(&l, 25, 100);
    ck_assert_str_eq(written(), "\r\033[K[==........]   25 %   9 s left  25 rows");
    live_progress_update_reader(&l, 50, 100); /* too soon */
    ck_assert_str_eq(written(), "\r\033[K[==........]   25 %   9 s left  25 rows");
    live_progress_close(&l);
    ck_assert_str_eq(written(), "\r\033[K[==........]   25 %   9 s left  25 rows"
                                "\r\033[K");
}
END_TEST

START_TEST(shorter_line_clears_a_longer_one)
{
    terminal_line t;

    begin("44");
    t = open_seen(false).terminal;
    terminal_line_draw(&t, "a long line", 0);
    terminal_line_draw(&t, "short", 0);
    terminal_line_draw(&t, "again", 0);
    ck_assert_str_eq(written(), "\r\033[Ka long line\r\033[Kshort\r\033[Kagain");
}
END_TEST

START_TEST(colours_only_if_enabled)
{
    live_progress l;

    begin("24");
    l = open_seen(true);
    live_progress_begin_rows(&l, "x");
    live_progress_update_reader(&l, 50, 100);
    terminal_line_print_message(&l.terminal, "Warning", "so it is");
    ck_assert_str_eq(written(), "\r\033[K\033[32m[=====\033[0m.....]   50 %"
                                "\033[33mWarning:\033[0m so it is\n");
}
END_TEST

/* From gap 1 to 1e-4: 1e-2 is halfway, and needs the same time again. */
START_TEST(training_is_drawn)
{
    sdca_train_options  plan   = { 0 };
    sdca_history_record record = { .seconds = 0.0, .gap = 1.0, .test_error = 0.5 };
    sdca_progress       now    = { .round                  = 20.0,
                                   .epoch                  = 5.0,
                                   .seconds                = 40.0,
                                   .gap                    = 1e-2,
                                   .target_gap             = 1e-4,
                                   .communication_fraction = 0.25 };
    live_progress       l;

    begin("86");
    l = open_seen(false);
    live_progress_begin_training(&l, &plan, true, "error");
    live_progress_add_evaluation(&l, &record);
    live_progress_update_round(&l, &now);
    ck_assert_str_eq(written(),
                     "\r\033[K[========.........]  40 s left  gap 1.0e+00  5.0 epochs"
                     "  error 0.5  MPI time 25 %");
}
END_TEST

/* The third of four lambda, whose second took 20 s: the model of all rows, and folds side
 * by side. Then 8 s are left for this one, and 20 s for the last. */
START_TEST(choice_of_lambda_is_drawn)
{
    sdca_train_options  plan   = { .epochs = 10 };
    sdca_history_record record = { .seconds = 0.0, .gap = 1.0, .test_error = NAN };
    sdca_progress       now    = { .epoch                  = 5.0,
                                   .seconds                = 40.0,
                                   .gap                    = 1e-2,
                                   .target_gap             = 1e-4,
                                   .communication_fraction = NAN };
    live_progress       l;

    begin("86");
    l = open_seen(false);
    live_progress_begin_training(&l, &plan, false, "error");
    live_progress_begin_fit(&l, 1, 4, 5);
    l.fit_start -= 19.9;
    live_progress_begin_fit(&l, 2, 4, 5);
    l.fit_start -= 12.1;
    if (_i == 0) {
        live_progress_add_evaluation(&l, &record);
        live_progress_update_round(&l, &now);
        ck_assert_str_eq(written(),
                         "\r\033[K[================..............]  28 s left  "
                         "lambda 3/4  gap 1.0e+00  5.0 epochs");
        return;
    }
    now.gap = 1.0;
    live_progress_begin_folds(&l, 1, 3, 5);
    live_progress_update_round(&l, &now);
    l.terminal.last_drawn -= 1.0;
    now.gap = 1e-2;
    live_progress_update_round(&l, &now);
    ck_assert_ptr_nonnull(strstr(written(),
                                 "\r\033[K[============......]  28 s left  lambda 3/4  "
                                 "folds 2-4/5  gap 1.0e-02  5.0 epochs"));
    live_progress_begin_folds(&l, 4, 4, 5);
    l.terminal.last_drawn -= 1.0;
    live_progress_update_round(&l, &now);
    ck_assert_ptr_nonnull(strstr(written(), "lambda 3/4  fold 5/5  gap 1.0e-02"));
}
END_TEST

/* The first lambda tells nothing about its folds; without folds all take as long as it.
 */
START_TEST(first_lambda_is_drawn)
{
    sdca_train_options  plan   = { 0 };
    sdca_history_record record = { .seconds = 0.0, .gap = 1.0, .test_error = NAN };
    sdca_progress       now    = {
                 .epoch = 5.0, .seconds = 40.0, .gap = 1e-2, .target_gap = 1e-4
    };
    live_progress l;

    begin("64");
    l = open_seen(false);
    live_progress_begin_training(&l, &plan, false, "error");
    live_progress_begin_fit(&l, 0, 3, _i);
    l.fit_start -= 39.9;
    live_progress_add_evaluation(&l, &record);
    live_progress_update_round(&l, &now);
    ck_assert_ptr_nonnull(
        strstr(written(), _i > 0 ? "   ? left  lambda 1/3" : "3:20 left  lambda 1/3"));
}
END_TEST

/* The budget that is exhausted first determines the end. */
START_TEST(budget_may_end_before_the_target)
{
    const sdca_train_options plans[] = { { .epochs = 6, .rounds = 40 },
                                         { .rounds = 24 },
                                         { .seconds = 48.0, .epochs = 100 } };
    sdca_history_record      record  = { .seconds = 0.0, .gap = 1.0, .test_error = NAN };
    sdca_progress            now     = {
                       .round = 20.0, .epoch = 5.0, .seconds = 40.0, .gap = 1e-2, .target_gap = 1e-4
    };
    live_progress l;

    begin("64");
    l = open_seen(false);
    live_progress_begin_training(&l, &plans[_i], false, "error");
    l.start -= 40.5; /* seconds of a run include earlier sessions, a budget does not */
    live_progress_add_evaluation(&l, &record);
    live_progress_update_round(&l, &now);
    ck_assert_ptr_nonnull(strstr(written(), "]   8 s left  gap 1.0e+00  5.0 epochs"));
    ck_assert_ptr_null(strstr(written(), "MPI time"));
}
END_TEST

/* The clock of a batch of classes goes on from the batch before: a rate is that of the
 * batch. */
START_TEST(later_classes_are_drawn)
{
    sdca_train_options  plan   = { .epochs = 6 };
    sdca_history_record record = { .seconds = 100.0, .gap = 1.0, .test_error = NAN };
    sdca_progress       now    = {
                 .round = 20.0, .epoch = 5.0, .seconds = 140.0, .gap = 1e-2, .target_gap = 1e-9
    };
    live_progress l;

    begin("64");
    l = open_seen(false);
    live_progress_begin_training(&l, &plan, false, "error");
    live_progress_begin_class(&l, 8, 20);
    live_progress_add_evaluation(&l, &record);
    live_progress_begin_class(&l, 9, 20);
    live_progress_update_round(&l, &now);
    ck_assert_ptr_nonnull(strstr(written(), "  8 s left"));
}
END_TEST

/* A resumed run has no evaluation at first. */
START_TEST(resumed_run_is_drawn)
{
    sdca_train_options plan = { .seconds = 20.0 };
    sdca_progress      now  = {
              .round = 20.0, .epoch = 5.0, .seconds = 1000.0, .gap = 1e-2, .target_gap = 1e-4
    };
    live_progress l;

    begin("64");
    l = open_seen(false);
    live_progress_begin_training(&l, &plan, false, "error");
    l.start -= 8.5;
    live_progress_update_round(&l, &now);
    ck_assert_str_eq(
        written(), "\r\033[K[.....................]  12 s left  gap 1.0e-02  5.0 epochs");
}
END_TEST

START_TEST(disabled_draws_nothing)
{
    live_progress      l    = { 0 };
    sdca_train_options plan = { 0 };
    sdca_progress      now  = { .gap = 1.0, .target_gap = 1e-4 };

    begin("44");
    live_progress_begin_rows(&l, "data.h5");
    live_progress_update_reader(&l, 25, 100);
    live_progress_begin_training(&l, &plan, false, "error");
    live_progress_update_round(&l, &now);
    live_progress_close(&l);
    l = live_progress_open(true); /* a file is not a terminal */
    live_progress_begin_rows(&l, "data.h5");
    l.terminal.last_drawn -= 1.0;
    live_progress_update_reader(&l, 25, 100);
    live_progress_close(&l);
    ck_assert_str_eq(written(), "");
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, reading_is_drawn_and_cleared);
    tcase_add_test(tests, shorter_line_clears_a_longer_one);
    tcase_add_test(tests, colours_only_if_enabled);
    tcase_add_test(tests, training_is_drawn);
    tcase_add_loop_test(tests, choice_of_lambda_is_drawn, 0, 2);
    tcase_add_loop_test(tests, first_lambda_is_drawn, 0, 2);
    tcase_add_loop_test(tests, budget_may_end_before_the_target, 0, 3);
    tcase_add_test(tests, later_classes_are_drawn);
    tcase_add_test(tests, resumed_run_is_drawn);
    tcase_add_test(tests, disabled_draws_nothing);
}
