/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_random.c - random numbers are reproducible and uniformly distributed.
 *
 * All streams here are fixed, so tests with a bound of five standard deviations are
 * deterministic. */
#include "base/random.h"

#include "support/check_main.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { DRAWS = 200000 };

START_TEST(the_generator_is_splitmix64)
{
    /* The published first numbers for the seeds 0 and 1234567. */
    static const uint64_t of_0[]       = { 0xe220a8397b1dcdafU, 0x6e789e6aa1b965f4U,
                                           0x06c45d188009454fU };
    static const uint64_t of_1234567[] = { 6457827717110365317U, 3203168211198807973U,
                                           9817491932198370423U };
    sdca_random           zero         = { 0, 0 };
    sdca_random           other        = { 1234567, 0 };

    for (int k = 0; k < 3; k++) {
        ck_assert_uint_eq(sdca_random_bits(&zero), of_0[k]);
        ck_assert_uint_eq(sdca_random_bits(&other), of_1234567[k]);
    }
}
END_TEST

START_TEST(streams_never_change)
{
    /* Computed by another program from the formulas in random.c: a seed must give the
     * same model in every version and on every machine. */
    static const struct {
        uint64_t         seed;
        sdca_stream_kind purpose;
        uint64_t         a, b, bits[3];
    } known[] = {
        { 0,
          SDCA_STREAM_ROW_ORDER,
          0,
          0,
          { 0xc760cb315e22a73bU, 0x5d41a409cdaa0339U, 0xd53442fe5edff58aU } },
        { 1,
          SDCA_STREAM_ROW_ORDER,
          2,
          3,
          { 0x547726966e8a710cU, 0x33262fc7f18938d7U, 0x4877df3d7bbdb3fdU } },
        { UINT64_MAX,
          SDCA_STREAM_SYNTHETIC,
          UINT64_MAX,
          UINT64_MAX,
          { 0x1d818704b706094cU, 0x0b318cbef137191cU, 0xb77cc375be454ccaU } },
        { 42,
          SDCA_STREAM_TEST,
          1,
          0,
          { 0x48d22c012611d730U, 0xdd18450e44420027U, 0x63308bd244db9a06U } },
    };

    for (size_t s = 0; s < sizeof known / sizeof *known; s++) {
        sdca_random stream =
            sdca_random_stream(known[s].seed, known[s].purpose, known[s].a, known[s].b);

        for (int k = 0; k < 3; k++) {
            ck_assert_uint_eq(sdca_random_bits(&stream), known[s].bits[k]);
        }
    }
}
END_TEST

START_TEST(stream_continues_from_its_counter)
{
    sdca_random whole = sdca_random_stream(5, SDCA_STREAM_TEST, 0, 0);
    sdca_random later = whole;

    for (int k = 0; k < 10; k++) {
        sdca_random_bits(&whole);
    }
    later.counter = 10;
    ck_assert_uint_eq(sdca_random_bits(&whole), sdca_random_bits(&later));
}
END_TEST

START_TEST(streams_with_different_names_differ)
{
    enum { EACH = 6, NAMES = EACH * EACH * EACH * 3 };
    static uint64_t key[NAMES];
    int             names = 0, equal = 0;

    for (uint64_t seed = 0; seed < EACH; seed++) {
        for (int purpose = 0; purpose < 3; purpose++) {
            for (uint64_t a = 0; a < EACH; a++) {
                for (uint64_t b = 0; b < EACH; b++) {
                    key[names++] =
                        sdca_random_stream(seed, (sdca_stream_kind)purpose, a, b).key;
                }
            }
        }
    }
    for (int one = 0; one < names; one++) {
        for (int other = 0; other < one; other++) {
            equal += key[one] == key[other];
        }
    }
    ck_assert_int_eq(equal, 0);
}
END_TEST

static int ones(uint64_t x)
{
    int count = 0;

    for (; x != 0; x &= x - 1) {
        count++;
    }
    return count;
}

/* Deviation of the number of equal bits from half of 64 * DRAWS, in standard deviations.
 */
static double likeness(sdca_random one, sdca_random other)
{
    int64_t      equal = 0;
    const double bits  = 64.0 * DRAWS;

    for (int k = 0; k < DRAWS; k++) {
        equal += ones(~(sdca_random_bits(&one) ^ sdca_random_bits(&other)));
    }
    return fabs((double)equal - bits / 2.0) / sqrt(bits / 4.0);
}

