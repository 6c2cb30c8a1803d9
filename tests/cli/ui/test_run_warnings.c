/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_run_warnings.c - statistics of small data sets on any number of ranks, and the
 * warnings about them. */
#include "cli/ui/run_warnings.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/comm.h"

enum { ROWS = 60, COLUMNS = 5 };

/* A data set whose row i is defined by five values. */
typedef void make_row(int64_t i, double value[COLUMNS], double *label);

static sdca_dataset *make_with(int64_t rows, int32_t columns, make_row *row,
                               const sdca_dataset_options *options)
{
    MPI_Comm   comm = MPI_COMM_WORLD;
    sdca_range mine =
        sdca_range_split_even(rows, sdca_comm_rank(comm), sdca_comm_size(comm));
    sdca_dataset *data = NULL;
    sdca_rows     x;

    if (sdca_rows_create((uint32_t)mine.count, columns, COLUMNS * mine.count, false,
                         &x) != SDCA_OK) {
        abort();
    }
    for (uint32_t i = 0; i < x.count; i++) {
        double  value[COLUMNS] = { 0.0 };
        int64_t k              = x.row[i].start;

        row(mine.first + i, value, &x.row[i].y);
        for (int32_t j = 0; j < COLUMNS; j++) {
            if (value[j] != 0.0) {
                sdca_rows_set_entry(&x, k++, j, value[j]);
            }
        }
        x.row[i + 1].start = k;
    }
    if (sdca_dataset_create(comm, &x, true, options, &data) != SDCA_OK) {
        abort();
    }
    return data;
}

static sdca_dataset *make(int64_t rows, int32_t columns, make_row *row)
{
    return make_with(rows, columns, row, NULL);
}

/* Norm 1, two labels, each column in use, a bias. */
static void good(int64_t i, double value[COLUMNS], double *label)
{
    value[0]         = 0.6;
    value[1 + i % 4] = 0.8;
    *label           = i % 3 == 2 ? 1.0 : -1.0;
}

static void one_label(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    *label = 1.0;
}

static void two_constants(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    value[1] = 0.25;
}

/* The last row differs. */
static void all_but_one(int64_t i, double value[COLUMNS], double *label)
{
    two_constants(i, value, label);
    value[1] = i == ROWS - 1 ? 0.0 : 0.25;
}

static void half_empty(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    value[1] = value[2] = value[3] = 0.0;
    value[4]                       = 0.1 + 0.01 * (double)i;
}

static void one_empty(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    value[1 + i % 4] = 0.0;
    value[1 + i % 3] = 0.8;
}

/* Rows sorted by the column they use: no rank sees all columns. */
static void sorted(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    memset(value, 0, COLUMNS * sizeof *value);
    value[i * COLUMNS / ROWS] = 1.0;
}

static void one_long_row(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    value[0] = i == 7 ? 20.0 : value[0];
}

static void all_long(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    for (int j = 0; j < COLUMNS; j++) {
        value[j] *= 30.0;
    }
}

static void all_short(int64_t i, double value[COLUMNS], double *label)
{
    good(i, value, label);
    for (int j = 0; j < COLUMNS; j++) {
        value[j] *= 0.05;
    }
}

static void with_bias(int64_t i, double value[COLUMNS], double *label)
{
    value[0]         = 0.6;
    value[1 + i % 3] = 0.8;
    value[4]         = 1.0;
    *label           = i % 3 == 2 ? 1.0 : -1.0;
}

static void no_values(int64_t i, double value[COLUMNS], double *label)
{
    value[0] = 0.0;
    *label   = i % 3 == 2 ? 1.0 : -1.0;
}

