/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse_number.c - fast and exact parsing of decimal numbers.
 *
 * Eight digits are processed at a time in one 64-bit word, without a branch per digit.
 * The nearest double to m 10^e, with the digits m, is then found in the cheapest way
 * that is certain to be exact: one exact operation, else one 128-bit product whose error
 * cannot change the rounding, else strtod(). */
#include "base/parse_number.h"

#include "base/parse_number_inline.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MAX_UINT64_DIGITS      = 19,  /* 10^19 - 1 < 2^64 */
    MAX_TABLE_POWER        = 40,  /* of the table of approximate powers */
    MAX_SIGNIFICANT_DIGITS = 800, /* a halfway point of doubles has at most 768 digits */
    EXTRA_CHARS            = 24   /* the sign, a last digit, the exponent, a zero */
};

static const int64_t exponent_limit = 1000000000000000; /* no line is that long */

/* The leading 64 bits of 10^e, rounded down, for e = -40 .. 40. */
static const uint64_t power_high_bits[2 * MAX_TABLE_POWER + 1] = {
    0x8b61313bbabce2c6U, 0xae397d8aa96c1b77U, 0xd9c7dced53c72255U, 0x881cea14545c7575U,
    0xaa242499697392d2U, 0xd4ad2dbfc3d07787U, 0x84ec3c97da624ab4U, 0xa6274bbdd0fadd61U,
    0xcfb11ead453994baU, 0x81ceb32c4b43fcf4U, 0xa2425ff75e14fc31U, 0xcad2f7f5359a3b3eU,
    0xfd87b5f28300ca0dU, 0x9e74d1b791e07e48U, 0xc612062576589ddaU, 0xf79687aed3eec551U,
    0x9abe14cd44753b52U, 0xc16d9a0095928a27U, 0xf1c90080baf72cb1U, 0x971da05074da7beeU,
    0xbce5086492111aeaU, 0xec1e4a7db69561a5U, 0x9392ee8e921d5d07U, 0xb877aa3236a4b449U,
    0xe69594bec44de15bU, 0x901d7cf73ab0acd9U, 0xb424dc35095cd80fU, 0xe12e13424bb40e13U,
    0x8cbccc096f5088cbU, 0xafebff0bcb24aafeU, 0xdbe6fecebdedd5beU, 0x89705f4136b4a597U,
    0xabcc77118461cefcU, 0xd6bf94d5e57a42bcU, 0x8637bd05af6c69b5U, 0xa7c5ac471b478423U,
    0xd1b71758e219652bU, 0x83126e978d4fdf3bU, 0xa3d70a3d70a3d70aU, 0xccccccccccccccccU,
    0x8000000000000000U, 0xa000000000000000U, 0xc800000000000000U, 0xfa00000000000000U,
    0x9c40000000000000U, 0xc350000000000000U, 0xf424000000000000U, 0x9896800000000000U,
    0xbebc200000000000U, 0xee6b280000000000U, 0x9502f90000000000U, 0xba43b74000000000U,
    0xe8d4a51000000000U, 0x9184e72a00000000U, 0xb5e620f480000000U, 0xe35fa931a0000000U,
    0x8e1bc9bf04000000U, 0xb1a2bc2ec5000000U, 0xde0b6b3a76400000U, 0x8ac7230489e80000U,
    0xad78ebc5ac620000U, 0xd8d726b7177a8000U, 0x878678326eac9000U, 0xa968163f0a57b400U,
    0xd3c21bcecceda100U, 0x84595161401484a0U, 0xa56fa5b99019a5c8U, 0xcecb8f27f4200f3aU,
    0x813f3978f8940984U, 0xa18f07d736b90be5U, 0xc9f2c9cd04674edeU, 0xfc6f7c4045812296U,
    0x9dc5ada82b70b59dU, 0xc5371912364ce305U, 0xf684df56c3e01bc6U, 0x9a130b963a6c115cU,
    0xc097ce7bc90715b3U, 0xf0bdc21abb48db20U, 0x96769950b50d88f4U, 0xbc143fa4e250eb31U,
    0xeb194f8e1ae525fdU,
};

/* Append the digits at p to the decimal number *m, which wraps around beyond
 * 64 bits: the caller counts digits. Returns the first non-digit. */
static const char *parse_digits(const char *p, const char *end, uint64_t *m)
{
    /* The most frequent case: one digit, alone or before a point. */
    if (end - p >= 2 && is_digit(p[0]) && !is_digit(p[1])) {
        *m = *m * 10 + (uint64_t)(*p - '0');
        return p + 1;
    }
    while (end - p >= 8) {
        uint64_t word  = load_digits(p);
        unsigned count = count_digits(word);

        if (count == 0) {
            return p;
        }
        *m = *m * integer_power_of_ten[count] + combine_digits(word << (64 - 8 * count));
        p += count;
        if (count < 8) {
            return p;
        }
    }
    while (p < end && is_digit(*p)) {
        *m = *m * 10 + (uint64_t)(*p++ - '0');
    }
    return p;
}

/* Add the exponent at p, if there is one, to *e. An e without digits is not part of the
 * number. */
static const char *parse_exponent(const char *p, const char *end, int64_t *e)
{
    const char *digit    = p + 1;
    bool        negative = false;
    int64_t     exponent = 0;

    if (digit < end && (*digit == '-' || *digit == '+')) {
        negative = *digit++ == '-';
    }
    if (digit == end || !is_digit(*digit)) {
        return p;
    }
    for (; digit < end && is_digit(*digit); digit++) {
        if (exponent < exponent_limit) {
            exponent = exponent * 10 + (*digit - '0');
        }
    }
    *e += negative ? -exponent : exponent;
    return digit;
}

