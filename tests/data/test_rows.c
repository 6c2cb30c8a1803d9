/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rows.c - sparse and dense rows of all types against simple loops. */
#include "data/rows.h"

#include "support/check_main.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 60, MOST_SLIM = 1 << 16 };

/* The same matrix as a plain array and as rows of one kind. Row i has i entries, so every
 * remainder of an unrolled loop occurs; row 0 is empty. Values are multiples of 1/16,
 * exact in float32; their sums are exact. */
static double    dense[ROWS][COLUMNS];
static sdca_rows rows;
static double    w[COLUMNS];

/* Only the first COLUMNS columns are used. */
static void fill(int32_t columns, bool wide)
{
    sdca_random stream = sdca_random_stream(1, SDCA_STREAM_TEST, 0, 0);
    int64_t     k      = 0;

    memset(dense, 0, sizeof dense);
    ck_assert_int_eq(sdca_rows_create(ROWS, columns, ROWS * (ROWS - 1) / 2, wide, &rows),
                     SDCA_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        for (int32_t left = i, j = 0; left > 0; j++) { /* i of the columns */
            if ((int32_t)sdca_random_below(&stream, (uint32_t)(COLUMNS - j)) < left) {
                double value = ((double)sdca_random_below(&stream, 200) - 99.5) / 16.0;

                dense[i][j] = value;
                sdca_rows_set_entry(&rows, k++, j, value);
                left--;
            }
        }
        rows.row[i + 1].start = k;
    }
    for (int j = 0; j < COLUMNS; j++) {
        w[j] = ((double)sdca_random_below(&stream, 2000) - 1000.0) / 8.0;
    }
}

static void fill_slim(void)
{
    fill(COLUMNS, false);
    ck_assert_ptr_nonnull(rows.sparse16);
}

static void fill_narrow(void)
{
    fill(MOST_SLIM + 1, false);
    ck_assert_ptr_nonnull(rows.sparse32);
}

static void fill_wide(void)
{
    fill(COLUMNS, true);
    ck_assert_ptr_nonnull(rows.sparse64);
}

/* Enough columns to need entries of 8 bytes instead of 6. */
static void fill_very_wide(void)
{
    fill(MOST_SLIM + 1, true);
}

/* The same rows as dense ones. */
static void fill_dense_of(bool wide)
{
    fill(COLUMNS, wide);
    sdca_rows_free(&rows);
    ck_assert_int_eq(sdca_rows_create_dense(ROWS, COLUMNS, wide, &rows), SDCA_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        for (int32_t j = 0; j < COLUMNS; j++) {
            sdca_rows_set_entry(&rows, rows.row[i].start + j, j, dense[i][j]);
        }
    }
}

static void fill_dense(void)
{
    fill_dense_of(false);
}

static void fill_dense_wide(void)
{
    fill_dense_of(true);
}

static void release(void)
{
    sdca_rows_free(&rows);
}

static double plain_dot(const double *x, const double *y)
{
    double sum = 0.0;

    for (int j = 0; j < COLUMNS; j++) {
        sum += x[j] * y[j];
    }
    return sum;
}

START_TEST(dot_is_the_plain_sum)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_double_eq(sdca_rows_dot(&rows, i, w), plain_dot(dense[i], w));
    }
}
END_TEST

START_TEST(norm2_is_the_plain_sum)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_double_eq(sdca_rows_norm2(&rows, i), plain_dot(dense[i], dense[i]));
    }
}
END_TEST

START_TEST(add_changes_only_the_row_s_columns)
{
    double expected[COLUMNS];

    memcpy(expected, w, sizeof w);
    for (uint32_t i = 0; i < ROWS; i++) {
        sdca_rows_axpy(&rows, i, -0.25, w);
        for (int j = 0; j < COLUMNS; j++) {
            expected[j] -= 0.25 * dense[i][j];
            ck_assert_double_eq(w[j], expected[j]);
        }
    }
}
END_TEST

START_TEST(scale_changes_one_row_alone)
{
    double before[ROWS];

    for (uint32_t i = 0; i < ROWS; i++) {
        before[i] = sdca_rows_dot(&rows, i, w);
    }
    sdca_rows_scale(&rows, 7, 0.5);
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_double_eq(sdca_rows_dot(&rows, i, w),
                            i == 7 ? 0.5 * before[i] : before[i]);
    }
    sdca_rows_scale(&rows, 0, 0.5);
    ck_assert_double_eq(sdca_rows_norm2(&rows, 0), 0.0);
}
END_TEST

