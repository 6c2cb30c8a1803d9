/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_iteration_bounds.c - the theorems as formulas, and against runs with many seeds.
 */
#include "objective/iteration_bounds.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "train/trainer.h"

static sdca_objective problem_of(int loss, double p, double lambda, int64_t n)
{
    return sdca_objective_with_lambda(&sdca_losses[loss], p, lambda, n, (double)n);
}

/* Numbers worked out by hand from the proofs of the theorems. The proof of Theorem 1
 * has t0 = n ln(2 lambda n eps / G), with G = L^2 for the hinge and 4 L^2 otherwise,
 * and eps, the distance of the first dual from its maximum: 1 at alpha = 0, and by
 * Theorem 3 2 L^2 ln(e n)/(lambda n) after an epoch of Modified-SGD. */
START_TEST(the_formulas_are_those_of_the_proofs)
{
    sdca_objective hinge    = problem_of(SDCA_LOSS_hinge, 0.0, 1e-3, 10000);
    sdca_objective absolute = problem_of(SDCA_LOSS_absolute, 0.0, 1e-3, 10000);
    sdca_objective smooth   = problem_of(SDCA_LOSS_smooth_hinge, 0.5, 1e-3, 10000);
    double         A        = 12000.0;

    ck_assert_double_eq_tol(sdca_iteration_bounds_lipschitz(&hinge, 0.01, false),
                            ceil(10000.0 * log(20.0)) + 10000.0 + 5e5, 1e-6);
    ck_assert_double_eq_tol(
        sdca_iteration_bounds_lipschitz_average_start(&hinge, 0.01, false),
        ceil(10000.0 * log(20.0)) + 4e5, 1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_lipschitz(&absolute, 0.01, false),
                            ceil(10000.0 * log(5.0)) + 10000.0 + 2e6, 1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_lipschitz(&hinge, 0.01, true),
                            ceil(10000.0 * log(4.0 + 4.0 * log(10000.0))) + 10000.0 + 5e5,
                            1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_lipschitz(&absolute, 0.01, true),
                            ceil(10000.0 * log(1.0 + log(10000.0))) + 10000.0 + 2e6,
                            1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_smooth(&smooth, 0.01),
                            A * log(A / 0.01), 1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_sgd_suboptimality(&hinge),
                            2.0 * (1.0 + log(10000.0)) / 10.0, 1e-12);
    ck_assert_double_eq_tol(sdca_iteration_bounds_refined(&hinge, 0.5, 0.01),
                            40000.0 * log(200.0), 1e-6);
    ck_assert_double_eq_tol(sdca_iteration_bounds_refined_floor(&hinge, 0.5, 100.0),
                            8.0 * 0.05 * 0.01, 1e-12);
    /* A small lambda: nothing before the n steps of Theorem 1. */
    hinge = problem_of(SDCA_LOSS_hinge, 0.0, 1e-6, 10000);
    ck_assert_double_eq_tol(
        sdca_iteration_bounds_lipschitz_average_start(&hinge, 0.01, false), 4e8, 1e-3);
}
END_TEST

START_TEST(the_average_of_theorem_2_meets_its_condition)
{
    sdca_objective smooth = problem_of(SDCA_LOSS_smooth_hinge, 1.0, 1e-4, 30000);
    double         A = 40000.0, gap = 1e-4;
    double         T0 = sdca_iteration_bounds_smooth_average(&smooth, gap) / 2.0;

    ck_assert_double_eq_tol(T0, A * log(A / (T0 * gap)), 1e-3);
}
END_TEST

START_TEST(which_theorem_is_for_which_loss)
{
    const char *smooth[]    = { "smooth-hinge", "squared-hinge", "logistic", "squared",
                                "huber" };
    const char *lipschitz[] = { "hinge",    "smooth-hinge",        "logistic",
                                "absolute", "epsilon-insensitive", "huber" };
    int         count[2]    = { 0, 0 };

    for (int k = 0; k < SDCA_LOSS_COUNT; k++) {
        sdca_objective objective = problem_of(k, 0.5, 1e-3, 100);

        count[0] += sdca_iteration_bounds_has_smooth(&objective);
        count[1] += sdca_iteration_bounds_has_lipschitz(&objective);
    }
    ck_assert_int_eq(count[0], (int)(sizeof smooth / sizeof *smooth));
    ck_assert_int_eq(count[1], (int)(sizeof lipschitz / sizeof *lipschitz));
    for (int k = 0; k < count[0]; k++) {
        sdca_objective objective = {
            sdca_loss_find(smooth[k]), 0.5, 1e-3, 1.0, 100, 100.0, 0, 0
        };

        ck_assert(sdca_iteration_bounds_has_smooth(&objective));
    }
    for (int k = 0; k < count[1]; k++) {
        sdca_objective objective = {
            sdca_loss_find(lipschitz[k]), 0.5, 1e-3, 1.0, 100, 100.0, 0, 0
        };

        ck_assert(sdca_iteration_bounds_has_lipschitz(&objective));
    }
}
END_TEST