/* The upper half of a product of 64-bit numbers. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_low = a & 0xffffffffU, a_high = a >> 32;
    uint64_t b_low = b & 0xffffffffU, b_high = b >> 32;
    uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32);
    uint64_t other  = a_low * b_high + (middle & 0xffffffffU);

    return a_high * b_high + (middle >> 32) + (other >> 32);
}

/* The double nearest to m 10^e from 64 bits of 10^e, where these suffice: with
 * m shifted to 64 bits too, the upper half h of their product is below the true
 * value by less than 2. So if no halfway point lies in [h, h + 2), the rounding
 * is that of the true value. */
static bool convert_by_product(uint64_t m, int e, double *out)
{
    /* floor(log2(10^e)), 217706 / 2^16 being log2(10) near enough; the offset
     * keeps the shifted number positive. */
    int      power = ((e * 217706 + (1 << 30)) >> 16) - (1 << 14);
    int      shift = 0;
    unsigned drop;
    uint64_t h, rest, half;

    for (int step = 32; step > 0; step /= 2) {
        if (m >> (64 - step) == 0) {
            m <<= step;
            shift += step;
        }
    }
    h    = multiply_high(m, power_high_bits[e + MAX_TABLE_POWER]);
    drop = h >> 63 != 0 ? 11 : 10; /* leaves 53 bits */
    half = (uint64_t)1 << (drop - 1);
    rest = h & (2 * half - 1);
    if (rest == half || rest == half - 1) {
        return false;
    }
    *out = ldexp((double)((h >> drop) + (rest > half ? 1 : 0)),
                 (int)drop + 64 + power - 63 - shift);
    return true;
}

/* The double nearest to m 10^e, if a fast way is certain to find it. */
static bool convert_fast(uint64_t m, int64_t e, double *out)
{
    if (FLT_EVAL_METHOD != 0) {
        return false; /* doubles are evaluated with extra precision here */
    }
    if (m <= (uint64_t)1 << DBL_MANT_DIG && e >= -MAX_EXACT_POWER &&
        e <= MAX_EXACT_POWER) {
        /* Both numbers are exact, so the one rounding is the right one. */
        *out = e < 0 ? (double)m / power_of_ten[-e] : (double)m * power_of_ten[e];
        return true;
    }
    if (m == 0) {
        *out = 0.0;
        return true;
    }
    return e >= -MAX_TABLE_POWER && e <= MAX_TABLE_POWER &&
           convert_by_product(m, (int)e, out);
}

/* The result of strtod() for the number in begin .. end - 1, whose written exponent is
 * e. Of a number of any length only the digits that can matter are passed on; one more
 * non-zero digit stands for the rest. */
static double convert_by_strtod(const char *begin, const char *end, int64_t e)
{
    char   text[MAX_SIGNIFICANT_DIGITS + EXTRA_CHARS];
    size_t digits      = 0;
    bool   after_point = false; /* the point */
    bool   truncated   = false;

    for (const char *p = begin; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.') {
            after_point = true;
        } else if (is_digit(*p)) {
            e -= after_point ? 1 : 0;
            if (digits < MAX_SIGNIFICANT_DIGITS && (digits > 0 || *p != '0')) {
                text[digits++] = *p;
            } else if (digits == MAX_SIGNIFICANT_DIGITS) {
                truncated = truncated || *p != '0';
                e += 1;
            }
        }
    }
    if (digits == 0 || truncated) {
        text[digits++] = truncated ? '1' : '0';
        e -= truncated ? 1 : 0;
    }
    snprintf(text + digits, sizeof text - digits, "e%lld", (long long)e);
    return strtod(text, NULL);
}

const char *sdca_parse_double(const char *begin, const char *end, double *out)
{
    const char *p        = begin;
    bool        negative = false;
    uint64_t    m        = 0;
    int64_t     e        = 0; /* from the digits and the point */
    int64_t     exponent = 0; /* as written */
    ptrdiff_t   digits;
    const char *first;
    double      value;

    if (p < end && (*p == '-' || *p == '+')) {
        negative = *p++ == '-';
    }
    first  = p;
    p      = parse_digits(p, end, &m);
    digits = p - first;
    if (p < end && *p == '.') {
        first = p + 1;
        p     = parse_digits(first, end, &m);
        e     = first - p;
        digits += p - first;
    }
    if (digits == 0) {
        return begin;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        p = parse_exponent(p, end, &exponent);
    }
    if (digits > MAX_UINT64_DIGITS || !convert_fast(m, e + exponent, &value)) {
        value = convert_by_strtod(begin, p, exponent);
    }
    *out = negative ? -value : value;
    return p;
}

const char *sdca_parse_int64(const char *begin, const char *end, int64_t *out)
{
    uint64_t    m = 0;
    const char *p = parse_digits(begin, end, &m);

    if (p == begin) {
        return begin;
    }
    if (p - begin >= MAX_UINT64_DIGITS) {
        /* Possibly too many digits for m: the slow path. */
        m = 0;
        for (const char *digit = begin; digit < p && m < INT64_MAX; digit++) {
            uint64_t value = (uint64_t)(*digit - '0');

            m = m > (INT64_MAX - value) / 10 ? INT64_MAX : m * 10 + value;
        }
    }
    *out = (int64_t)m;
    return p;
}

bool sdca_parse_is_nonfinite(const char *begin, const char *end)
{
    static const char *const words[] = { "nan", "inf" };

    if (begin < end && (*begin == '-' || *begin == '+')) {
        begin++;
    }
    if (end - begin < 3) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        if ((begin[0] | 0x20) == words[k][0] && (begin[1] | 0x20) == words[k][1] &&
            (begin[2] | 0x20) == words[k][2]) {
            return true;
        }
    }
    return false;
}