static const struct {
    make_row   *row;
    const char *says; /* NULL: no warning */
} cases[] = {
    { good, NULL },
    { one_label, "same label" },
    { two_constants, "2 of 5 columns are constant (0 and others, counted" },
    { all_but_one, NULL },
    { half_empty, "3 of 5 columns are empty: check" },
    { one_empty, "1 of 5 columns is empty: check" },
    { sorted, NULL },
    { one_long_row, "norms up to 20, 1.32 on average" },
    { all_long, "norms up to 30, 30 on average" },
    { all_short, "norms up to 0.05, 0.05 on average" },
    { no_values, "5 of 5 columns are empty" },
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* On a machine that has space for any number of ranks. */
static run_warnings advise(const sdca_dataset *data, int loss, double lambda)
{
    data_facts         facts     = data_facts_measure(MPI_COMM_WORLD, data, false, false);
    sdca_objective     objective = small_dataset_objective(loss, lambda, data);
    sdca_train_options plan      = { .solver = SDCA_SOLVER_SDCA };

    facts.most_loaded.cores = facts.most_loaded.ranks;
    return run_warnings_warn(&facts, &objective, &plan);
}

START_TEST(each_warning_appears_once)
{
    sdca_dataset *data = make_with(ROWS, COLUMNS, cases[_i].row,
                                   &(sdca_dataset_options){ .compact_columns = true });
    run_warnings  a    = advise(data, SDCA_LOSS_hinge, 0.01);

    ck_assert_all(a.count == (cases[_i].says != NULL ? 1 : 0));
    ck_assert_all(cases[_i].says == NULL || strstr(a.text[0], cases[_i].says) != NULL);
    sdca_dataset_free(data);
}
END_TEST

/* Few rows cannot fill many columns; the number of used columns is shown on request. */
START_TEST(more_columns_than_rows_can_fill)
{
    sdca_dataset *data = make(ROWS, 7, good);
    run_warnings  a    = advise(data, SDCA_LOSS_hinge, 0.01);
    data_facts    facts;

    ck_assert_all(a.count == 0);
    facts = data_facts_measure(MPI_COMM_WORLD, data, false, false);
    ck_assert_all(!facts.empty_is_exact && facts.empty_columns == 0);
    facts = data_facts_measure(MPI_COMM_WORLD, data, false, true);
    ck_assert_all(facts.empty_is_exact && facts.empty_columns == 2);
    sdca_dataset_free(data);
}
END_TEST

/* Four of a hundred columns may be empty; half of a million text columns. */
START_TEST(few_empty_columns_give_no_warning)
{
    static const struct {
        int64_t rows;
        int32_t columns;
        int64_t fine;
    } c[]                    = { { 1000, 100, 4 }, { 1000, 2000000, 1000000 } };
    data_facts     facts     = { .ranks         = 1,
                                 .rows          = c[_i].rows,
                                 .columns       = c[_i].columns,
                                 .mean_norm     = 1.0,
                                 .mean_norm2    = 1.0,
                                 .max_norm      = 1.0,
                                 .empty_columns = c[_i].fine };
    sdca_objective objective = sdca_objective_with_lambda(
        &sdca_losses[SDCA_LOSS_hinge], 0.0, 0.01, facts.rows, (double)facts.rows);
    sdca_train_options plan = { .solver = SDCA_SOLVER_SDCA };

    ck_assert_int_eq(run_warnings_warn(&facts, &objective, &plan).count, 0);
    facts.empty_columns++;
    ck_assert_int_eq(run_warnings_warn(&facts, &objective, &plan).count, 1);
}
END_TEST

/* The bias column is not the user's, and makes a constant column redundant. */
START_TEST(bias_makes_constant_column_redundant)
{
    sdca_dataset *data = make(ROWS, COLUMNS, with_bias);
    run_warnings  a;

    data->bias = 1.0;
    a          = advise(data, SDCA_LOSS_hinge, 0.01);
    ck_assert_all(
        a.count == 1 &&
        strstr(a.text[0], "1 of 4 columns is constant (0, counted from 0): drop it") !=
            NULL);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(small_lambda_warning_depends_on_loss)
{
    sdca_dataset      *data  = make(ROWS, COLUMNS, good);
    data_facts         facts = data_facts_measure(MPI_COMM_WORLD, data, false, false);
    double             edge  = 1.0 / (1000.0 * ROWS);
    sdca_objective     objective;
    sdca_train_options plan = { .solver = SDCA_SOLVER_SDCA };
    run_warnings       a;

    facts.most_loaded.cores = facts.most_loaded.ranks;
    a                       = advise(data, SDCA_LOSS_hinge, 1.01 * edge);
    ck_assert_all(a.count == 0);
    a = advise(data, SDCA_LOSS_hinge, 0.99 * edge);
    ck_assert_all(a.count == 1 && strstr(a.text[0], "|x|^2/(lambda n) is 1e+03") != NULL);
    ck_assert_all(strstr(a.text[0], "--lambda 0.0002 or more") != NULL);
    ck_assert_all(strstr(a.text[0], "--solver newton") != NULL);
    /* Squared loss: gamma is 1/2. */
    a = advise(data, SDCA_LOSS_squared, 1.99 * edge);
    ck_assert_all(a.count == 1 && strstr(a.text[0], "(lambda gamma n)") != NULL);

    objective   = small_dataset_objective(SDCA_LOSS_hinge, 0.01 * edge, data);
    plan.solver = SDCA_SOLVER_NEWTON;
    ck_assert_all(run_warnings_warn(&facts, &objective, &plan).count == 0);
    plan.solver   = SDCA_SOLVER_SDCA;
    facts.columns = 100000;
    ck_assert_all(run_warnings_warn(&facts, &objective, &plan).count ==
                  0); /* easily parted */
    objective = small_dataset_objective(SDCA_LOSS_absolute, 0.01 * edge, data);
    a         = run_warnings_warn(&facts, &objective, &plan);
    ck_assert_all(a.count == 1 && strstr(a.text[0], "newton") == NULL);
    sdca_dataset_free(data);
}
END_TEST

/* Norms do not matter to Newton's method if the loss is smooth. */
START_TEST(newton_warns_for_nonsmooth_losses_only)
{
    sdca_dataset      *data     = make(ROWS, COLUMNS, all_long);
    data_facts         facts    = data_facts_measure(MPI_COMM_WORLD, data, false, false);
    sdca_objective     hinge    = small_dataset_objective(SDCA_LOSS_hinge, 0.1, data);
    sdca_objective     logistic = small_dataset_objective(SDCA_LOSS_logistic, 0.1, data);
    sdca_train_options newton   = { .solver = SDCA_SOLVER_NEWTON };

    facts.most_loaded.cores = facts.most_loaded.ranks;
    ck_assert_all(run_warnings_warn(&facts, &hinge, &newton).count == 1);
    ck_assert_all(run_warnings_warn(&facts, &logistic, &newton).count == 0);
    ck_assert_all(advise(data, SDCA_LOSS_logistic, 0.1).count == 1);
    sdca_dataset_free(data);
}
END_TEST

/* Long rows are reported; lambda is then judged as if they had norm 1. */
START_TEST(norms_and_lambda_give_one_warning)
{
    sdca_dataset *data = make(ROWS, COLUMNS, all_long);
    run_warnings  a    = advise(data, SDCA_LOSS_hinge, 1.0 / (10.0 * ROWS));

    ck_assert_all(a.count == 1);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(more_ranks_than_rows)
{
    sdca_dataset *data = make(2, COLUMNS, good);
    run_warnings  a    = advise(data, SDCA_LOSS_hinge, 0.1);
    bool          told = false;

    for (int k = 0; k < a.count; k++) {
        told = told || strstr(a.text[k], "ranks are more than the 2 rows") != NULL;
    }
    ck_assert_all(told == (sdca_comm_size(MPI_COMM_WORLD) > 2));
    sdca_dataset_free(data);
}
END_TEST

/* Artificial statistics of ranks. */
START_TEST(imbalance_and_oversubscription_are_reported)
{
    data_facts     facts     = { .ranks       = 8,
                                 .rows        = 1000,
                                 .columns     = 10,
                                 .mean_norm   = 1.0,
                                 .mean_norm2  = 1.0,
                                 .max_norm    = 1.0,
                                 .imbalance   = 1.9,
                                 .most_loaded = { 4, 4 } };
    sdca_objective objective = sdca_objective_with_lambda(
        &sdca_losses[SDCA_LOSS_hinge], 0.0, 0.01, facts.rows, (double)facts.rows);
    sdca_train_options plan = { .solver = SDCA_SOLVER_SDCA };
    run_warnings       a;

    ck_assert_int_eq(run_warnings_warn(&facts, &objective, &plan).count, 0);
    facts.imbalance         = 2.5;
    facts.most_loaded.cores = 3;
    a                       = run_warnings_warn(&facts, &objective, &plan);
    ck_assert_int_eq(a.count, 2);
    ck_assert_ptr_nonnull(strstr(a.text[0], "2.5 times the mean work"));
    ck_assert_ptr_nonnull(strstr(a.text[0], "at most 3 ranks"));
    ck_assert_str_eq(a.text[1], "4 ranks share 3 cores of a node: start at most 3 there");
}
END_TEST

/* The buffer holds all warnings at once. */
START_TEST(all_warnings_fit_the_buffer)
{
    data_facts     facts = { .ranks            = 2000000000,
                             .rows             = 1999999999,
                             .columns          = 4000,
                             .mean_norm        = 1.23456e-300,
                             .mean_norm2       = 1.0,
                             .max_norm         = 1.23456e-300,
                             .has_one_label    = true,
                             .empty_columns    = 1999999999,
                             .constant_count   = 3,
                             .constant_columns = { 1999999999, 1999999999, 1999999999 },
                             .most_loaded      = { 1999999999, 1999999998 } };
    sdca_objective objective =
        sdca_objective_with_lambda(&sdca_losses[SDCA_LOSS_squared], 0.0, 1.23456789e-100,
                                   facts.rows, (double)facts.rows);
    sdca_train_options plan = { .solver = SDCA_SOLVER_SDCA };
    run_warnings       a    = run_warnings_warn(&facts, &objective, &plan);

    ck_assert_int_eq(a.count, 7);
    for (int k = 0; k < a.count; k++) {
        ck_assert_uint_lt(strlen(a.text[k]), RUN_WARNINGS_TEXT_SIZE - 1);
    }
}
END_TEST

START_TEST(work_per_rank_is_compared)
{
    sdca_dataset *data  = make(ROWS, COLUMNS, good);
    data_facts    facts = data_facts_measure(MPI_COMM_WORLD, data, false, false);

    ck_assert_all(facts.imbalance >= 1.0 && facts.imbalance < 1.1);
    ck_assert_all(fabs(facts.mean_norm2 - 1.0) < 1e-6 &&
                  fabs(facts.mean_norm - 1.0) < 1e-6);
    sdca_dataset_free(data);
}
END_TEST

/* If ranks wait longer than they save, a better number of ranks is suggested. */
START_TEST(better_number_of_ranks)
{
    ck_assert_int_eq(run_warnings_best_ranks(1, 1, 1.0, 0.0), 1);
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 1.0, 0.5), 2);
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 1.0, 1.5), 1);
    ck_assert_int_eq(run_warnings_best_ranks(8, 1, 1.0, 6.0), 8);
    ck_assert_int_eq(run_warnings_best_ranks(8, 4, 1.0, 2.0), 8);
    ck_assert_int_eq(run_warnings_best_ranks(8, 4, 1.0, 3.5), 2);
    ck_assert_int_eq(run_warnings_best_ranks(4, 4, 1.0, 3.5), 1);
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 0.01, 0.02), 2); /* who cares */
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 0.1, 0.3),
                     2); /* two tenths of a second */
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 0.1, 0.5), 1);
    ck_assert_int_eq(run_warnings_best_ranks(2, 1, 10.0, 10.2),
                     2); /* nor a hundredth of the time */
    ck_assert_int_eq(run_warnings_best_ranks(8, 4, 1.0, 3.2), 8);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, each_warning_appears_once, 0, CASES);
    tcase_add_test(tests, more_columns_than_rows_can_fill);
    tcase_add_loop_test(tests, few_empty_columns_give_no_warning, 0, 2);
    tcase_add_test(tests, bias_makes_constant_column_redundant);
    tcase_add_test(tests, small_lambda_warning_depends_on_loss);
    tcase_add_test(tests, norms_and_lambda_give_one_warning);
    tcase_add_test(tests, newton_warns_for_nonsmooth_losses_only);
    tcase_add_test(tests, more_ranks_than_rows);
    tcase_add_test(tests, imbalance_and_oversubscription_are_reported);
    tcase_add_test(tests, all_warnings_fit_the_buffer);
    tcase_add_test(tests, work_per_rank_is_compared);
    tcase_add_test(tests, better_number_of_ranks);
}