START_TEST(neighbouring_streams_are_uncorrelated)
{
    sdca_random one   = sdca_random_stream(1, SDCA_STREAM_TEST, 1, 1);
    sdca_random later = one;

    later.counter = 1;
    ck_assert_double_lt(likeness(one, sdca_random_stream(2, SDCA_STREAM_TEST, 1, 1)),
                        5.0);
    ck_assert_double_lt(likeness(one, sdca_random_stream(1, SDCA_STREAM_SYNTHETIC, 1, 1)),
                        5.0);
    ck_assert_double_lt(likeness(one, sdca_random_stream(1, SDCA_STREAM_TEST, 2, 1)),
                        5.0);
    ck_assert_double_lt(likeness(one, sdca_random_stream(1, SDCA_STREAM_TEST, 1, 2)),
                        5.0);
    ck_assert_double_lt(likeness(one, later), 5.0);
}
END_TEST

/* Whether a histogram of total draws is flat; chi^2 has bins - 1 degrees of freedom. */
static bool is_flat(const int *histogram, int bins, double total)
{
    double expected = total / bins;
    double chi2     = 0.0;

    for (int k = 0; k < bins; k++) {
        chi2 += (histogram[k] - expected) * (histogram[k] - expected) / expected;
    }
    return fabs(chi2 - (bins - 1)) <= 5.0 * sqrt(2.0 * (bins - 1)) + 1.0;
}

START_TEST(below_is_uniform)
{
    static const uint32_t bounds[] = { 1, 2, 3, 7, 10, 100, 1000 };
    const uint32_t        bound    = bounds[_i];
    sdca_random           stream   = sdca_random_stream(3, SDCA_STREAM_TEST, bound, 0);
    int                   histogram[1000] = { 0 };
    bool                  inside          = true;

    for (int k = 0; k < DRAWS; k++) {
        uint32_t x = sdca_random_below(&stream, bound);

        inside = inside && x < bound;
        histogram[x % 1000]++;
    }
    ck_assert(inside);
    ck_assert(is_flat(histogram, (int)bound, DRAWS));
}
END_TEST

START_TEST(below_has_no_bias_for_large_bounds)
{
    /* Three quarters of 2^32: without rejection, one third of the results would be twice
     * as likely. In chunks, and within one residue of 3. */
    const uint32_t bound         = 3U << 30;
    sdca_random    stream        = sdca_random_stream(4, SDCA_STREAM_TEST, 0, 0);
    int            by_chunk[3]   = { 0 };
    int            by_residue[3] = { 0 };
    bool           inside        = true;

    for (int k = 0; k < DRAWS; k++) {
        uint32_t x = sdca_random_below(&stream, bound);

        inside = inside && x < bound;
        by_chunk[(x >> 30) % 3]++;
        by_residue[x % 3]++;
    }
    ck_assert(inside);
    ck_assert(is_flat(by_chunk, 3, DRAWS));
    ck_assert(is_flat(by_residue, 3, DRAWS));
    for (int k = 0; k < 1000; k++) {
        ck_assert_uint_lt(sdca_random_below(&stream, UINT32_MAX), UINT32_MAX);
    }
}
END_TEST

START_TEST(uniform_is_uniform_and_uncorrelated)
{
    sdca_random stream         = sdca_random_stream(6, SDCA_STREAM_TEST, 0, 0);
    int         histogram[128] = { 0 };
    bool        inside         = true;
    double      mean = 0.0, product = 0.0, last = 0.0;

    for (int k = 0; k < DRAWS; k++) {
        double x = sdca_random_uniform(&stream);

        inside = inside && x >= 0.0 && x < 1.0;
        histogram[(int)(x * 128.0) % 128]++;
        mean += x / DRAWS;
        product += 12.0 * (x - 0.5) * (last - 0.5) / DRAWS; /* correlation */
        last = x;
    }
    ck_assert(inside);
    ck_assert(is_flat(histogram, 128, DRAWS));
    ck_assert_double_lt(fabs(mean - 0.5), 5.0 / sqrt(12.0 * DRAWS));
    ck_assert_double_lt(fabs(product), 5.0 / sqrt(DRAWS));
}
END_TEST

START_TEST(shuffle_is_a_permutation)
{
    enum { MOST = 1000 };
    uint32_t row[MOST];
    bool     seen[MOST];

    for (uint32_t count = 0; count <= MOST;
         count          = count < 5 ? count + 1 : count * 7 / 3) {
        sdca_random stream = sdca_random_stream(7, SDCA_STREAM_TEST, count, 0);

        for (uint32_t k = 0; k < count; k++) {
            row[k]  = k;
            seen[k] = false;
        }
        sdca_random_shuffle(&stream, row, count);
        for (uint32_t k = 0; k < count; k++) {
            ck_assert_uint_lt(row[k], count);
            ck_assert(!seen[row[k]]);
            seen[row[k]] = true;
        }
    }
}
END_TEST

