/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_row_order.c - which of my rows comes next. */
#include "solver/sdca/row_order.h"

#include "support/check_main.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 97, EPOCHS = 5, STEPS = ROWS * EPOCHS };

/* The first STEPS rows, taken in pieces of at most most. */
static void take(sdca_row_order_kind kind, uint64_t seed, int rank, int64_t most,
                 uint32_t *out)
{
    sdca_row_order order;
    int64_t        taken = 0;

    ck_assert_int_eq(sdca_row_order_create(kind, seed, rank, ROWS, &order), SDCA_OK);
    while (taken < STEPS) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_row_order_next(
              &order, NULL, most < STEPS - taken ? most : STEPS - taken, &count);

        ck_assert_uint_ge(count, 1);
        ck_assert_int_le(count, most);
        memcpy(out + taken, row, count * sizeof *row);
        taken += count;
    }
    sdca_row_order_free(&order);
}

static bool is_permutation(const uint32_t *row)
{
    bool seen[ROWS] = { false };

    for (int k = 0; k < ROWS; k++) {
        if (row[k] >= ROWS || seen[row[k]]) {
            return false;
        }
        seen[row[k]] = true;
    }
    return true;
}

START_TEST(each_epoch_is_another_permutation)
{
    uint32_t row[STEPS];

    take(_i == 0 ? SDCA_ROW_ORDER_AUTO : SDCA_ROW_ORDER_PERMUTATION, 1, 0, STEPS, row);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        ck_assert(is_permutation(row + epoch * ROWS));
        for (int other = 0; other < epoch; other++) {
            ck_assert_mem_ne(row + epoch * ROWS, row + other * ROWS, ROWS * sizeof *row);
        }
    }
}
END_TEST

START_TEST(cyclic_repeats_one_permutation)
{
    uint32_t row[STEPS];

    take(SDCA_ROW_ORDER_CYCLIC, 1, 0, STEPS, row);
    ck_assert(is_permutation(row));
    for (int epoch = 1; epoch < EPOCHS; epoch++) {
        ck_assert_mem_eq(row, row + epoch * ROWS, ROWS * sizeof *row);
    }
}
END_TEST

/* Rows that lie elsewhere are visited as if they lay as in the file. */
START_TEST(cyclic_does_not_depend_on_the_places)
{
    uint32_t       row[STEPS];
    sdca_row_order order;
    uint32_t       count = 0;

    take(SDCA_ROW_ORDER_CYCLIC, 1, 0, STEPS, row);
    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_CYCLIC, 1, 0, ROWS, &order),
                     SDCA_OK);
    order.file_order = sdca_permutation_create(5, SDCA_STREAM_TEST, 0, 0, ROWS);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        const uint32_t *moved = sdca_row_order_next(&order, NULL, ROWS, &count);

        ck_assert_uint_eq(count, ROWS);
        for (int k = 0; k < ROWS; k++) {
            ck_assert_uint_eq(sdca_permutation_invert(&order.file_order, moved[k]),
                              row[k]);
        }
    }
    sdca_row_order_free(&order);
}
END_TEST

START_TEST(random_draws_with_replacement)
{
    uint32_t row[STEPS];
    int      met[ROWS] = { 0 }, never = 0;

    take(SDCA_ROW_ORDER_RANDOM, 1, 0, STEPS, row);
    ck_assert(!is_permutation(row));
    for (int k = 0; k < STEPS; k++) {
        ck_assert_uint_lt(row[k], ROWS);
        met[row[k]]++;
    }
    for (int k = 0; k < ROWS; k++) {
        never += met[k] == 0;
        ck_assert_int_lt(met[k], 6 * EPOCHS);
    }
    ck_assert_int_lt(never, ROWS / 10);
}
END_TEST

START_TEST(pieces_do_not_matter)
{
    const int64_t sizes[] = { 1, 2, 7, 50, 96, 97, 98, 200 };

    for (int kind = SDCA_ROW_ORDER_AUTO; kind <= SDCA_ROW_ORDER_CYCLIC; kind++) {
        uint32_t whole[STEPS], parts[STEPS];

        take((sdca_row_order_kind)kind, 3, 2, STEPS, whole);
        take((sdca_row_order_kind)kind, 3, 2, sizes[_i], parts);
        ck_assert_mem_eq(whole, parts, sizeof whole);
    }
}
END_TEST

START_TEST(seed_and_rank_make_a_difference)
{
    for (int kind = SDCA_ROW_ORDER_AUTO; kind <= SDCA_ROW_ORDER_CYCLIC; kind++) {
        uint32_t one[STEPS], other_seed[STEPS], other_rank[STEPS];

        take((sdca_row_order_kind)kind, 3, 0, STEPS, one);
        take((sdca_row_order_kind)kind, 4, 0, STEPS, other_seed);
        take((sdca_row_order_kind)kind, 3, 1, STEPS, other_rank);
        ck_assert_mem_ne(one, other_seed, sizeof one);
        ck_assert_mem_ne(one, other_rank, sizeof one);
        ck_assert_mem_ne(other_seed, other_rank, sizeof one);
    }
}
END_TEST

