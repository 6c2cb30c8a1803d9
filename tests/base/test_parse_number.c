/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_parse_number.c - parsed numbers equal those of strtod().
 *
 * Each text is read from memory that ends with it, so that a sanitizer detects any read
 * beyond it. */
#include "base/parse_number.h"

#include "support/check_main.h"

#include "base/parse_number_inline.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { DRAWS = 100000, LONGEST = 2500 };

/* The generator of one test. */
static sdca_random draws(uint64_t test)
{
    return sdca_random_stream(7, SDCA_STREAM_TEST, test, 0);
}

static uint64_t bits_of(double x)
{
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Any finite double; all exponents are equally likely. */
static double any_double(sdca_random *stream)
{
    double x;

    do {
        uint64_t bits = sdca_random_bits(stream);

        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x));
    return x;
}

/* Parse exactly these characters; returns the length of the number. */
static size_t read_exactly(const char *text, double *value)
{
    static char room[LONGEST + 64];
    const char *end    = room + sizeof room;
    size_t      length = strlen(text);
    char       *begin  = room + sizeof room - length;

    memcpy(begin, text, length);
    return (size_t)(sdca_parse_double(begin, end, value) - begin);
}

/* A passing assertion costs Check a system call, so only failing ones are reported: there
 * are a million texts. */
static void check_as_strtod(const char *text)
{
    char  *after;
    double want = strtod(text, &after);
    double got  = -12345.678;
    size_t used = read_exactly(text, &got);

    if (used != (size_t)(after - text)) {
        ck_abort_msg("'%s': %zu characters, not %td", text, used, after - text);
    }
    if (used > 0 && bits_of(got) != bits_of(want)) {
        ck_abort_msg("'%s': %a, not %a", text, got, want);
    }
}

START_TEST(printed_doubles_round_trip)
{
    sdca_random stream = draws(1);
    char        text[64];

    for (int k = 0; k < DRAWS; k++) {
        double x   = any_double(&stream);
        double got = 0.0;

        snprintf(text, sizeof text, "%.17g", x);
        if (read_exactly(text, &got) != strlen(text) || bits_of(got) != bits_of(x)) {
            ck_abort_msg("%s became %.17g", text, got);
        }
    }
}
END_TEST

START_TEST(any_precision_is_read_as_by_strtod)
{
    sdca_random stream = draws(2);
    char        text[64];

    for (int k = 0; k < DRAWS; k++) {
        snprintf(text, sizeof text, "%.*e", (int)sdca_random_below(&stream, 26),
                 any_double(&stream));
        check_as_strtod(text);
    }
}
END_TEST

START_TEST(typical_data_is_read_as_by_strtod)
{
    sdca_random stream = draws(3);
    char        text[64];

    for (int k = 0; k < DRAWS; k++) {
        double x = (sdca_random_uniform(&stream) - 0.3) *
                   pow(10.0, sdca_random_below(&stream, 7));

        snprintf(text, sizeof text, "%g", x);
        check_as_strtod(text);
        snprintf(text, sizeof text, "%.*f", (int)sdca_random_below(&stream, 20), x);
        check_as_strtod(text);
        snprintf(text, sizeof text, "%.16g", x);
        check_as_strtod(text);
    }
}
END_TEST

START_TEST(decimal_point_at_any_place)
{
    const char *digits = "907199254740993"; /* then 0 to 4 more */
    char        text[64];

    for (int more = 0; more < 5; more++) {
        for (int point = 0; point <= 15 + more; point++) {
            char all[32];

            snprintf(all, sizeof all, "%s%.*s", digits, more, "1997");
            snprintf(text, sizeof text, "%.*s.%s", point, all, all + point);
            check_as_strtod(text);
            snprintf(text, sizeof text, "-0%.*s.%s000", point, all, all + point);
            check_as_strtod(text);
        }
    }
}
END_TEST

START_TEST(every_power_of_ten_is_read_as_by_strtod)
{
    sdca_random stream = draws(4);
    char        text[64];

    for (int e = -400; e <= 400; e++) {
        for (int k = 0; k < 50; k++) {
            uint64_t m = sdca_random_bits(&stream) >> sdca_random_below(&stream, 64);

            snprintf(text, sizeof text, "%llue%d", (unsigned long long)m, e);
            check_as_strtod(text);
        }
    }
}
END_TEST

