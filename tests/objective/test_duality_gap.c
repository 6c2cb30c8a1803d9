/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_duality_gap.c - the gap of all rows, and as some of them tell it. */
#include "objective/duality_gap.h"

#include "support/mpi_check.h"
#include "support/small_dataset.h"

#include <math.h>

#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };
static const sdca_target     sharp = { .gap = 0.0 };

/* A state on the way: each alpha is somewhere in its interval. */
static sdca_iterate some_state(const sdca_objective *objective, const sdca_dataset *data)
{
    sdca_iterate iterate;

    ck_assert_all(sdca_iterate_create(*world, objective, data, &iterate) == SDCA_OK);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double y = data->x.row[i].y;
        double part =
            (double)(sdca_dataset_global_row(data, i) % 7) / 9.0; /* of the way to best */

        iterate.row[i].alpha =
            part * objective->loss->maximizer(objective->parameter, 0.0, 0.0, 0.5, y);
    }
    sdca_iterate_recompute_w(*world, objective, data, 1, &iterate);
    return iterate;
}

static sdca_duality_gap_estimate guess_of(const sdca_objective *objective,
                                          const sdca_dataset   *data,
                                          const sdca_iterate *iterate, double share,
                                          uint64_t seed)
{
    uint64_t                  rank = (uint64_t)sdca_comm_rank(*world);
    sdca_duality_gap_estimate out;

    sdca_duality_gap_sample(*world, objective, data, iterate, 1, share,
                            sdca_random_stream(seed, SDCA_STREAM_TEST, 0, rank), &out);
    return out;
}

/* Its mean over many draws is the gap, and its spread is what it says of itself. */
START_TEST(guesses_are_right_on_the_average)
{
    enum { DRAWS = 400 };
    sdca_dataset *data =
        small_dataset_create(4000, 20, sdca_losses[_i].classification, false);
    sdca_objective   objective = small_dataset_objective(_i, 1e-3, data);
    sdca_iterate     iterate   = some_state(&objective, data);
    double           gaps = 0.0, squares = 0.0, losses = 0.0, errors = 0.0, spread;
    sdca_certificate all;

    ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                           sdca_iterate_point(&iterate), NULL,
                                           &all) == SDCA_OK);
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        sdca_duality_gap_estimate guess = guess_of(&objective, data, &iterate, 0.1, seed);

        gaps += guess.gap / DRAWS;
        squares += guess.gap * guess.gap / DRAWS;
        errors += guess.standard_error / DRAWS;
        losses += guess.primal / DRAWS;
    }
    spread = sqrt(fmax(0.0, squares - gaps * gaps));
    ck_assert_double_gt(spread, 0.0);
    ck_assert_double_eq_tol(gaps, all.gap, 5.0 * spread / sqrt(DRAWS) + 0.01 * all.gap);
    ck_assert_double_eq_tol(losses, all.primal, 0.03 * all.primal);
    ck_assert_double_eq_tol(errors, spread, 0.3 * spread);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

START_TEST(all_ranks_guess_the_same)
{
    sdca_dataset  *data      = small_dataset_create(1000, 20, true, false);
    sdca_objective objective = small_dataset_objective(SDCA_LOSS_logistic, 1e-3, data);
    sdca_iterate   iterate   = some_state(&objective, data);
    sdca_duality_gap_estimate guess = guess_of(&objective, data, &iterate, 0.1, 1);
    double mine[6]                  = { guess.gap,     -guess.gap,           guess.primal,
                                        -guess.primal, guess.standard_error, -guess.standard_error };
    double least[6];

    MPI_Allreduce(mine, least, 6, MPI_DOUBLE, MPI_MIN, *world);
    for (int k = 0; k < 6; k += 2) {
        ck_assert_double_eq(least[k], -least[k + 1]);
    }
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Fewer rows than ranks, or than neighbours are looked at. */
START_TEST(few_rows_are_enough)
{
    static const int64_t rows[] = { 1, 2, 3, 17 };
    sdca_dataset        *data   = small_dataset_create(rows[_i], 5, true, false);
    sdca_objective objective    = small_dataset_objective(SDCA_LOSS_logistic, 1e-2, data);
    sdca_iterate   iterate      = some_state(&objective, data);
    sdca_duality_gap_estimate guess = guess_of(&objective, data, &iterate, 0.25, 1);
    sdca_certificate          all;

    ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                           sdca_iterate_point(&iterate), NULL,
                                           &all) == SDCA_OK);
    ck_assert(isfinite(guess.primal) && isfinite(guess.standard_error));
    if (rows[_i] < 17) { /* then all are looked at */
        ck_assert_double_eq_tol(guess.gap, all.gap, 1e-12 * all.primal);
        ck_assert_double_eq_tol(guess.primal, all.primal, 1e-12 * all.primal);
    }
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Rows without a part in w, and so long that P has no digits left for it, change nothing
 * about D. */