START_TEST(a_sweep_depends_on_its_number_alone)
{
    uint32_t       whole[STEPS], count = 0;
    sdca_row_order order;

    take(SDCA_ROW_ORDER_PERMUTATION, 9, 1, STEPS, whole);
    ck_assert_int_eq(
        sdca_row_order_create(SDCA_ROW_ORDER_PERMUTATION, 9, 1, ROWS, &order), SDCA_OK);
    order.sweep = 2;
    ck_assert_mem_eq(sdca_row_order_next(&order, NULL, ROWS, &count),
                     whole + (size_t)2 * ROWS, ROWS * sizeof *whole);
    sdca_row_order_free(&order);
}
END_TEST

START_TEST(the_automatic_order_visits_neighbours_together)
{
    uint32_t row[STEPS];
    int      jumps = 0, in_file_order = 0;

    take(SDCA_ROW_ORDER_AUTO, 1, 0, STEPS, row);
    for (int k = 1; k < ROWS; k++) {
        jumps +=
            row[k] / SDCA_SHRINKING_GROUP_SIZE != row[k - 1] / SDCA_SHRINKING_GROUP_SIZE;
        in_file_order += row[k] == row[k - 1] + 1;
    }
    ck_assert_int_eq(jumps, (ROWS - 1) / SDCA_SHRINKING_GROUP_SIZE);
    ck_assert_int_lt(in_file_order, ROWS / 3);
}
END_TEST

/* Sweep by sweep, any row of a group may be its first. */
START_TEST(no_neighbour_always_comes_first)
{
    uint32_t row[STEPS];
    int      first[SDCA_SHRINKING_GROUP_SIZE] = { 0 };

    take(SDCA_ROW_ORDER_AUTO, 1, 0, STEPS, row);
    for (int k = 0; k < STEPS; k++) {
        bool begins = k % ROWS == 0 || row[k] / SDCA_SHRINKING_GROUP_SIZE !=
                                           row[k - 1] / SDCA_SHRINKING_GROUP_SIZE;

        first[row[k] % SDCA_SHRINKING_GROUP_SIZE] += begins;
    }
    for (int k = 0; k < SDCA_SHRINKING_GROUP_SIZE; k++) {
        ck_assert_int_gt(first[k], 0);
    }
}
END_TEST

static bool is_due(const sdca_shrinking *shrinking, uint32_t i, int64_t sweep)
{
    uint64_t due =
        sdca_shrinking_active_mask(shrinking, i / SDCA_SHRINKING_GROUP_SIZE, sweep);

    return due >> (8 * (i % SDCA_SHRINKING_GROUP_SIZE) + 7) & 1;
}

START_TEST(rows_that_are_skipped_are_left_out)
{
    sdca_row_order order;
    sdca_shrinking shrinking;
    uint32_t       count = 0;

    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_AUTO, 1, 0, ROWS, &order),
                     SDCA_OK);
    ck_assert_int_eq(sdca_shrinking_create(ROWS, 1, 0.1, false, &shrinking), SDCA_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        shrinking.streak[i] = (uint8_t)(i % 3);
    }
    for (int sweep = 0; sweep < 4; sweep++) {
        const uint32_t *row       = sdca_row_order_next(&order, &shrinking, ROWS, &count);
        uint32_t        there     = 0;
        bool            met[ROWS] = { false };

        for (uint32_t k = 0; k < count; k++) {
            ck_assert(!met[row[k]] && is_due(&shrinking, row[k], order.sweep));
            met[row[k]] = true;
        }
        for (uint32_t i = 0; i < ROWS; i++) {
            there += is_due(&shrinking, i, order.sweep);
        }
        ck_assert_uint_eq(count, there);
        ck_assert_uint_lt(count, ROWS);
    }
    /* If all are skipped, the next group to be due comes. */
    for (uint32_t i = 0; i < ROWS; i++) {
        shrinking.streak[i] = SDCA_SHRINKING_MAX_STREAK;
    }
    ck_assert_ptr_nonnull(sdca_row_order_next(&order, &shrinking, ROWS, &count));
    ck_assert_uint_gt(count, 0);
    ck_assert_uint_le(count, SDCA_SHRINKING_GROUP_SIZE);
    sdca_shrinking_free(&shrinking);
    sdca_row_order_free(&order);
}
END_TEST

START_TEST(no_rows_no_steps)
{
    sdca_row_order order;
    uint32_t       count = 1;

    ck_assert_int_eq(sdca_row_order_create(SDCA_ROW_ORDER_PERMUTATION, 1, 0, 0, &order),
                     SDCA_OK);
    sdca_row_order_next(&order, NULL, 10, &count);
    ck_assert_uint_eq(count, 0);
    sdca_row_order_free(&order);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, each_epoch_is_another_permutation, 0, 2);
    tcase_add_test(tests, cyclic_repeats_one_permutation);
    tcase_add_test(tests, cyclic_does_not_depend_on_the_places);
    tcase_add_test(tests, random_draws_with_replacement);
    tcase_add_loop_test(tests, pieces_do_not_matter, 0, 8);
    tcase_add_test(tests, seed_and_rank_make_a_difference);
    tcase_add_test(tests, a_sweep_depends_on_its_number_alone);
    tcase_add_test(tests, the_automatic_order_visits_neighbours_together);
    tcase_add_test(tests, no_neighbour_always_comes_first);
    tcase_add_test(tests, rows_that_are_skipped_are_left_out);
    tcase_add_test(tests, no_rows_no_steps);
}
