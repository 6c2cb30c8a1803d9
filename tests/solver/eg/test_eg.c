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

static double dual(const sdca_objective *objective, const sdca_dataset *data,
                   const sdca_iterate *iterate)
{
    sdca_certificate certificate = { .gap = 0.0 };

    ck_assert_int_eq(sdca_duality_gap_measure(MPI_COMM_WORLD, objective, data,
                                              sdca_iterate_point(iterate), NULL,
                                              &certificate),
                     SDCA_OK);
    return certificate.dual;
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
    sdca_dataset  *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective objective = small_dataset_objective(losses[_i], 0.01, data);
    sdca_iterate   iterate;
    sdca_eg        eg;
    sdca_row_order order;

    ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, &objective, data, &iterate),
                     SDCA_OK);
    ck_assert_int_eq(sdca_eg_create(&objective, data, SEED, &iterate, &eg), SDCA_OK);
    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_RANDOM, ~(uint64_t)SEED, 0,
                                           data->x.count, &order),
                     SDCA_OK);
    for (int t = 0; t < 3 * ROWS; t++) {
        uint32_t count = 0;
        uint32_t i     = *sdca_row_order_next(&order, NULL, 1, &count);
        double   theta = eg.theta[i], eta = eg.eta[i], a = iterate.row[i].alpha;
        double   y = data->x.row[i].y;
        double   z = sdca_rows_dot(&data->x, i, iterate.w);
        double   moved[COLUMNS];

        memcpy(moved, iterate.w, sizeof moved);
        sdca_eg_run(&objective, data, &eg, 1, &iterate);
        if (data->x.row[i].norm2 > 0.0 && fabs(theta) < 5.0) {
            double used  = eg.eta[i] / 1.05;
            double slope = y * dual_slope(&objective, a, z, y);

            ck_assert_double_le(used, eta);
            ck_assert_double_eq_tol(eg.theta[i], theta + used * slope,
                                    1e-5 * (1.0 + used * fabs(slope)));
        }
        if (data->x.row[i].norm2 > 0.0) {
            ck_assert_double_eq_tol(y * iterate.row[i].alpha,
                                    1.0 / (1.0 + exp(-eg.theta[i])), 1e-15);
        }
        sdca_rows_axpy(&data->x, i, objective.C * (iterate.row[i].alpha - a), moved);
        ck_assert_mem_eq(iterate.w, moved, sizeof moved);
    }
    ck_assert(small_dataset_is_feasible(&objective, data, &iterate));
    sdca_row_order_free(&order);
    sdca_eg_free(&eg);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(the_dual_never_falls)
{
    sdca_dataset  *data      = small_dataset_create(ROWS, COLUMNS, true, true);
    sdca_objective objective = small_dataset_objective(losses[_i], 1e-3, data);
    sdca_iterate   iterate;
    sdca_eg        eg;
    double         last;

    ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, &objective, data, &iterate),
                     SDCA_OK);
    ck_assert_int_eq(sdca_eg_create(&objective, data, SEED, &iterate, &eg), SDCA_OK);
    last = dual(&objective, data, &iterate);
    for (int t = 0; t < 10 * ROWS; t++) {
        double now;

        sdca_eg_run(&objective, data, &eg, 1, &iterate);
        now = dual(&objective, data, &iterate);
        ck_assert_double_ge(now, last - 1e-13);
        last = now;
    }
    sdca_eg_free(&eg);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(the_optimum_is_that_of_sdca)
{
    sdca_dataset      *data      = small_dataset_create(ROWS, COLUMNS, true, false);
    sdca_objective     objective = small_dataset_objective(losses[_i], 0.01, data);
    sdca_train_options options   = { .solver = SDCA_SOLVER_SDCA, .gap = 1e-10 };
    sdca_train_result  result    = { .test_error = 0.0 };
    sdca_certificate   mine      = { .gap = 0.0 };
    sdca_iterate       optimum, iterate;
    sdca_eg            eg;

    ck_assert_int_eq(small_dataset_train(&objective, data, &options, &optimum, &result),
                     SDCA_OK);
    ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, &objective, data, &iterate),
                     SDCA_OK);
    ck_assert_int_eq(sdca_eg_create(&objective, data, SEED, &iterate, &eg), SDCA_OK);
    sdca_eg_run(&objective, data, &eg, 1000 * ROWS, &iterate);
    sdca_iterate_recompute_w(MPI_COMM_WORLD, &objective, data, 1, &iterate);
    ck_assert_int_eq(sdca_duality_gap_certify(MPI_COMM_WORLD, &objective, data,
                                              sdca_iterate_point(&iterate), 1e-6, NULL,
                                              &mine),
                     SDCA_OK);
    ck_assert_double_le(mine.gap, 1e-6);
    ck_assert_double_eq_tol(mine.primal, result.certificate.primal, 1e-6);
    for (int j = 0; j < COLUMNS; j++) {
        ck_assert_double_eq_tol(iterate.w[j], optimum.w[j],
                                mine.distance + result.certificate.distance);
    }
    sdca_eg_free(&eg);
    sdca_iterate_free(&iterate);
    sdca_iterate_free(&optimum);
    sdca_history_free(&result.history);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(other_losses_are_refused)
{
    sdca_dataset *data =
        small_dataset_create(ROWS, COLUMNS, sdca_losses[_i].classification, false);
    sdca_objective objective = small_dataset_objective(_i, 1e-3, data);
    sdca_iterate   iterate;
    sdca_eg        eg = { .theta = NULL };

    ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, &objective, data, &iterate),
                     SDCA_OK);
    ck_assert_int_eq(sdca_eg_create(&objective, data, SEED, &iterate, &eg),
                     is_allowed(_i) ? SDCA_OK : SDCA_USAGE);
    sdca_eg_free(&eg);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Options that the method does not have. */
START_TEST(other_options_are_refused)
{
    small_run          run;
    sdca_train_options options = { .solver = SDCA_SOLVER_EG, .gap = 1e-300, .epochs = 4 };

    options.sgd_start = _i == 0;
    options.output    = _i == 1   ? SDCA_OUTPUT_AVERAGE
                        : _i == 2 ? SDCA_OUTPUT_RANDOM
                                  : SDCA_OUTPUT_BEST;
    run = small_run_train(ROWS, COLUMNS, SDCA_LOSS_logistic, 1e-3, &options);
    ck_assert_int_eq(run.status, _i < 3 ? SDCA_USAGE : SDCA_BUDGET);
    small_run_free(&run);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, a_step_multiplies_the_odds_of_one_row, 0, LOSSES);
    tcase_add_loop_test(tests, the_dual_never_falls, 0, LOSSES);
    tcase_add_loop_test(tests, the_optimum_is_that_of_sdca, 0, LOSSES);
    tcase_add_loop_test(tests, other_losses_are_refused, 0, SDCA_LOSS_COUNT);
    tcase_add_loop_test(tests, other_options_are_refused, 0, 4);
}
