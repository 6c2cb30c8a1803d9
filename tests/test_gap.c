/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_gap.c - the gap of all rows, and as some of them tell it. */
#include "sdca/gap.h"

#include "mpi_check.h"
#include "toy.h"

#include <math.h>

#include "sdca/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

/* A state on the way: each alpha is somewhere in its interval, and rows know it. */
static sdca_state some_state(const sdca_problem *problem, sdca_dataset *data)
{
    sdca_state state;

    ck_assert_all(sdca_state_create(problem, data, &state) == SDCA_OK);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = data->x.row[i].y;
        double part =
            (double)(sdca_dataset_row(data, i) % 7) / 9.0; /* of the way to best */

        state.alpha[i] = part * problem->loss->best(problem->parameter, 0.0, 0.0, 0.5, y);
        data->x.row[i].alpha = state.alpha[i];
    }
    sdca_state_rebuild(*world, problem, data, &state);
    return state;
}

static sdca_guess guess_of(const sdca_problem *problem, const sdca_dataset *data,
                           const sdca_state *state, double share, uint64_t seed)
{
    uint64_t rank = (uint64_t)sdca_comm_rank(*world);

    return sdca_gap_guess(*world, problem, data, state->w, share,
                          sdca_random_stream(seed, SDCA_PURPOSE_TEST, 0, rank));
}

/* Its mean over many draws is the gap, and its spread is what it says of itself. */
START_TEST(guesses_are_right_on_the_average)
{
    enum { DRAWS = 400 };
    sdca_dataset    *data    = toy_data(4000, 20, sdca_losses[_i].classifies, false);
    sdca_problem     problem = toy_problem(_i, 1e-3, data);
    sdca_state       state   = some_state(&problem, data);
    double           gaps = 0.0, squares = 0.0, losses = 0.0, errors = 0.0, spread;
    sdca_certificate all;

    ck_assert_all(sdca_gap_measure(*world, &problem, data, &state, NULL, &all) ==
                  SDCA_OK);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        sdca_guess guess = guess_of(&problem, data, &state, 0.1, seed);

        gaps += guess.gap / DRAWS;
        squares += guess.gap * guess.gap / DRAWS;
        errors += guess.error / DRAWS;
        losses += guess.primal / DRAWS;
    }
    spread = sqrt(fmax(0.0, squares - gaps * gaps));
    ck_assert_double_gt(spread, 0.0);
    ck_assert_double_eq_tol(gaps, all.gap, 5.0 * spread / sqrt(DRAWS) + 0.01 * all.gap);
    ck_assert_double_eq_tol(losses, all.primal, 0.03 * all.primal);
    ck_assert_double_eq_tol(errors, spread, 0.3 * spread);
    sdca_state_free(&state);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(all_ranks_guess_the_same)
{
    sdca_dataset *data    = toy_data(1000, 20, true, false);
    sdca_problem  problem = toy_problem(SDCA_LOSS_logistic, 1e-3, data);
    sdca_state    state   = some_state(&problem, data);
    sdca_guess    guess   = guess_of(&problem, data, &state, 0.1, 1);
    double        mine[6] = { guess.gap,     -guess.gap,  guess.primal,
                              -guess.primal, guess.error, -guess.error };
    double        least[6];

    MPI_Allreduce(mine, least, 6, MPI_DOUBLE, MPI_MIN, *world);
    for (int k = 0; k < 6; k += 2) {
        ck_assert_double_eq(least[k], -least[k + 1]);
    }
    sdca_state_free(&state);
    sdca_dataset_free(data);
}
END_TEST

