/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_eg.c - the exponentiated gradient ascends the dual, one row at a time, to the
 * optimum. */
#include "solver/eg/eg.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "objective/duality_gap.h"

enum { COLUMNS = 60, ROWS = 101, SEED = 5 };

static const int losses[] = { SDCA_LOSS_hinge, SDCA_LOSS_smooth_hinge,
                              SDCA_LOSS_logistic };
enum { LOSSES = sizeof losses / sizeof *losses };

static bool is_allowed(int loss)
{
    bool found = false;

    for (int k = 0; k < LOSSES; k++) {
        found = found || losses[k] == loss;
    }
    return found;
}

/* n times the derivative of D by alpha_i, from its values alone: a central difference. */
static double dual_slope(const sdca_objective *objective, double a, double z, double y)
{
    const sdca_loss *loss = objective->loss;
    double           h    = 1e-7;

    return -(loss->conjugate(objective->parameter, a + h, y) -
             loss->conjugate(objective->parameter, a - h, y)) /
               (2.0 * h) -
           z;
}

START_TEST(a_step_multiplies_the_odds_of_one_row)
{
    small_run      run = small_run_start(ROWS, COLUMNS, losses[_i], 0.01, false);
    sdca_eg        eg;
    sdca_row_order order;
    ck_assert_int_eq(sdca_eg_create(&run.objective, run.data, SEED, &run.iterate, &eg),
                     SDCA_OK);
    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_RANDOM, ~(uint64_t)SEED, 0,
                                           run.data->x.count, &order),
                     SDCA_OK);
    for (int t = 0; t < 3 * ROWS; t++) {
        uint32_t count = 0;
        uint32_t i     = *sdca_row_order_next(&order, NULL, 1, &count);
        double   theta = eg.theta[i], eta = eg.eta[i], a = run.iterate.row[i].alpha;
        double   y = run.data->x.row[i].y;
        double   z = sdca_rows_dot(&run.data->x, i, run.iterate.w);
        double   moved[COLUMNS];

        memcpy(moved, run.iterate.w, sizeof moved);
        sdca_eg_run(&run.objective, run.data, &eg, 1, &run.iterate);
        if (run.data->x.row[i].norm2 > 0.0 && fabs(theta) < 5.0) {
            double used  = eg.eta[i] / 1.05;
            double slope = y * dual_slope(&run.objective, a, z, y);

            ck_assert_double_le(used, eta);
            ck_assert_double_eq_tol(eg.theta[i], theta + used * slope,
                                    1e-5 * (1.0 + used * fabs(slope)));
        }
        if (run.data->x.row[i].norm2 > 0.0) {
            ck_assert_double_eq_tol(y * run.iterate.row[i].alpha,
                                    1.0 / (1.0 + exp(-eg.theta[i])), 1e-15);
        }
        sdca_rows_axpy(&run.data->x, i, run.objective.C * (run.iterate.row[i].alpha - a),
                       moved);
        ck_assert_mem_eq(run.iterate.w, moved, sizeof moved);
    }
    ck_assert(small_run_is_feasible(&run));
    sdca_row_order_free(&order);
    sdca_eg_free(&eg);
    small_run_free(&run);
}
END_TEST

START_TEST(the_dual_never_falls)
{
    small_run run = small_run_start(ROWS, COLUMNS, losses[_i], 1e-3, true);
    sdca_eg   eg;
    double    last;
    ck_assert_int_eq(sdca_eg_create(&run.objective, run.data, SEED, &run.iterate, &eg),
                     SDCA_OK);
    last = small_run_measure(&run).dual;
    for (int t = 0; t < 10 * ROWS; t++) {
        double now;

        sdca_eg_run(&run.objective, run.data, &eg, 1, &run.iterate);
        now = small_run_measure(&run).dual;
        ck_assert_double_ge(now, last - 1e-13);
        last = now;
    }
    sdca_eg_free(&eg);
    small_run_free(&run);
}
END_TEST

START_TEST(the_optimum_is_that_of_sdca)
{
    sdca_train_options options = { .solver = SDCA_SOLVER_SDCA, .gap = 1e-10 };
    small_run        optimum = small_run_train(ROWS, COLUMNS, losses[_i], 0.01, &options);
    small_run        run     = small_run_start(ROWS, COLUMNS, losses[_i], 0.01, false);
    sdca_certificate mine    = { .gap = 0.0 };
    sdca_eg          eg;

    ck_assert_int_eq(optimum.status, SDCA_OK);
    ck_assert_int_eq(sdca_eg_create(&run.objective, run.data, SEED, &run.iterate, &eg),
                     SDCA_OK);
    sdca_eg_run(&run.objective, run.data, &eg, 1000 * ROWS, &run.iterate);
    sdca_iterate_recompute_w(run.comm, &run.objective, run.data, 1, &run.iterate);
    ck_assert_int_eq(sdca_duality_gap_certify(run.comm, &run.objective, run.data,
                                              sdca_iterate_point(&run.iterate),
                                              &(sdca_target){ .gap = 1e-6 }, NULL, &mine),
                     SDCA_OK);
    ck_assert_double_le(mine.gap, 1e-6);
    ck_assert_double_eq_tol(mine.primal, optimum.result.certificate.primal, 1e-6);
    for (int j = 0; j < COLUMNS; j++) {
        ck_assert_double_eq_tol(run.iterate.w[j], optimum.iterate.w[j],
                                mine.distance + optimum.result.certificate.distance);
    }
    sdca_eg_free(&eg);
    small_run_free(&run);
    small_run_free(&optimum);
}
END_TEST

START_TEST(other_losses_are_refused)
{
    small_run run = small_run_start(ROWS, COLUMNS, _i, 1e-3, false);
    sdca_eg   eg  = { .theta = NULL };
    ck_assert_int_eq(sdca_eg_create(&run.objective, run.data, SEED, &run.iterate, &eg),
                     is_allowed(_i) ? SDCA_OK : SDCA_USAGE);
    sdca_eg_free(&eg);
    small_run_free(&run);
}
END_TEST

START_TEST(other_options_are_refused)
{
    small_check_baseline_options(SDCA_SOLVER_EG, _i);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, a_step_multiplies_the_odds_of_one_row, 0, LOSSES);
    tcase_add_loop_test(tests, the_dual_never_falls, 0, LOSSES);
    tcase_add_loop_test(tests, the_optimum_is_that_of_sdca, 0, LOSSES);
    tcase_add_loop_test(tests, other_losses_are_refused, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, other_options_are_refused, 0, SMALL_BASELINE_CASES);
}
