/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_column_map.c - compacted columns are equivalent to the original ones. */
#include "data/used_columns.h"

#include "support/mpi_check.h"

#include <stdlib.h>

#include "mpi/comm.h"

static const MPI_Comm *const world = &(const MPI_Comm){ MPI_COMM_WORLD };

enum { ROWS = 40, WIDTH = 6, LARGEST = 2147483646 };

/* The k-th used column, ascending with k. */
typedef int32_t rule(int32_t k);

static int32_t each(int32_t k)
{
    return k;
}

static int32_t sevenths(int32_t k)
{
    return 7 * k + 3;
}

/* Around and beyond the size where columns are merged in pieces. */
static int32_t far_apart(int32_t k)
{
    return k < 4 ? (1 << 20) - 2 + k : k < 10 ? 300000000 * (k - 3) : LARGEST - 1;
}

static int32_t last(int32_t k)
{
    (void)k;
    return 999;
}

static const struct {
    rule   *rule;
    int32_t count;
    int32_t total;
    bool    few; /* fewer than half */
} cases[] = {
    { each, 100, 100, false },    { each, 50, 100, false },
    { each, 49, 100, true },      { each, 50, 101, true },
    { each, 0, 0, false },        { each, 1, 1, false },
    { each, 0, 1, true },         { each, 0, LARGEST, true },
    { sevenths, 100, 800, true }, { sevenths, 100, 200000000, true },
    { last, 1, 1000, true },      { far_apart, 11, LARGEST, true },
};

enum { CASES = sizeof cases / sizeof cases[0] };

/* The ranks together use all columns in turn; rank 1 has no rows. */
static sdca_rows make_rows(rule *at, int32_t count, int32_t total, bool wide)
{
    int       rank = sdca_comm_rank(*world), ranks = sdca_comm_size(*world);
    int       busy = ranks > 1 ? ranks - 1 : 1, me = rank > 1 ? rank - 1 : 0;
    uint32_t  rows = rank == 1 ? 0 : ROWS;
    sdca_rows x    = { 0 };
    int64_t   k    = 0;

    if (sdca_rows_create(rows, total, (int64_t)rows * WIDTH, wide, &x) != SDCA_OK) {
        abort();
    }
    for (uint32_t i = 0; i < rows; i++) {
        int32_t turn  = (int32_t)(ROWS - 1 - i) * busy + me; /* in descending order */
        int32_t first = count > WIDTH ? turn * WIDTH % count : 0;

        first = first > count - WIDTH && count > WIDTH ? count - WIDTH : first;
        for (int32_t j = first; j < count && j < first + WIDTH; j++) {
            sdca_rows_set_entry(&x, k++, at(j), 0.25 * (double)(j - first + 1));
        }
        x.row[i + 1].start = k;
    }
    return x;
}

START_TEST(used_columns_of_all_ranks_are_found)
{
    sdca_rows x = make_rows(cases[_i / 2].rule, cases[_i / 2].count, cases[_i / 2].total,
                            _i % 2 == 1);
    sdca_used_columns *used = NULL;
    bool               same = true;

    ck_assert_all(sdca_used_columns_create(*world, &x, &used) == SDCA_OK);
    ck_assert_all((used != NULL) == cases[_i / 2].few);
    if (used != NULL) {
        ck_assert_all(sdca_used_columns_count(used) == cases[_i / 2].count);
        ck_assert_all(sdca_used_columns_total(used) == cases[_i / 2].total);
        for (int32_t k = 0; k < cases[_i / 2].count; k++) {
            same = same && sdca_used_columns_original(used, k) == cases[_i / 2].rule(k);
        }
        ck_assert_all(same);
        ck_assert_all(sdca_used_columns_apply(used, &x) == SDCA_OK);
        ck_assert_all(x.columns == cases[_i / 2].count);
        for (int64_t k = 0; k < x.row[x.count].start; k++) {
            int32_t place = (int32_t)sdca_rows_column(&x, k);

            same = same && place >= 0 && place < x.columns;
        }
        ck_assert_all(same);
    }
    sdca_used_columns_free(used);
    sdca_rows_free(&x);
}
END_TEST