/* Fewer rows than ranks, or than neighbours are looked at. */
START_TEST(few_rows_are_enough)
{
    static const int64_t rows[]  = { 1, 2, 3, 17 };
    sdca_dataset        *data    = toy_data(rows[_i], 5, true, false);
    sdca_problem         problem = toy_problem(SDCA_LOSS_logistic, 1e-2, data);
    sdca_state           state   = some_state(&problem, data);
    sdca_guess           guess   = guess_of(&problem, data, &state, 0.25, 1);
    sdca_certificate     all;

    ck_assert_all(sdca_gap_measure(*world, &problem, data, &state, NULL, &all) ==
                  SDCA_OK);
    ck_assert(isfinite(guess.primal) && isfinite(guess.error));
    if (rows[_i] < 17) { /* then all are looked at */
        ck_assert_double_eq_tol(guess.gap, all.gap, 1e-12 * all.primal);
        ck_assert_double_eq_tol(guess.primal, all.primal, 1e-12 * all.primal);
    }
    sdca_state_free(&state);
    sdca_dataset_free(data);
}
END_TEST

/* Rows without a part in w, and so long that P has no digits left for it, change nothing
 * about D. */
START_TEST(a_large_primal_hides_no_dual)
{
    sdca_dataset    *data    = toy_data(300, 40, true, _i == 1);
    sdca_problem     problem = toy_problem(SDCA_LOSS_hinge, 1e-2, data);
    sdca_state       state   = some_state(&problem, data);
    double           sums[2] = { 0.0, 0.0 };
    double           dual    = 0.0;
    sdca_certificate now;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sums[0] +=
            problem.loss->conjugate(problem.parameter, state.alpha[i], data->x.row[i].y);
        if (state.alpha[i] == 0.0) {
            sdca_rows_scale(&data->x, i, 1e19);
            sums[1] += 1.0;
        }
    }
    sdca_comm_sum(*world, sums, 2);
    for (int32_t j = 0; j < data->columns; j++) {
        dual -= problem.lambda / 2.0 * state.w[j] * state.w[j];
    }
    dual -= sums[0] / (double)problem.rows;
    ck_assert_all(sdca_gap_measure(*world, &problem, data, &state, NULL, &now) ==
                  SDCA_OK);
    ck_assert_double_gt(sums[1], 0.0);
    ck_assert_double_gt(now.primal, 1e15);
    ck_assert_double_eq_tol(now.dual, dual, 1e-12);
    sdca_state_free(&state);
    sdca_dataset_free(data);
}
END_TEST

/* With margins of hundreds, terms are made of numbers that have few digits or none. */
START_TEST(numbers_without_digits_are_no_defect)
{
    sdca_dataset    *data    = toy_data(2000, 20, true, false);
    sdca_problem     problem = toy_problem(SDCA_LOSS_logistic, 1e-3, data);
    sdca_state       state   = some_state(&problem, data);
    sdca_certificate all;

    for (int32_t j = 0; j < data->columns; j++) {
        state.w[j] = j % 2 == 0 ? 1000.0 : -1000.0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        double y     = data->x.row[i].y;
        double z     = sdca_rows_dot(&data->x, i, state.w);
        double small = exp(-fabs(z));

        state.alpha[i] = y * (y * z > 0.0 ? small : 1.0) / (1.0 + small);
    }
    ck_assert_all(sdca_gap_measure(*world, &problem, data, &state, NULL, &all) ==
                  SDCA_OK);
    sdca_state_free(&state);
    sdca_dataset_free(data);
}
END_TEST

static Suite *suite(void)
{
    Suite *s     = suite_create("gap");
    TCase *tests = tcase_create("gap");

    suite_add_tcase(s, tests);
    tcase_add_loop_test(tests, guesses_are_right_on_the_average, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, all_ranks_guess_the_same);
    tcase_add_loop_test(tests, few_rows_are_enough, 0, 4);
    tcase_add_loop_test(tests, a_large_primal_hides_no_dual, 0, 2);
    tcase_add_test(tests, numbers_without_digits_are_no_defect);
    return s;
}

int main(int argc, char **argv)
{
    return mpi_check_run(&argc, &argv, suite);
}