START_TEST(all_orders_are_equally_likely)
{
    sdca_random stream         = sdca_random_stream(8, SDCA_STREAM_TEST, 0, 0);
    int         histogram[256] = { 0 };
    int         orders[24];
    int         seen = 0;

    for (int k = 0; k < DRAWS; k++) {
        uint32_t row[4] = { 0, 1, 2, 3 };

        sdca_random_shuffle(&stream, row, 4);
        histogram[row[0] | row[1] << 2 | row[2] << 4 | row[3] << 6]++;
    }
    for (int k = 0; k < 256; k++) {
        if (histogram[k] > 0) {
            ck_assert_int_lt(seen, 24);
            orders[seen++] = histogram[k];
        }
    }
    ck_assert_int_eq(seen, 24);
    ck_assert(is_flat(orders, 24, DRAWS));
}
END_TEST

START_TEST(places_are_a_permutation)
{
    sdca_permutation p = sdca_permutation_create(1, SDCA_STREAM_TEST, 0, 0, (uint32_t)_i);
    bool             seen[300] = { false };

    for (uint32_t k = 0; k < (uint32_t)_i; k++) {
        uint32_t place = sdca_permutation_apply(&p, k);

        ck_assert_uint_lt(place, (uint32_t)_i);
        ck_assert(!seen[place]);
        ck_assert_uint_eq(sdca_permutation_invert(&p, place), k);
        seen[place] = true;
    }
}
END_TEST

START_TEST(places_of_many_numbers_differ)
{
    const uint32_t   count = UINT32_MAX - 1;
    sdca_permutation p     = sdca_permutation_create(1, SDCA_STREAM_TEST, 0, 0, count);
    sdca_permutation q     = sdca_permutation_create(1, SDCA_STREAM_TEST, 1, 0, count);
    int              same  = 0;

    for (uint32_t k = 0; k < DRAWS; k++) {
        uint32_t from = k * 20011U;

        ck_assert_uint_eq(sdca_permutation_invert(&p, sdca_permutation_apply(&p, from)),
                          from);
        same += sdca_permutation_apply(&p, from) == sdca_permutation_apply(&q, from);
    }
    ck_assert_int_lt(same, 3);
}
END_TEST

/* Each tenth of the places gets its share of each tenth of the numbers, as in a random
 * permutation: chi-squared with 81 degrees of freedom, twice. */
START_TEST(neighbours_are_randomly_spread)
{
    static const uint32_t counts[] = { 10000, 65536, 100000, 131080 };

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        uint32_t         n = counts[c];
        sdca_permutation p = sdca_permutation_create(1, SDCA_STREAM_TEST, 2, c, n);
        double           met[10][10] = { { 0.0 } }, apart[10][10] = { { 0.0 } };
        double           chi2 = 0.0, chi2_apart = 0.0, fair = n / 100.0;

        for (uint32_t k = 0; k < n; k++) {
            uint32_t a = sdca_permutation_apply(&p, k);
            uint32_t b = sdca_permutation_apply(&p, (k + 1) % n);

            met[(uint64_t)k * 10 / n][(uint64_t)a * 10 / n] += 1.0;
            apart[(uint64_t)a * 10 / n][(uint64_t)b * 10 / n] += 1.0;
        }
        for (int j = 0; j < 100; j++) {
            double here  = met[j / 10][j % 10] - fair;
            double there = apart[j / 10][j % 10] - fair;

            chi2 += here * here / fair;
            chi2_apart += there * there / fair;
        }
        ck_assert_double_lt(fabs(chi2 - 81.0), 5.0 * sqrt(2.0 * 81.0));
        ck_assert_double_lt(fabs(chi2_apart - 81.0), 5.0 * sqrt(2.0 * 81.0));
    }
}
END_TEST

START_TEST(no_permutation_leaves_all_in_place)
{
    sdca_permutation none = { 0 };

    ck_assert_uint_eq(sdca_permutation_apply(&none, 12345), 12345);
    ck_assert_uint_eq(sdca_permutation_invert(&none, 12345), 12345);
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, the_generator_is_splitmix64);
    tcase_add_test(tests, streams_never_change);
    tcase_add_test(tests, stream_continues_from_its_counter);
    tcase_add_test(tests, streams_with_different_names_differ);
    tcase_add_test(tests, neighbouring_streams_are_uncorrelated);
    tcase_add_loop_test(tests, below_is_uniform, 0, 7);
    tcase_add_test(tests, below_has_no_bias_for_large_bounds);
    tcase_add_test(tests, uniform_is_uniform_and_uncorrelated);
    tcase_add_test(tests, shuffle_is_a_permutation);
    tcase_add_test(tests, all_orders_are_equally_likely);
    tcase_add_loop_test(tests, places_are_a_permutation, 1, 300);
    tcase_add_test(tests, places_of_many_numbers_differ);
    tcase_add_test(tests, neighbours_are_randomly_spread);
    tcase_add_test(tests, no_permutation_leaves_all_in_place);
}