START_TEST(long_numbers_are_read_as_by_strtod)
{
    sdca_random stream = draws(5);
    char        text[LONGEST + 32];

    for (int k = 0; k < 3000; k++) {
        uint32_t length = 1 + sdca_random_below(&stream, k % 10 == 0 ? LONGEST : 60);
        uint32_t point  = sdca_random_below(&stream, length + 1);
        uint32_t zeros  = sdca_random_below(&stream, length + 1); /* in front */
        size_t   used   = 0;

        for (uint32_t j = 0; j < length; j++) {
            if (j == point) {
                text[used++] = '.';
            }
            text[used++] = (char)('0' + (j < zeros ? 0 : sdca_random_below(&stream, 10)));
        }
        snprintf(text + used, 32, "e%d", (int)sdca_random_below(&stream, 700) - 350);
        check_as_strtod(text);
    }
}
END_TEST

START_TEST(long_digits_with_cancelling_exponent)
{
    char   text[LONGEST + 32];
    double x = 0.0;

    snprintf(text, sizeof text, "0.%0*de%d", LONGEST - 1, 1, LONGEST - 1);
    check_as_strtod(text);
    read_exactly(text, &x);
    ck_assert_double_eq(x, 1.0);
    check_as_strtod("1e99999999999999999999999");
    check_as_strtod("1e-99999999999999999999999");
    check_as_strtod("0e99999999999999999999999");
}
END_TEST

/* Near the midpoint of two doubles, texts must round down, up, and to even: the exact
 * midpoint, and numbers that differ in a distant digit. */
START_TEST(halfway_points_are_read_as_by_strtod)
{
    sdca_random stream = draws(6);
    char        text[LONGEST];

    for (int k = 0; k < 2000; k++) {
        double      x      = any_double(&stream);
        double      next   = nextafter(x, INFINITY);
        long double middle = ((long double)x + (long double)next) / 2;
        size_t      length;

        if (k % 2 == 0) { /* the range of typical data, and of the fast paths */
            x      = ldexp(1.0 + sdca_random_uniform(&stream),
                           (int)sdca_random_below(&stream, 160) - 80);
            next   = nextafter(x, INFINITY);
            middle = ((long double)x + (long double)next) / 2;
        }
        snprintf(text, sizeof text, "%.*Le", k % 3 == 0 ? 18 : 1100, middle);
        check_as_strtod(text);
        snprintf(text, sizeof text, "%.1100Lf", middle);
        length = strlen(text);
        check_as_strtod(text);
        text[length - 1] = '1';
        check_as_strtod(text);
    }
    for (int k = 0; k < DRAWS; k++) { /* 19 digits: ties of integers */
        uint64_t tie =
            ((uint64_t)1 << 63 | sdca_random_bits(&stream) >> 1) & ~(uint64_t)0x7ff;

        for (uint64_t m = (tie | 0x400) - 2; m <= (tie | 0x400) + 2; m++) {
            snprintf(text, sizeof text, "%llu", (unsigned long long)(m >> (k % 11)));
            check_as_strtod(text);
        }
    }
}
END_TEST

START_TEST(range_limits_are_read_as_by_strtod)
{
    static const char *const text[] = {
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "17976931348623157e292",
        "2e308",
        "-1e309",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072014e-308",
        "2.2250738585072011e-308",
        "1e-400",
        "-1e-400",
        "9007199254740992",
        "9007199254740993",
        "9007199254740994e22",
        "9007199254740993e-22",
        "9999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "0",
        "-0",
        "+0.0",
        "0e5",
        "1e22",
        "1e23",
        "1e-22",
        "1e-23",
    };

    check_as_strtod(text[_i]);
}
END_TEST

START_TEST(number_ends_where_strtod_ends_it)
{
    static const char *const text[] = {
        "",
        "+",
        "-",
        ".",
        "-.",
        "e5",
        ".e5",
        "--1",
        "+-1",
        "1.",
        ".5",
        "-.5",
        "1..2",
        "1.2.3",
        "1e",
        "1e+",
        "1e-x",
        "1ee5",
        "1e5.5",
        "1:2",
        "12345678",
        "123456789",
        "1234567:",
        "12345678:",
        "12345678 9",
        "1 2",
        "1\n2",
        "1,5",
        "1_000",
        "12a",
        "\xff",
        "1\x80",
        "1/",
        "0:",
        "99999999/",
        "1e5e5",
        "00000000000000000000000000000000001",
        "5e-0",
        "5e+00003",
    };

    check_as_strtod(text[_i]);
}
END_TEST

START_TEST(nothing_past_the_end_is_read)
{
    const char *text = "123456789012345e7.5";
    double      x;

    for (size_t length = 1; length <= strlen(text); length++) {
        char part[32];

        snprintf(part, sizeof part, "%.*s", (int)length, text);
        sdca_parse_double(text, text + length, &x);
        ck_assert_double_eq(x, strtod(part, NULL));
    }
}
END_TEST

START_TEST(nan_inf_and_hexadecimal_are_rejected)
{
    double x = 5.0;

    ck_assert_uint_eq(read_exactly("nan", &x), 0);
    ck_assert_uint_eq(read_exactly("-inf", &x), 0);
    ck_assert_double_eq(x, 5.0);
    ck_assert_uint_eq(read_exactly("0x10", &x), 1);
    ck_assert_double_eq(x, 0.0);
}
END_TEST

