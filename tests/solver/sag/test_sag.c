/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sag.c - the lazy steps of SAG are the plain ones, and they reach the optimum. */
#include "solver/sag/sag.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "objective/duality_gap.h"

enum { COLUMNS = 60, ROWS = 101, SEED = 5 };

static bool is_smooth(int loss)
{
    return sdca_losses[loss].smoothness(0.3) > 0.0;
}

/* The method with every column changed in every step. */
typedef struct plain_sag {
    double w[COLUMNS], d[COLUMNS], a[ROWS];
    bool   visited[ROWS];
    int    m;
    double L, L_max;
} plain_sag;

static void plain_line_search(const sdca_objective *objective, const sdca_row *row,
                              double a, double z, plain_sag *plain)
{
    const sdca_loss *loss = objective->loss;
    double           p    = objective->parameter;

    while (a * a * row->norm2 > 1e-8 && plain->L < plain->L_max &&
           loss->primal(p, z + a * row->norm2 / plain->L, row->y) >
               loss->primal(p, z, row->y) - a * a * row->norm2 / (2.0 * plain->L)) {
        plain->L = fmin(2.0 * plain->L, plain->L_max);
    }
}

static void plain_step(const sdca_objective *objective, const sdca_dataset *data,
                       uint32_t i, plain_sag *plain)
{
    const sdca_row *row = &data->x.row[i];
    double          z   = sdca_rows_dot(&data->x, i, plain->w);
    double a = objective->loss->maximizer(objective->parameter, 0.0, z, 0.0, row->y);
    double s;

    sdca_rows_axpy(&data->x, i, a - plain->a[i], plain->d);
    plain->a[i] = a;
    plain->m += plain->visited[i] ? 0 : 1;
    plain->visited[i] = true;
    plain_line_search(objective, row, a, z, plain);
    s = 1.0 / (plain->L + objective->lambda);
    for (int j = 0; j < COLUMNS; j++) {
        plain->w[j] += s * (plain->d[j] / plain->m - objective->lambda * plain->w[j]);
    }
    plain->L = fmax(plain->L * exp2(-1.0 / ROWS), objective->lambda);
}

/* Both first sweeps' orders, as the module draws them. */
static void make_orders(const sdca_dataset *data, sdca_row_order *first,
                        sdca_row_order *later)
{
    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_PERMUTATION, ~(uint64_t)SEED, 0,
                                           data->x.count, first),
                     SDCA_OK);
    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_RANDOM, ~(uint64_t)SEED, 0,
                                           data->x.count, later),
                     SDCA_OK);
    ck_assert(sdca_row_order_resume(later, 1, ROWS, NULL));
}

static void check_lazy_steps(int loss, double lambda, bool wide)
{
    small_run      run        = small_run_start(ROWS, COLUMNS, loss, lambda, wide);
    plain_sag      plain      = { .m = 0 };
    double         w[COLUMNS] = { 0.0 }, norm = 0.0;
    int            lengths[] = { 1, 2, 40, 150, 400 }, step = 0;
    sdca_row_order first, later;
    sdca_sag       sag;

    ck_assert_int_eq(sdca_sag_create(&run.objective, run.data, SEED, &sag), SDCA_OK);
    make_orders(run.data, &first, &later);
    plain.L     = sag.smoothness;
    plain.L_max = sag.max_smoothness;
    for (int k = 0; k < 5; k++) {
        double off = 0.0;

        for (int t = 0; t < lengths[k]; t++, step++) {
            uint32_t count = 0;

            plain_step(
                &run.objective, run.data,
                *sdca_row_order_next(step < ROWS ? &first : &later, NULL, 1, &count),
                &plain);
        }
        sdca_sag_run(&run.objective, run.data, &sag, lengths[k], w);
        for (int j = 0; j < COLUMNS; j++) {
            off  = fmax(off, fabs(w[j] - plain.w[j]));
            norm = fmax(norm, fabs(plain.w[j]));
        }
        ck_assert_double_le(off, 1e-11 * norm);
    }
    ck_assert_double_gt(norm, 0.0);
    ck_assert_int_eq(sag.steps, step);
    sdca_row_order_free(&first);
    sdca_row_order_free(&later);
    sdca_sag_free(&sag);
    small_run_free(&run);
}

START_TEST(lazy_steps_are_the_plain_ones)
{
    if (is_smooth(_i)) {
        check_lazy_steps(_i, 1e-3, false);
        check_lazy_steps(_i, 0.1, true);
    }
}
END_TEST

