/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_row_lanes.c - in every lane, the bits of the loops for one weight vector. */
#include "data/lane_row_kernels.h"

#include <stdbool.h>
#include <string.h>

#include "base/random.h"
#include "support/check_main.h"

enum { MOST_ENTRIES = 40, COLUMNS = 60, MOST_SLIM = 1 << 16 };

/* The second of three rows, so that it does not start at entry 0. */
enum { ROWS = 3, ROW = 1 };

static const struct {
    bool    dense, wide;
    int32_t columns; /* of sparse rows, the first COLUMNS being used */
} formats[] = {
    { false, false, COLUMNS },       /* sparse16 */
    { false, false, MOST_SLIM + 1 }, /* sparse32 */
    { false, true, COLUMNS },        /* sparse64 */
    { true, false, 0 },              /* dense32 */
    { true, true, 0 },               /* dense64 */
};

static sdca_random              stream;
static sdca_rows                x;
static int                      lanes;
static double                   w[COLUMNS * SDCA_MAX_LANES]; /* side by side */
static double                   alone[SDCA_MAX_LANES][COLUMNS];
static double                   factor[SDCA_MAX_LANES];
static int64_t                  first, width;
static const sdca_lane_kernels *kernels;

/* A number whose products and sums are rounded, of a random magnitude. */
static double any_number(void)
{
    double magnitude = sdca_random_below(&stream, 3) == 0 ? 1e6 : 1.0;

    return magnitude * (sdca_random_uniform(&stream) - 0.5);
}

/* Rows with this many entries, in random columns. */
static void make_rows(int format, int32_t entries)
{
    sdca_status status =
        formats[format].dense
            ? sdca_rows_create_dense(ROWS, entries, formats[format].wide, &x)
            : sdca_rows_create(ROWS, formats[format].columns, ROWS * (int64_t)entries,
                               formats[format].wide, &x);

    ck_assert_int_eq(status, SDCA_OK);
    for (int32_t i = 0; i < ROWS; i++) {
        int64_t k = x.row[i].start;

        for (int32_t left = entries, j = 0; left > 0; j++) {
            if (formats[format].dense ||
                (int32_t)sdca_random_below(&stream, (uint32_t)(COLUMNS - j)) < left) {
                sdca_rows_set_entry(&x, k++, j, any_number());
                left--;
            }
        }
        x.row[i + 1].start = k;
    }
    first   = x.row[ROW].start;
    width   = x.row[ROW + 1].start - first;
    kernels = sdca_lane_kernels_find(&x, lanes);
}

static void make_weights(void)
{
    for (int m = 0; m < lanes; m++) {
        factor[m] = any_number();
        for (int j = 0; j < COLUMNS; j++) {
            w[j * lanes + m] = alone[m][j] = any_number();
        }
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_dots(void)
{
    double z[SDCA_MAX_LANES];

    kernels->dot(&x, first, width, w, z);
    for (int m = 0; m < lanes; m++) {
        double expected = sdca_rows_dot(&x, ROW, alone[m]);

        ck_assert(same_bits(z[m], expected));
    }
}

static void check_weights(void)
{
    for (int m = 0; m < lanes; m++) {
        for (int j = 0; j < COLUMNS; j++) {
            ck_assert(same_bits(w[j * lanes + m], alone[m][j]));
        }
    }
}

static void check_updates(void)
{
    kernels->axpy(&x, first, width, factor, w);
    for (int m = 0; m < lanes; m++) {
        sdca_rows_axpy(&x, ROW, factor[m], alone[m]);
    }
    check_weights();
}

/* Every format with both numbers of lanes, and all remainders of unrolled loops. */
START_TEST(lanes_have_the_bits_of_one_vector)
{
    int format = _i / 2;

    lanes  = _i % 2 == 0 ? 4 : 8;
    stream = sdca_random_stream(1, SDCA_STREAM_TEST, (uint64_t)_i, 0);
    for (int32_t entries = 0; entries <= MOST_ENTRIES; entries++) {
        make_rows(format, entries);
        make_weights();
        ck_assert_int_eq(width, entries);
        check_dots();
        check_updates();
        sdca_rows_free(&x);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_loop_test(tests, lanes_have_the_bits_of_one_vector, 0, 2 * LENGTH(formats));
}