static bool is_special(const char *text)
{
    return sdca_parse_is_nonfinite(text, text + strlen(text));
}

START_TEST(nan_and_inf_are_recognised)
{
    ck_assert(is_special("nan"));
    ck_assert(is_special("-NaN"));
    ck_assert(is_special("+inf"));
    ck_assert(is_special("Infinity"));
    ck_assert(is_special("INF 1:2"));
    ck_assert(!is_special(""));
    ck_assert(!is_special("-"));
    ck_assert(!is_special("na"));
    ck_assert(!is_special("1"));
    ck_assert(!is_special("index"));
}
END_TEST

static size_t read_whole(const char *text, int64_t *value)
{
    return (size_t)(sdca_parse_int64(text, text + strlen(text), value) - text);
}

START_TEST(integers_saturate_at_the_maximum)
{
    static const struct {
        const char *text;
        size_t      used;
        int64_t     value;
    } known[] = {
        { "0", 1, 0 },
        { "7:", 1, 7 },
        { "00000000000000000000000000012", 29, 12 },
        { "1234567", 7, 1234567 },
        { "12345678", 8, 12345678 },
        { "123456789:1", 9, 123456789 },
        { "2147483648", 10, 2147483648 },
        { "9223372036854775806", 19, INT64_MAX - 1 },
        { "9223372036854775807", 19, INT64_MAX },
        { "9223372036854775808", 19, INT64_MAX },
        { "9999999999999999999", 19, INT64_MAX },
        { "18446744073709551616", 20, INT64_MAX },
        { "18446744073709551617:3", 20, INT64_MAX },
        { "340282366920938463463374607431768211456", 39, INT64_MAX },
        { "-1", 0, -5 },
        { "+1", 0, -5 },
        { "", 0, -5 },
        { "x", 0, -5 },
    };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        int64_t value = -5;

        ck_assert_uint_eq(read_whole(known[k].text, &value), known[k].used);
        ck_assert_int_eq(value, known[k].value);
    }
}
END_TEST

/* The inlined parser equals the function: any mixture of the characters of numbers, short
 * and long, with any or no text after it. */
START_TEST(inlined_parser_equals_function)
{
    static const char letters[] = "0123456789019.. -e:\n";
    sdca_random       stream    = draws(20);

    for (int k = 0; k < 10 * DRAWS; k++) {
        char        text[24];
        uint32_t    length = 1 + sdca_random_below(&stream, sizeof text - 1);
        double      x = 0.0, fast_x = 0.0;
        int64_t     m = 0, fast_m = 0;
        const char *after, *fast;

        for (uint32_t j = 0; j < length; j++) {
            text[j] = letters[sdca_random_below(&stream, sizeof letters - 1)];
        }
        if (k % 2 == 0 && length > 2) {
            text[0] = '0';
            text[1] = '.';
        }
        after = sdca_parse_double(text, text + length, &x);
        fast  = parse_double_inline(text, text + length, &fast_x);
        ck_assert_ptr_eq(after, fast);
        ck_assert_uint_eq(bits_of(x), bits_of(fast_x));
        after = sdca_parse_int64(text, text + length, &m);
        fast  = parse_int64_inline(text, text + length, &fast_m);
        ck_assert_ptr_eq(after, fast);
        ck_assert_int_eq(m, fast_m);
    }
}
END_TEST

void add_tests(Suite *suite)
{
    TCase *tests = add_case(suite, NULL, NULL);

    tcase_add_test(tests, printed_doubles_round_trip);
    tcase_add_test(tests, any_precision_is_read_as_by_strtod);
    tcase_add_test(tests, typical_data_is_read_as_by_strtod);
    tcase_add_test(tests, decimal_point_at_any_place);
    tcase_add_test(tests, every_power_of_ten_is_read_as_by_strtod);
    tcase_add_test(tests, long_numbers_are_read_as_by_strtod);
    tcase_add_test(tests, long_digits_with_cancelling_exponent);
    tcase_add_test(tests, halfway_points_are_read_as_by_strtod);
    tcase_add_loop_test(tests, range_limits_are_read_as_by_strtod, 0, 28);
    tcase_add_loop_test(tests, number_ends_where_strtod_ends_it, 0, 39);
    tcase_add_test(tests, nothing_past_the_end_is_read);
    tcase_add_test(tests, nan_inf_and_hexadecimal_are_rejected);
    tcase_add_test(tests, nan_and_inf_are_recognised);
    tcase_add_test(tests, integers_saturate_at_the_maximum);
    tcase_add_test(tests, inlined_parser_equals_function);
}
