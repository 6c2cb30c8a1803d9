/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weave_kernel.h - the loops over one row on its way into memory, to be inlined.
 *
 * Each passes over a row once: rows are often so short that starting and ending a loop
 * takes as long as the loop. */
#ifndef SDCA_WEAVE_KERNEL_H
#define SDCA_WEAVE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "rows_kernel.h"

/* What is seen of a row at first sight. */
typedef struct look {
    double   norm2;
    uint64_t hash;
    int64_t  order; /* negative: columns ascend, from 0 on */
} look;

/* All that has to be known of a good row, in one pass. The sum is that of
 * row_norm2_dense(), to the bit. */
SDCA_INLINE look look_at_narrow(const int32_t *column, const float *value, int64_t count)
{
    double  s[4]   = { 0.0, 0.0, 0.0, 0.0 };
    look    seen   = { 0.0, 0, -1 };
    int64_t before = -1;
    int64_t k      = 0;

    for (; k + 4 <= count; k += 4) {
        for (int j = 0; j < 4; j++) {
            s[j] += (double)value[k + j] * (double)value[k + j];
            seen.hash += hash_narrow(column[k + j], value[k + j]);
            seen.order &= before - column[k + j];
            before = column[k + j];
        }
    }
    for (; k < count; k++) {
        s[0] += (double)value[k] * (double)value[k];
        seen.hash += hash_narrow(column[k], value[k]);
        seen.order &= before - column[k];
        before = column[k];
    }
    seen.norm2 = (s[0] + s[1]) + (s[2] + s[3]);
    return seen;
}

/* The same for wide values; *fits stays true if all of them fit float32. */
SDCA_INLINE look look_at_wide(const int32_t *column, const double *value, int64_t count,
                              bool *fits)
{
    look    seen   = { row_norm2_dense_wide(value, count), 0, -1 };
    int64_t before = -1;
    bool    all    = true;

    for (int64_t k = 0; k < count; k++) {
        bool one;

        seen.hash += hash_wide(column[k], value[k], &one);
        seen.order &= before - column[k];
        before = column[k];
        all &= one;
    }
    *fits = *fits && all;
    return seen;
}

/* Set a row down, times a factor. Returns the squared length then. */
#define SDCA_SET_SPARSE(suffix, entry_type)                          \
    SDCA_INLINE double set_##suffix(                                 \
        entry_type *restrict entry, const int32_t *restrict column,  \
        const float *restrict value, int64_t count, double factor)   \
    {                                                                \
        double  s[4] = { 0.0, 0.0, 0.0, 0.0 };                       \
        int64_t k    = 0;                                            \
                                                                     \
        for (; k + 4 <= count; k += 4) {                             \
            for (int j = 0; j < 4; j++) {                            \
                float scaled = (float)(value[k + j] * factor);       \
                                                                     \
                entry[k + j] = make_##suffix(column[k + j], scaled); \
                s[j] += (double)scaled * (double)scaled;             \
            }                                                        \
        }                                                            \
        for (; k < count; k++) {                                     \
            float scaled = (float)(value[k] * factor);               \
                                                                     \
            entry[k] = make_##suffix(column[k], scaled);             \
            s[0] += (double)scaled * (double)scaled;                 \
        }                                                            \
        return (s[0] + s[1]) + (s[2] + s[3]);                        \
    }

SDCA_SET_SPARSE(slim, sdca_slim_entry)
SDCA_SET_SPARSE(narrow, sdca_entry)

#undef SDCA_SET_SPARSE

SDCA_INLINE double set_dense(sdca_rows *x, int64_t first, const int32_t *column,
                             float *value, int64_t count, double factor)
{
    memset(x->dense + first, 0, (size_t)x->columns * sizeof *x->dense);
    for (int64_t k = 0; k < count; k++) {
        value[k]                    = (float)(value[k] * factor);
        x->dense[first + column[k]] = value[k];
    }
    return row_norm2_dense(value, count);
}

SDCA_INLINE void set_wide(sdca_rows *x, int64_t first, const int32_t *column,
                          const double *value, int64_t count)
{
    if (x->dense_wide != NULL) {
        memset(x->dense_wide + first, 0, (size_t)x->columns * sizeof *x->dense_wide);
    }
    for (int64_t k = 0; x->dense_wide != NULL && k < count; k++) {
        x->dense_wide[first + column[k]] = value[k];
    }
    for (int64_t k = 0; x->dense_wide == NULL && k < count; k++) {
        x->wide[first + k] = (sdca_wide_entry){ column[k], value[k] };
    }
}

#endif