/* With this lambda the scale of w would underflow within some hundred steps. */
START_TEST(the_scale_does_not_underflow)
{
    if (is_smooth(_i)) {
        check_lazy_steps(_i, 1e3, false);
    }
}
END_TEST

/* Columns that no visited row has are not touched before the end of the run. */
START_TEST(a_step_touches_the_columns_of_its_row)
{
    small_run      run = small_run_start(ROWS, COLUMNS, SDCA_LOSS_logistic, 1e-3, false);
    double         w[COLUMNS];
    bool           visited[COLUMNS] = { false };
    int            untouched        = 0;
    sdca_row_order first, later;
    sdca_sag       sag;

    for (int j = 0; j < COLUMNS; j++) {
        w[j] = 1.0 + j;
    }
    ck_assert_int_eq(sdca_sag_create(&run.objective, run.data, SEED, &sag), SDCA_OK);
    make_orders(run.data, &first, &later);
    for (int t = 0; t < 4; t++) {
        uint32_t count = 0;
        uint32_t i     = *sdca_row_order_next(&first, NULL, 1, &count);

        for (int64_t k = run.data->x.row[i].start; k < run.data->x.row[i + 1].start;
             k++) {
            visited[sdca_rows_column(&run.data->x, k)] = true;
        }
    }
    sdca_sag_run(&run.objective, run.data, &sag, 4, w);
    for (int j = 0; j < COLUMNS; j++) {
        if (!visited[j]) {
            ck_assert_double_eq(sag.column[j].v, 1.0 + j);
            ck_assert_double_eq(sag.column[j].applied, 0.0);
            untouched++;
        }
    }
    ck_assert_int_ge(untouched, COLUMNS - 4 * 5);
    sdca_row_order_free(&first);
    sdca_row_order_free(&later);
    sdca_sag_free(&sag);
    small_run_free(&run);
}
END_TEST

START_TEST(the_optimum_is_that_of_sdca)
{
    sdca_train_options options = { .solver = SDCA_SOLVER_SDCA, .gap = 1e-10 };
    small_run          optimum, run;
    sdca_certificate   mine = { .gap = 0.0 };
    double             dual_w[COLUMNS];
    sdca_sag           sag;

    if (!is_smooth(_i)) {
        return;
    }
    optimum = small_run_train(ROWS, COLUMNS, _i, 1e-3, &options);
    run     = small_run_start(ROWS, COLUMNS, _i, 1e-3, false);
    ck_assert_int_eq(optimum.status, SDCA_OK);
    ck_assert_int_eq(sdca_sag_create(&run.objective, run.data, SEED, &sag), SDCA_OK);
    sdca_sag_run(&run.objective, run.data, &sag, 300 * ROWS, run.iterate.w);
    ck_assert_int_eq(sdca_duality_gap_certify_primal(run.comm, &run.objective, run.data,
                                                     sdca_iterate_point(&run.iterate),
                                                     &(sdca_target){ .gap = 1e-6 },
                                                     dual_w, &mine),
                     SDCA_OK);
    ck_assert_double_le(mine.gap, 1e-6);
    ck_assert_double_eq_tol(mine.primal, optimum.result.certificate.primal, 1e-6);
    for (int j = 0; j < COLUMNS; j++) {
        ck_assert_double_eq_tol(run.iterate.w[j], optimum.iterate.w[j],
                                mine.distance + optimum.result.certificate.distance);
    }
    sdca_sag_free(&sag);
    small_run_free(&run);
    small_run_free(&optimum);
}
END_TEST

START_TEST(other_losses_are_refused)
{
    small_run run = small_run_start(ROWS, COLUMNS, _i, 1e-3, false);
    sdca_sag  sag = { .steps = 0 };

    ck_assert_int_eq(sdca_sag_create(&run.objective, run.data, SEED, &sag),
                     is_smooth(_i) ? SDCA_OK : SDCA_USAGE);
    sdca_sag_free(&sag);
    small_run_free(&run);
}
END_TEST

START_TEST(other_options_are_refused)
{
    small_check_baseline_options(SDCA_SOLVER_SAG, _i);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, lazy_steps_are_the_plain_ones, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, the_scale_does_not_underflow, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, a_step_touches_the_columns_of_its_row);
    tcase_add_loop_test(tests, the_optimum_is_that_of_sdca, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, other_losses_are_refused, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, other_options_are_refused, 0, SMALL_BASELINE_CASES);
}