START_TEST(a_large_primal_hides_no_dual)
{
    sdca_dataset    *data      = small_dataset_create(300, 40, true, _i == 1);
    sdca_objective   objective = small_dataset_objective(SDCA_LOSS_hinge, 1e-2, data);
    sdca_iterate     iterate   = some_state(&objective, data);
    double           sums[2]   = { 0.0, 0.0 };
    double           dual      = 0.0;
    sdca_certificate now;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sums[0] += objective.loss->conjugate(objective.parameter, iterate.row[i].alpha,
                                             data->x.row[i].y);
        if (iterate.row[i].alpha == 0.0) {
            sdca_rows_scale(&data->x, i, 1e19);
            sums[1] += 1.0;
        }
    }
    sdca_comm_allreduce_sum(*world, sums, 2);
    for (int32_t j = 0; j < data->columns; j++) {
        dual -= objective.lambda / 2.0 * iterate.w[j] * iterate.w[j];
    }
    dual -= sums[0] / (double)objective.rows;
    ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                           sdca_iterate_point(&iterate), NULL,
                                           &now) == SDCA_OK);
    ck_assert_double_gt(sums[1], 0.0);
    ck_assert_double_gt(now.primal, 1e15);
    ck_assert_double_eq_tol(now.dual, dual, 1e-12);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* With margins of hundreds, terms are made of numbers that have few digits or none. */
START_TEST(numbers_without_digits_are_no_defect)
{
    sdca_dataset    *data      = small_dataset_create(2000, 20, true, false);
    sdca_objective   objective = small_dataset_objective(SDCA_LOSS_logistic, 1e-3, data);
    sdca_iterate     iterate   = some_state(&objective, data);
    sdca_certificate all;

    for (int32_t j = 0; j < data->columns; j++) {
        iterate.w[j] = j % 2 == 0 ? 1000.0 : -1000.0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        double y     = data->x.row[i].y;
        double z     = sdca_rows_dot(&data->x, i, iterate.w);
        double small = exp(-fabs(z));

        iterate.row[i].alpha = y * (y * z > 0.0 ? small : 1.0) / (1.0 + small);
    }
    ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                           sdca_iterate_point(&iterate), NULL,
                                           &all) == SDCA_OK);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* Columns of very different sizes, and labels far from 0 where these are numbers. */
static sdca_dataset *extreme_data(bool classifies, bool wide)
{
    sdca_dataset *data = small_dataset_create(200, 20, classifies, wide);

    for (uint32_t i = 0; i < data->x.count; i++) {
        for (int64_t k = data->x.row[i].start; k < data->x.row[i + 1].start; k++) {
            int64_t j = sdca_rows_column(&data->x, k);

            sdca_rows_set_entry(&data->x, k, (int32_t)j,
                                sdca_rows_value(&data->x, k) *
                                    pow(10.0, (double)(j % 9) - 4.0));
        }
        data->x.row[i].norm2 = sdca_rows_norm2(&data->x, i);
        data->x.row[i].y += classifies ? 0.0 : 1e6;
    }
    return data;
}

/* P(w) - D(alpha) of a state whose w is any, in the widest type that C has. Collective.
 */
