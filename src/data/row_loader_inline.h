/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_loader_inline.h - the inlined loops of row_loader.c over one row.
 *
 * Each makes one pass over a row: rows are often so short that the overhead of a loop is
 * as large as its work. */
#ifndef SDCA_DATA_ROW_LOADER_INLINE_H
#define SDCA_DATA_ROW_LOADER_INLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "data/rows_inline.h"

/* Norm, hash and order of a row. */
typedef struct row_summary {
    double   norm2;
    uint64_t hash;
    int64_t  ascending_mask; /* negative: columns ascend from 0 or more */
} row_summary;

/* Summarise a row in one pass. The sum of squares is that of row_norm2_dense(), bit for
 * bit. */
SDCA_INLINE row_summary summarize_float32(const int32_t *column, const float *value,
                                          int64_t count)
{
    double      s[4]     = { 0.0, 0.0, 0.0, 0.0 };
    row_summary summary  = { 0.0, 0, -1 };
    int64_t     previous = -1;
    int64_t     k        = 0;

    for (; k + 4 <= count; k += 4) {
        for (int j = 0; j < 4; j++) {
            s[j] += (double)value[k + j] * (double)value[k + j];
            summary.hash += hash_float32(column[k + j], value[k + j]);
            summary.ascending_mask &= previous - column[k + j];
            previous = column[k + j];
        }
    }
    for (; k < count; k++) {
        s[0] += (double)value[k] * (double)value[k];
        summary.hash += hash_float32(column[k], value[k]);
        summary.ascending_mask &= previous - column[k];
        previous = column[k];
    }
    summary.norm2 = (s[0] + s[1]) + (s[2] + s[3]);
    return summary;
}

/* The same for float64 values; *exact stays true if all of them are exact in float32. */
SDCA_INLINE row_summary summarize_float64(const int32_t *column, const double *value,
                                          int64_t count, bool *exact)
{
    row_summary summary   = { row_norm2_dense64(value, count), 0, -1 };
    int64_t     previous  = -1;
    bool        all_exact = true;

    for (int64_t k = 0; k < count; k++) {
        bool value_exact;

        summary.hash += hash_float64(column[k], value[k], &value_exact);
        summary.ascending_mask &= previous - column[k];
        previous = column[k];
        all_exact &= value_exact;
    }
    *exact = *exact && all_exact;
    return summary;
}

/* Store a row times a factor; returns the squared norm of the result. */
#define SDCA_STORE_SPARSE(suffix, entry_type)                        \
    SDCA_INLINE double store_##suffix(                               \
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

SDCA_STORE_SPARSE(sparse16, sdca_entry16)
SDCA_STORE_SPARSE(sparse32, sdca_entry32)

#undef SDCA_STORE_SPARSE

SDCA_INLINE double store_dense32(sdca_rows *x, int64_t first, const int32_t *column,
                                 float *value, int64_t count, double factor)
{
    memset(x->dense32 + first, 0, (size_t)x->columns * sizeof *x->dense32);
    for (int64_t k = 0; k < count; k++) {
        value[k]                      = (float)(value[k] * factor);
        x->dense32[first + column[k]] = value[k];
    }
    return row_norm2_dense32(value, count);
}

SDCA_INLINE void store_float64(sdca_rows *x, int64_t first, const int32_t *column,
                               const double *value, int64_t count)
{
    if (x->dense64 != NULL) {
        memset(x->dense64 + first, 0, (size_t)x->columns * sizeof *x->dense64);
    }
    for (int64_t k = 0; x->dense64 != NULL && k < count; k++) {
        x->dense64[first + column[k]] = value[k];
    }
    for (int64_t k = 0; x->dense64 == NULL && k < count; k++) {
        x->sparse64[first + k] = (sdca_entry64){ column[k], value[k] };
    }
}

#endif
