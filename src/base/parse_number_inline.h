/* SPDX-License-Identifier: BSD-3-Clause
 *
 * parse_number_inline.h - the inlined fast path of number parsing.
 *
 * Eight digits are processed at a time in one 64-bit word, without a branch per digit.
 * Nearly all numbers in data files are short and are parsed here; all others are left to
 * parse_number.c. */
#ifndef SDCA_BASE_PARSE_NUMBER_INLINE_H
#define SDCA_BASE_PARSE_NUMBER_INLINE_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/parse_number.h"

enum { MAX_EXACT_POWER = 22 }; /* 10^22 is exact as a double, 10^23 is not */

static const double power_of_ten[MAX_EXACT_POWER + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
};

static const uint64_t integer_power_of_ten[9] = {
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000,
};

SDCA_INLINE bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The eight characters at p, the first one in the lowest byte, on any machine. */
SDCA_INLINE uint64_t load_bytes(const char *p)
{
    const unsigned char *c = (const unsigned char *)p;

    return (uint64_t)c[0] | (uint64_t)c[1] << 8 | (uint64_t)c[2] << 16 |
           (uint64_t)c[3] << 24 | (uint64_t)c[4] << 32 | (uint64_t)c[5] << 40 |
           (uint64_t)c[6] << 48 | (uint64_t)c[7] << 56;
}

/* The digits at p as numbers 0 .. 9: XOR with '0'. */
SDCA_INLINE uint64_t load_digits(const char *p)
{
    return load_bytes(p) ^ 0x3030303030303030U;
}

/* The number of bytes of word, from the lowest, that are less than ten. A byte of 10 or
 * more gets its highest bit set; the carry out of it reaches only higher bytes, which do
 * not matter. Without any such byte, below is all ones. */
SDCA_INLINE unsigned count_digits(uint64_t word)
{
    uint64_t others = ((word + 0x7676767676767676U) | word) & 0x8080808080808080U;
#if defined(__GNUC__)
    return others != 0 ? (unsigned)__builtin_ctzll(others) / 8 : 8;
#else
    uint64_t below = ((others & (0 - others)) >> 7) - 1;

    return (unsigned)(((below & 0x0101010101010101U) * 0x0101010101010101U) >> 56);
#endif
}

/* The value of the eight digits in word, the lowest byte being the most significant:
 * neighbours are combined into pairs, fours and eight. */
SDCA_INLINE uint64_t combine_digits(uint64_t word)
{
    word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ffU;
    word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffffU;
    return (word * 10000 + (word >> 32)) & 0xffffffffU;
}

/* As sdca_parse_int64(), with a fast path for up to seven digits. */
SDCA_INLINE const char *parse_int64_inline(const char *begin, const char *end,
                                           int64_t *out)
{
    if (end - begin >= 8) {
        uint64_t word  = load_digits(begin);
        unsigned count = count_digits(word);

        if (count > 0 && count < 8) {
            *out = (int64_t)combine_digits(word << (64 - 8 * count));
            return begin + count;
        }
    }
    return sdca_parse_int64(begin, end, out);
}

/* As sdca_parse_double(), with a fast path for D and D.DDDDDDD with up to seven
 * decimals, which are quotients of two exact doubles. */
SDCA_INLINE const char *parse_double_inline(const char *begin, const char *end,
                                            double *out)
{
    bool        negative = *begin == '-';
    const char *p        = begin + (negative ? 1 : 0);

    if (FLT_EVAL_METHOD == 0 && end - p >= 10 && is_digit(p[0])) {
        uint64_t m     = (uint64_t)(p[0] - '0');
        uint64_t word  = load_digits(p + 2);
        unsigned count = count_digits(word);

        if (p[1] == ' ' || p[1] == '\n') {
            *out = negative ? -(double)m : (double)m;
            return p + 1;
        }
        if (p[1] == '.' && count > 0 && count < 8 &&
            (p[2 + count] == ' ' || p[2 + count] == '\n')) {
            double value;

            m = m * integer_power_of_ten[count] +
                combine_digits(word << (64 - 8 * count));
            value = (double)(int64_t)m / power_of_ten[count];
            *out  = negative ? -value : value;
            return p + 2 + count;
        }
    }
    return sdca_parse_double(begin, end, out);
}

#endif