static long double wide_gap(const sdca_objective *objective, const sdca_dataset *data,
                            const sdca_iterate *iterate)
{
    double      p     = objective->parameter;
    long double v[64] = { 0.0L }, norm2 = 0.0L, v2 = 0.0L, sum[1] = { 0.0L };

    for (uint32_t i = 0; i < data->x.count; i++) {
        long double z = 0.0L, y = data->x.row[i].y, a = iterate->row[i].alpha, r, loss,
                    conjugate;

        for (int64_t k = data->x.row[i].start; k < data->x.row[i + 1].start; k++) {
            int64_t     j = sdca_rows_column(&data->x, k);
            long double x = sdca_rows_value(&data->x, k);

            z += x * iterate->w[j];
            v[j] += a * x;
        }
        r = objective->loss->classification ? 1.0L - y * z : fabsl(z - y);
        switch (objective->loss->kind) {
        case SDCA_LOSS_smooth_hinge:
            loss      = r <= 0.0L ? 0.0L : r <= p ? r * r / (2.0L * p) : r - p / 2.0L;
            conjugate = -y * a + p * a * a / 2.0L;
            break;
        case SDCA_LOSS_squared_hinge:
        case SDCA_LOSS_squared:
            loss      = r > 0.0L ? r * r : 0.0L;
            conjugate = -y * a + a * a / 4.0L;
            break;
        case SDCA_LOSS_logistic:
            loss = y * z > 0.0L ? log1pl(expl(-y * z)) : -y * z + log1pl(expl(y * z));
            conjugate = (y * a > 0.0L ? y * a * logl(y * a) : 0.0L) +
                        (y * a < 1.0L ? (1.0L - y * a) * log1pl(-y * a) : 0.0L);
            break;
        case SDCA_LOSS_epsilon_insensitive:
            loss      = r > p ? r - p : 0.0L;
            conjugate = -y * a + p * fabsl(a);
            break;
        case SDCA_LOSS_huber:
            loss      = r <= p ? r * r / 2.0L : p * (r - p / 2.0L);
            conjugate = -y * a + a * a / 2.0L;
            break;
        case SDCA_LOSS_hinge:
        case SDCA_LOSS_absolute:
            loss      = r > 0.0L ? r : 0.0L;
            conjugate = -y * a;
            break;
        case SDCA_LOSS_COUNT:
        default: /* a new loss needs its formulas here */
            ck_abort_msg("no formula for %s", objective->loss->name);
            loss = conjugate = 0.0L;
        }
        sum[0] += loss + conjugate;
    }
    MPI_Allreduce(MPI_IN_PLACE, v, data->columns, MPI_LONG_DOUBLE, MPI_SUM, *world);
    MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_LONG_DOUBLE, MPI_SUM, *world);
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += (long double)iterate->w[j] * iterate->w[j];
        v2 += v[j] * v[j];
    }
    return sum[0] / objective->rows + objective->lambda / 2.0L * norm2 +
           v2 / (2.0L * objective->lambda * objective->rows * objective->rows);
}