/* A hash depends on the row and on the positions of values. */
START_TEST(hash_depends_on_content)
{
    uint64_t before = sdca_rows_hash(&rows, 39);
    int64_t  first  = rows.row[39].start;
    double   value  = sdca_rows_value(&rows, first);

    for (uint32_t i = 0; i < ROWS; i++) {
        for (uint32_t j = 0; j < i; j++) {
            ck_assert_uint_ne(sdca_rows_hash(&rows, i), sdca_rows_hash(&rows, j));
        }
    }
    sdca_rows_set_entry(&rows, first, (int32_t)sdca_rows_column(&rows, first),
                        sdca_rows_value(&rows, first + 1));
    sdca_rows_set_entry(&rows, first + 1, (int32_t)sdca_rows_column(&rows, first + 1),
                        value);
    ck_assert_uint_ne(sdca_rows_hash(&rows, 39), before); /* two values have swapped */
}
END_TEST

START_TEST(dense_rows_have_the_hash_of_sparse_ones)
{
    uint64_t hash[ROWS];

    for (uint32_t i = 0; i < ROWS; i++) {
        hash[i] = sdca_rows_hash(&rows, i);
    }
    sdca_rows_free(&rows);
    fill_slim();
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_uint_eq(sdca_rows_hash(&rows, i), hash[i]);
    }
}
END_TEST

START_TEST(columns_beyond_limit_are_removed)
{
    sdca_rows_truncate(&rows, 30);
    ck_assert_int_eq(rows.columns, 30);
    memset(w + 30, 0, sizeof w - 30 * sizeof *w);
    for (uint32_t i = 0; i < ROWS; i++) {
        for (int64_t k = rows.row[i].start; k < rows.row[i + 1].start; k++) {
            ck_assert_int_lt(sdca_rows_column(&rows, k), 30);
        }
        ck_assert_double_eq(sdca_rows_dot(&rows, i, w), plain_dot(dense[i], w));
    }
    sdca_rows_truncate(&rows, 50); /* nothing to remove */
    ck_assert_int_eq(rows.columns, 50);
    ck_assert_double_eq(sdca_rows_dot(&rows, 20, w), plain_dot(dense[20], w));
}
END_TEST

START_TEST(scale_to_unit_norm)
{
    double accuracy = rows.sparse64 != NULL || rows.dense64 != NULL ? 1e-14 : 1e-6;

    for (uint32_t i = 1; i < ROWS; i++) {
        sdca_rows_scale(&rows, i, 1.0 / sqrt(sdca_rows_norm2(&rows, i)));
        ck_assert_double_eq_tol(sdca_rows_norm2(&rows, i), 1.0, accuracy);
    }
}
END_TEST

START_TEST(narrowing_keeps_exact_values)
{
    double   before[ROWS];
    uint64_t hash[ROWS];

    for (uint32_t i = 0; i < ROWS; i++) {
        before[i] = sdca_rows_dot(&rows, i, w);
        hash[i]   = sdca_rows_hash(&rows, i);
    }
    ck_assert_int_eq(sdca_rows_to_float32(&rows), SDCA_OK);
    ck_assert(rows.sparse64 == NULL && rows.dense64 == NULL);
    ck_assert(rows.dense32 != NULL ||
              (rows.columns > MOST_SLIM ? rows.sparse32 != NULL : rows.sparse16 != NULL));
    for (uint32_t i = 0; i < ROWS; i++) {
        ck_assert_double_eq(sdca_rows_dot(&rows, i, w), before[i]);
        ck_assert_uint_eq(sdca_rows_hash(&rows, i), hash[i]);
    }
    ck_assert_int_eq(sdca_rows_to_float32(&rows), SDCA_OK); /* already float32 */
}
END_TEST

/* The last column that fits a 6-byte entry, and the first that does not. */
START_TEST(largest_columns_are_kept)
{
    int32_t   columns = MOST_SLIM + _i;
    sdca_rows one     = { 0 };
    double   *x       = calloc((size_t)columns, sizeof *x);

    ck_assert_ptr_nonnull(x);
    ck_assert_int_eq(sdca_rows_create(1, columns, 2, false, &one), SDCA_OK);
    ck_assert((one.sparse16 != NULL) == (_i == 0));
    sdca_rows_set_entry(&one, 0, 0, 3.0);
    sdca_rows_set_entry(&one, 1, columns - 1, 5.0);
    one.row[1].start = 2;
    ck_assert_int_eq(sdca_rows_column(&one, 1), columns - 1);
    sdca_rows_axpy(&one, 0, 1.0, x);
    ck_assert_double_eq(x[0], 3.0);
    ck_assert_double_eq(x[columns - 1], 5.0);
    ck_assert_double_eq(sdca_rows_dot(&one, 0, x), 34.0);
    free(x);
    sdca_rows_free(&one);
}
END_TEST

