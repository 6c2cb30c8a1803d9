/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_range.c - every row has one owner, and the work is balanced. */
#include "base/range.h"

#include "support/check_main.h"

#include "base/random.h"

#include <stdlib.h>

enum { MOST_ROWS = 200, MOST_RANKS = 17, CASES = 300 };

START_TEST(even_parts_cover_all_and_differ_by_one)
{
    static const int64_t totals[] = { 0, 1, 2, 3, 16, 17, 18, 1000, (int64_t)1 << 40 };

    for (size_t t = 0; t < sizeof totals / sizeof *totals; t++) {
        for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
            int64_t next = 0;

            for (int rank = 0; rank < ranks; rank++) {
                sdca_range mine = sdca_range_split_even(totals[t], rank, ranks);

                ck_assert_int_eq(mine.first, next);
                ck_assert_int_ge(mine.count, totals[t] / ranks);
                ck_assert_int_le(mine.count, (totals[t] + ranks - 1) / ranks);
                next += mine.count;
            }
            ck_assert_int_eq(next, totals[t]);
        }
    }
}
END_TEST

/* Row offsets of a data set, and the number of ranks. */
typedef struct setting {
    int64_t rows;
    int     ranks;
    int64_t offset[MOST_ROWS + 1];
    int64_t largest; /* non-zeros of the longest row */
} setting;

/* Random numbers of rows and ranks, often more ranks than rows; rows are empty, short,
 * and in every third case one is huge. */
static setting nth_setting(int n)
{
    sdca_random stream = sdca_random_stream(1, SDCA_STREAM_TEST, (uint64_t)n, 0);
    setting     s      = { 0 };
    uint32_t    kind   = sdca_random_below(&stream, 4);
    int64_t     huge   = -1;

    s.rows  = sdca_random_below(&stream, n % 2 == 0 ? MOST_ROWS + 1 : 6);
    s.ranks = 1 + (int)sdca_random_below(&stream, MOST_RANKS);
    if (n % 3 == 0 && s.rows > 0) {
        huge = sdca_random_below(&stream, (uint32_t)s.rows);
    }
    for (int64_t i = 0; i < s.rows; i++) {
        int64_t length = kind == 0   ? 0
                         : kind == 1 ? 5
                         : kind == 2 ? sdca_random_below(&stream, 20)
                                     : sdca_random_below(&stream, 2) * 10;

        length          = i == huge ? 10000 : length;
        s.offset[i + 1] = s.offset[i] + length;
        s.largest       = length > s.largest ? length : s.largest;
    }
    return s;
}

/* The partition computed from this many slices of the file, combined by minimum. */
static void combined_cut(const setting *s, int slices, int64_t *cut)
{
    for (int k = 0; k <= s->ranks; k++) {
        cut[k] = INT64_MAX;
    }
    for (int part = 0; part < slices; part++) {
        sdca_range slice = sdca_range_split_even(s->rows, part, slices);
        int64_t    seen[MOST_RANKS + 1];

        sdca_range_split_by_nonzeros(slice, s->offset + slice.first, s->rows,
                                     s->offset[s->rows], s->ranks, seen);
        for (int k = 0; k <= s->ranks; k++) {
            cut[k] = seen[k] < cut[k] ? seen[k] : cut[k];
        }
    }
}

START_TEST(cuts_ascend_and_cover_all_rows)
{
    setting s = nth_setting(_i);
    int64_t cut[MOST_RANKS + 1];

    combined_cut(&s, 1, cut);
    ck_assert_int_eq(cut[0], 0);
    ck_assert_int_eq(cut[s.ranks], s.rows);
    for (int k = 0; k < s.ranks; k++) {
        ck_assert_int_le(cut[k], cut[k + 1]);
    }
}
END_TEST

START_TEST(imbalance_is_at_most_the_largest_row)
{
    setting s    = nth_setting(_i);
    double  fair = (double)(s.offset[s.rows] + s.rows) / s.ranks;
    int64_t cut[MOST_RANKS + 1];

    combined_cut(&s, 1, cut);
    for (int k = 0; k < s.ranks; k++) {
        int64_t work = s.offset[cut[k + 1]] - s.offset[cut[k]] + cut[k + 1] - cut[k];

        ck_assert_double_le((double)work, fair + (double)s.largest + 2.0);
        ck_assert_double_ge((double)work, fair - (double)s.largest - 2.0);
    }
}
END_TEST

START_TEST(partition_is_independent_of_slices)
{
    setting s = nth_setting(_i);
    int64_t whole[MOST_RANKS + 1], pieces[MOST_RANKS + 1];

    combined_cut(&s, 1, whole);
    for (int slices = 1; slices <= MOST_RANKS; slices++) {
        combined_cut(&s, slices, pieces);
        for (int k = 0; k <= s.ranks; k++) {
            ck_assert_int_eq(pieces[k], whole[k]);
        }
    }
}
END_TEST

START_TEST(empty_rows_are_distributed)
{
    int64_t offset[13] = { 0 };
    int64_t cut[5];

    sdca_range_split_by_nonzeros((sdca_range){ 0, 12 }, offset, 12, 0, 4, cut);
    for (int k = 0; k <= 4; k++) {
        ck_assert_int_eq(cut[k], 3 * k);
    }
}
END_TEST

START_TEST(a_huge_row_may_leave_a_rank_idle)
{
    /* Work 1 + 1 + 1001, nothing, 1 + 1 + 1: rows are not split. */
    int64_t offset[7] = { 0, 0, 0, 1000, 1000, 1000, 1000 };
    int64_t cut[4];

    sdca_range_split_by_nonzeros((sdca_range){ 0, 6 }, offset, 6, 1000, 3, cut);
    ck_assert_int_eq(cut[1], 3);
    ck_assert_int_eq(cut[2], 3);
    ck_assert_int_eq(cut[3], 6);
}
END_TEST

START_TEST(sizes_beyond_32_bits)
{
    /* A slice of two rows far into a file of 2^33 rows with 2^40 non-zeros:
     * work 129 a row, the cut between two ranks in the middle. */
    int64_t rows      = (int64_t)1 << 33;
    int64_t middle    = rows / 2;
    int64_t offset[3] = { 128 * (middle - 1), 128 * middle, 128 * (middle + 1) };
    int64_t cut[3];

    sdca_range_split_by_nonzeros((sdca_range){ middle - 1, 2 }, offset, rows, 128 * rows,
                                 2, cut);
    ck_assert_int_eq(cut[1], middle);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, even_parts_cover_all_and_differ_by_one);
    tcase_add_loop_test(tests, cuts_ascend_and_cover_all_rows, 0, CASES);
    tcase_add_loop_test(tests, imbalance_is_at_most_the_largest_row, 0, CASES);
    tcase_add_loop_test(tests, partition_is_independent_of_slices, 0, CASES);
    tcase_add_test(tests, empty_rows_are_distributed);
    tcase_add_test(tests, a_huge_row_may_leave_a_rank_idle);
    tcase_add_test(tests, sizes_beyond_32_bits);
}