/* The gap that is certified is at least the true one, and includes little besides. */
START_TEST(rounding_is_bounded)
{
    const sdca_loss *loss = &sdca_losses[_i % SDCA_LOSS_COUNT];
    sdca_dataset    *data = extreme_data(loss->classification, _i >= SDCA_LOSS_COUNT);
    sdca_objective   objective = small_dataset_objective((int)loss->kind, 1e-2, data);
    sdca_iterate     iterate   = some_state(&objective, data);
    double           dual_w[64];
    sdca_certificate plain, all, pair;

    for (int round = 0; round < 3; round++) {
        ck_assert_all(sdca_duality_gap_measure(*world, &objective, data,
                                               sdca_iterate_point(&iterate), NULL,
                                               &plain) == SDCA_OK);
        ck_assert_all(sdca_duality_gap_certify(*world, &objective, data,
                                               sdca_iterate_point(&iterate), &sharp, NULL,
                                               &all) == SDCA_OK);
        ck_assert_all(sdca_duality_gap_certify_pair(*world, &objective, data,
                                                    sdca_iterate_point(&iterate), &sharp,
                                                    dual_w, &pair) == SDCA_OK);
        ck_assert(all.gap >= wide_gap(&objective, data, &iterate));
        ck_assert(pair.gap >= wide_gap(&objective, data, &iterate));
        ck_assert_double_eq(plain.rounding, 0.0);
        ck_assert_double_gt(all.rounding, 0.0);
        ck_assert_double_le(all.gap, plain.gap + 1e-9 * plain.primal);
        ck_assert_double_le(pair.gap, plain.gap + 1e-9 * plain.primal);

        /* So near the optimum that rounding is all there is: each alpha suits w. */
        for (uint32_t i = 0; i < data->x.count; i++) {
            iterate.row[i].alpha = loss->maximizer(
                objective.parameter, iterate.row[i].alpha,
                sdca_rows_dot(&data->x, i, iterate.w), 0.0, data->x.row[i].y);
        }
        ck_assert_all(sdca_duality_gap_certify_pair(*world, &objective, data,
                                                    sdca_iterate_point(&iterate), &sharp,
                                                    dual_w, &pair) == SDCA_OK);
        ck_assert(pair.gap >= wide_gap(&objective, data, &iterate));
        sdca_iterate_recompute_w(*world, &objective, data, 1, &iterate);
    }
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* With w = w(alpha), w* is within sqrt(gap/lambda) of w; with any w, within sqrt(2) times
 * that. */
START_TEST(the_distance_is_that_of_a_ball)
{
    sdca_dataset  *data = small_dataset_create(300, 20, true, false);
    sdca_objective objective =
        small_dataset_objective(SDCA_LOSS_smooth_hinge, 1e-2, data);
    sdca_iterate     iterate = some_state(&objective, data);
    double           dual_w[64], radius;
    sdca_certificate all;

    ck_assert_all(sdca_duality_gap_certify(*world, &objective, data,
                                           sdca_iterate_point(&iterate), &sharp, NULL,
                                           &all) == SDCA_OK);
    radius = sqrt(all.gap / objective.lambda);
    ck_assert_double_eq_tol(all.distance, radius, 1e-9 * radius);
    for (int32_t j = 0; j < data->columns; j++) {
        iterate.w[j] = 0.0;
    }
    ck_assert_all(sdca_duality_gap_certify_pair(*world, &objective, data,
                                                sdca_iterate_point(&iterate), &sharp,
                                                dual_w, &all) == SDCA_OK);
    radius = sqrt(all.gap / objective.lambda);
    ck_assert_double_gt(all.distance, 1.01 * radius);
    ck_assert_double_le(all.distance, sqrt(2.0) * radius);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

/* What is not a number is an error, and neither large nor reached. */
START_TEST(what_is_not_a_number_is_a_defect)
{
    sdca_dataset    *data      = small_dataset_create(30, 5, false, false);
    sdca_objective   objective = small_dataset_objective(SDCA_LOSS_squared, 1e-2, data);
    sdca_iterate     iterate   = some_state(&objective, data);
    double           dual_w[64];
    sdca_certificate all;

    for (int32_t j = 0; j < data->columns; j++) {
        iterate.w[j] = j == 0 ? 1e200 : 0.0;
    }
    ck_assert_all(sdca_duality_gap_certify_primal(*world, &objective, data,
                                                  sdca_iterate_point(&iterate), &sharp,
                                                  dual_w, &all) == SDCA_DEFECT);
    sdca_iterate_free(&iterate);
    sdca_dataset_free(data);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, guesses_are_right_on_the_average, 0, SDCA_LOSS_COUNT);
    tcase_add_test(tests, all_ranks_guess_the_same);
    tcase_add_loop_test(tests, few_rows_are_enough, 0, 4);
    tcase_add_loop_test(tests, a_large_primal_hides_no_dual, 0, 2);
    tcase_add_test(tests, numbers_without_digits_are_no_defect);
    tcase_add_loop_test(tests, rounding_is_bounded, 0, 2 * SDCA_LOSS_COUNT);
    tcase_add_test(tests, the_distance_is_that_of_a_ball);
    tcase_add_test(tests, what_is_not_a_number_is_a_defect);
}