/* The cache lines to prefetch with short_ones rows of 8 entries (64 bytes), then others
 rows of width entries.*/
static int lines_for(uint32_t short_ones, uint32_t others, int64_t width)
{
    sdca_rows some;
    int       lines;

    ck_assert_int_eq(sdca_rows_create(short_ones + others, MOST_SLIM + 1,
                                      8 * (int64_t)short_ones + width * (int64_t)others,
                                      false, &some),
                     SDCA_OK);
    for (uint32_t i = 0; i < some.count; i++) {
        some.row[i + 1].start = some.row[i].start + (i < short_ones ? 8 : width);
    }
    lines = sdca_rows_prefetch_lines(&some);
    sdca_rows_free(&some);
    return lines;
}

START_TEST(prefetched_lines_cover_nearly_all_rows)
{
    ck_assert_int_eq(lines_for(96, 0, 0),
                     2); /* one line, and the one where the next row begins */
    ck_assert_int_eq(lines_for(93, 3, 100), 2);
    ck_assert_int_eq(lines_for(92, 4, 96), 13);
    ck_assert_int_eq(lines_for(0, 96, 1000), 32); /* the upper limit */
    ck_assert_int_eq(lines_for(90000, 2500, 1000), 2);
    ck_assert_int_eq(lines_for(90000, 3500, 1000), 32);
    ck_assert_int_eq(lines_for(10, 90, 0), 2);
    ck_assert_int_eq(lines_for(0, 0, 0), 0);
}
END_TEST

START_TEST(empty_rows_add_nothing)
{
    sdca_rows fresh = { 0 };

    ck_assert_int_eq(sdca_rows_create(3, 5, 0, _i == 1, &fresh), SDCA_OK);
    for (uint32_t i = 0; i < 3; i++) {
        fresh.row[i + 1].start = fresh.row[i].start;
        ck_assert_double_eq(sdca_rows_dot(&fresh, i, w), 0.0);
        ck_assert_double_eq(sdca_rows_norm2(&fresh, i), 0.0);
    }
    ck_assert_int_eq(sdca_rows_to_float32(&fresh), SDCA_OK);
    sdca_rows_free(&fresh);
    sdca_rows_free(&fresh); /* freeing twice is fine */
    ck_assert_ptr_null(fresh.row);
}
END_TEST

START_TEST(no_rows_at_all)
{
    sdca_rows none = { 0 };

    ck_assert_int_eq(sdca_rows_create(0, 0, 0, true, &none), SDCA_OK);
    ck_assert_int_eq(sdca_rows_to_float32(&none), SDCA_OK);
    sdca_rows_free(&none);
}
END_TEST

/* Tests of all kinds of rows, created by fill_rows. */
static TCase *add_laws(Suite *suite, void (*fill_rows)(void))
{
    TCase *tests = add_case(suite, fill_rows, release);

    tcase_add_test(tests, dot_is_the_plain_sum);
    tcase_add_test(tests, norm2_is_the_plain_sum);
    tcase_add_test(tests, add_changes_only_the_row_s_columns);
    tcase_add_test(tests, scale_changes_one_row_alone);
    tcase_add_test(tests, scale_to_unit_norm);
    tcase_add_test(tests, hash_depends_on_content);
    tcase_add_test(tests, columns_beyond_limit_are_removed);
    tcase_add_test(tests, narrowing_keeps_exact_values);
    return tests;
}

void add_tests(Suite *suite)
{
    TCase *edges = add_case(suite, NULL, NULL);

    add_laws(suite, fill_slim);
    add_laws(suite, fill_narrow);
    add_laws(suite, fill_wide);
    add_laws(suite, fill_very_wide);
    tcase_add_test(add_laws(suite, fill_dense), dense_rows_have_the_hash_of_sparse_ones);
    tcase_add_test(add_laws(suite, fill_dense_wide),
                   dense_rows_have_the_hash_of_sparse_ones);
    tcase_add_loop_test(edges, largest_columns_are_kept, 0, 2);
    tcase_add_test(edges, prefetched_lines_cover_nearly_all_rows);
    tcase_add_loop_test(edges, empty_rows_add_nothing, 0, 2);
    tcase_add_test(edges, no_rows_at_all);
}