/* The gap promised after the steps that are promised for a gap is that gap. */
START_TEST(steps_and_gap_are_inverse)
{
    for (double gap = 1e-1; gap > 1e-9; gap /= 7.0) {
        sdca_objective hinge   = problem_of(SDCA_LOSS_hinge, 0.0, 1e-3, 1000);
        sdca_objective squared = problem_of(SDCA_LOSS_squared, 0.0, 1e-3, 1000);

        ck_assert_double_eq_tol(
            sdca_iteration_bounds_expected_gap(
                &hinge, sdca_iteration_bounds_lipschitz(&hinge, gap, false)) /
                gap,
            1.0, 1e-9);
        ck_assert_double_eq_tol(
            sdca_iteration_bounds_expected_gap(
                &squared, sdca_iteration_bounds_smooth(&squared, gap)) /
                gap,
            1.0, 1e-6);
    }
}
END_TEST

enum { ROWS = 200, SEEDS = 24 };

/* Data that meet the assumptions: rows of length 1, labels within [-1, 1]. */
static sdca_dataset *unit_data(bool classifies)
{
    sdca_dataset *data = small_dataset_create(ROWS, 60, classifies, true);

    for (uint32_t i = 0; i < data->x.count; i++) {
        if (data->x.row[i].norm2 > 0.0) {
            sdca_rows_scale(&data->x, i, 1.0 / sqrt(data->x.row[i].norm2));
            data->x.row[i].norm2 = 1.0;
        }
        data->x.row[i].y = fmax(-1.0, fmin(1.0, data->x.row[i].y));
    }
    return data;
}

/* The mean over seeds of the gap that a run of so many epochs ends with. */
static double mean_gap(const sdca_objective *objective, const sdca_dataset *data,
                       sdca_train_options options)
{
    double sum = 0.0;

    for (int seed = 0; seed < SEEDS; seed++) {
        sdca_iterate         iterate;
        sdca_train_result    result = { 0 };
        sdca_train_callbacks nobody = { .context = NULL };

        options.seed = (uint64_t)seed;
        ck_assert_int_eq(sdca_iterate_create(MPI_COMM_WORLD, objective, data, &iterate),
                         SDCA_OK);
        ck_assert_int_eq(sdca_trainer_run(&(sdca_train_setup){ .comm      = MPI_COMM_SELF,
                                                               .data      = data,
                                                               .options   = &options,
                                                               .callbacks = &nobody },
                                          objective, NULL, &iterate, &result),
                         SDCA_BUDGET);
        sum += result.certificate.gap;
        sdca_history_free(&result.history);
        sdca_iterate_free(&iterate);
    }
    return sum / SEEDS;
}

/* Theorem 2: at each epoch the expected gap of the last iterate is below the
 * bound. The bound begins far above 1, so epochs where it means something are
 * asked for: there must be some. */
START_TEST(smooth_losses_keep_theorem_2)
{
    const int losses[]  = { SDCA_LOSS_smooth_hinge, SDCA_LOSS_logistic, SDCA_LOSS_squared,
                            SDCA_LOSS_squared_hinge };
    int       loss      = losses[_i];
    sdca_dataset  *data = unit_data(sdca_losses[loss].classification);
    sdca_objective objective = problem_of(loss, 1.0, 0.02, data->rows);
    int            telling   = 0;

    for (int epochs = 1; epochs <= 16; epochs += 3) {
        sdca_train_options options = { .order  = SDCA_ROW_ORDER_RANDOM,
                                       .output = SDCA_OUTPUT_LAST,
                                       .gap    = 1e-300,
                                       .epochs = epochs };
        double             bound =
            sdca_iteration_bounds_expected_gap(&objective, (double)epochs * ROWS);

        ck_assert_double_le(mean_gap(&objective, data, options), bound);
        telling += bound < 0.5;
    }
    ck_assert_int_gt(telling, 0);
    sdca_dataset_free(data);
}
END_TEST

/* Theorem 1: the average and the random iterate over the T0 .. T of the theorem. */
START_TEST(lipschitz_losses_keep_theorem_1)
{
    const int      losses[]  = { SDCA_LOSS_hinge, SDCA_LOSS_absolute };
    int            loss      = losses[_i / 2];
    sdca_dataset  *data      = unit_data(sdca_losses[loss].classification);
    sdca_objective objective = problem_of(loss, 0.0, 0.05, data->rows);
    double         gap       = 0.1;
    double epochs = ceil(sdca_iteration_bounds_lipschitz(&objective, gap, false) / ROWS);
    sdca_train_options options = {
        .order  = SDCA_ROW_ORDER_RANDOM,
        .output = _i % 2 == 0 ? SDCA_OUTPUT_AVERAGE : SDCA_OUTPUT_RANDOM,
        .average_from =
            sdca_iteration_bounds_lipschitz_average_start(&objective, gap, false) / ROWS,
        .gap    = 1e-300,
        .epochs = (int64_t)epochs
    };

    ck_assert_double_lt(options.average_from, epochs);
    ck_assert_double_le(mean_gap(&objective, data, options), gap);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, the_formulas_are_those_of_the_proofs);
    tcase_add_test(tests, the_average_of_theorem_2_meets_its_condition);
    tcase_add_test(tests, which_theorem_is_for_which_loss);
    tcase_add_test(tests, steps_and_gap_are_inverse);
    tcase_add_loop_test(tests, smooth_losses_keep_theorem_2, 0, 4);
    tcase_add_loop_test(tests, lipschitz_losses_keep_theorem_1, 0, 4);
}
