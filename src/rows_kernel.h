/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_kernel.h - the loops over the non-zeros of one row, to be inlined.
 *
 * Two widths of entries, the same two loops for each. Four partial sums keep
 * four multiply-adds in flight; the order of summation is fixed, so the result
 * is the same wherever a row is met. */
#ifndef SDCA_ROWS_KERNEL_H
#define SDCA_ROWS_KERNEL_H

#include <string.h>

#include "sdca/rows.h"

#if defined(__GNUC__)
#define SDCA_INLINE static inline __attribute__((always_inline))
#define SDCA_PREFETCH(address) __builtin_prefetch(address)
#else
#define SDCA_INLINE static inline
#define SDCA_PREFETCH(address) ((void)(address))
#endif

#define SDCA_ROW_LOOPS(suffix, entry_type)                                               \
    SDCA_INLINE double row_dot_##suffix(const entry_type *x, int64_t count,              \
                                        const double *w)                                 \
    {                                                                                    \
        double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;                                  \
        int64_t k = 0;                                                                   \
                                                                                         \
        for (; k + 4 <= count; k += 4) {                                                 \
            s0 += (double)x[k].value * w[x[k].column];                                   \
            s1 += (double)x[k + 1].value * w[x[k + 1].column];                           \
            s2 += (double)x[k + 2].value * w[x[k + 2].column];                           \
            s3 += (double)x[k + 3].value * w[x[k + 3].column];                           \
        }                                                                                \
        for (; k < count; k++) {                                                         \
            s0 += (double)x[k].value * w[x[k].column];                                   \
        }                                                                                \
        return (s0 + s1) + (s2 + s3);                                                    \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE void row_add_##suffix(const entry_type *x, int64_t count, double factor, \
                                      double *w)                                         \
    {                                                                                    \
        for (int64_t k = 0; k < count; k++) {                                            \
            w[x[k].column] += factor * (double)x[k].value;                               \
        }                                                                                \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE double row_norm2_##suffix(const entry_type *x, int64_t count)            \
    {                                                                                    \
        double  s[4] = { 0.0, 0.0, 0.0, 0.0 };                                           \
        int64_t k    = 0;                                                                \
                                                                                         \
        for (; k + 4 <= count; k += 4) {                                                 \
            for (int j = 0; j < 4; j++) {                                                \
                s[j] += (double)x[k + j].value * (double)x[k + j].value;                 \
            }                                                                            \
        }                                                                                \
        for (; k < count; k++) {                                                         \
            s[0] += (double)x[k].value * (double)x[k].value;                             \
        }                                                                                \
        return (s[0] + s[1]) + (s[2] + s[3]);                                            \
    }

SDCA_ROW_LOOPS(narrow, sdca_entry)
SDCA_ROW_LOOPS(wide, sdca_wide_entry)

#undef SDCA_ROW_LOOPS

/* A non-zero's share of its row's hash. Shares are added up, so that none waits
 * for another. */
SDCA_INLINE uint64_t hash_entry(uint64_t column, uint64_t bits)
{
    uint64_t mixed = (column << 32 ^ bits) * 0x9fb21c651e98df25U;

    return mixed * (mixed >> 32 | 1);
}

SDCA_INLINE uint64_t hash_narrow(int64_t column, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return hash_entry((uint64_t)column, bits);
}

/* A value that fits float32 has the share of its float32. */
SDCA_INLINE uint64_t hash_wide(int64_t column, double value, bool *fits)
{
    float    rounded = (float)value;
    uint64_t bits;

    *fits = (double)rounded == value;
    memcpy(&bits, &value, sizeof bits);
    return *fits ? hash_narrow(column, rounded)
                 : hash_entry((uint64_t)column, bits * 0xbf58476d1ce4e5b9U);
}

#endif