/* x.w of the original rows, with a weight per column, equals that of the compacted rows,
 * with a weight per used column, bit for bit. */
START_TEST(scores_are_unchanged)
{
    enum { TOTAL = 1000, COUNT = 120 };
    sdca_rows          before = make_rows(sevenths, COUNT, TOTAL, _i == 1);
    sdca_rows          x      = make_rows(sevenths, COUNT, TOTAL, _i == 1);
    sdca_used_columns *used   = NULL;
    double             spread[TOTAL], w[COUNT];
    bool               same = true;

    ck_assert_all(sdca_used_columns_create(*world, &x, &used) == SDCA_OK && used != NULL);
    ck_assert_all(sdca_used_columns_apply(used, &x) == SDCA_OK);
    for (int32_t j = 0; j < TOTAL; j++) {
        spread[j] = 1e300; /* unused */
    }
    for (int32_t k = 0; k < COUNT; k++) {
        w[k] = spread[sdca_used_columns_original(used, k)] = 1.0 / (double)(k + 3);
    }
    for (uint32_t i = 0; i < x.count; i++) {
        same = same && sdca_rows_dot(&x, i, w) == sdca_rows_dot(&before, i, spread);
    }
    ck_assert_all(same);
    sdca_used_columns_free(used);
    sdca_rows_free(&before);
    sdca_rows_free(&x);
}
END_TEST

/* Rows of another data set, sparse and dense in both precisions: columns unused by the
 * first are removed, all other values are kept. */
START_TEST(unused_columns_are_removed)
{
    enum { TOTAL = 20, COUNT = 3, NARROWER = 15 };
    sdca_rows          x    = make_rows(sevenths, COUNT, TOTAL, false); /* 3, 10, 17 */
    sdca_used_columns *used = NULL;
    sdca_rows          y;
    double             w[COUNT] = { 1.0, 10.0, 100.0 };

    ck_assert_all(sdca_used_columns_create(*world, &x, &used) == SDCA_OK && used != NULL);
    ck_assert_all((_i < 2 ? sdca_rows_create(2, TOTAL, 2 * NARROWER, _i == 1, &y)
                          : sdca_rows_create_dense(2, NARROWER, _i == 3, &y)) == SDCA_OK);
    for (int32_t k = 0; k < 2 * NARROWER; k++) {
        sdca_rows_set_entry(&y, k, k % NARROWER, (double)(k + 1));
    }
    y.row[1].start = NARROWER;
    y.row[2].start = (int64_t)2 * NARROWER;
    ck_assert_all(sdca_used_columns_apply(used, &y) == SDCA_OK);
    ck_assert_all(y.columns == COUNT && y.row[1].start == 2 && y.row[2].start == 4);
    ck_assert_all(sdca_rows_dot(&y, 0, w) == 4.0 + 110.0);
    ck_assert_all(sdca_rows_dot(&y, 1, w) == 19.0 + 260.0);
    sdca_used_columns_free(used);
    sdca_rows_free(&x);
    sdca_rows_free(&y);
}
END_TEST

START_TEST(dense_rows_are_unchanged)
{
    sdca_rows          x;
    sdca_used_columns *used = NULL;

    ck_assert_all(sdca_rows_create_dense(3, 10, _i == 1, &x) == SDCA_OK);
    ck_assert_all(sdca_used_columns_create(*world, &x, &used) == SDCA_OK && used == NULL);
    ck_assert_int_eq(sdca_used_columns_original(NULL, 7), 7);
    sdca_used_columns_free(NULL);
    sdca_rows_free(&x);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, used_columns_of_all_ranks_are_found, 0, 2 * CASES);
    tcase_add_loop_test(tests, scores_are_unchanged, 0, 2);
    tcase_add_loop_test(tests, unused_columns_are_removed, 0, 4);
    tcase_add_loop_test(tests, dense_rows_are_unchanged, 0, 2);
}
