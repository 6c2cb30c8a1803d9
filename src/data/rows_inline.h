/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_inline.h - the inlined loops over one row.
 *
 * The same loops for all formats. Several partial sums keep the multiply-add units busy;
 * the order of summation is fixed, so that the result is the same wherever a row is used
 * and whatever the vector width is. */
#ifndef SDCA_DATA_ROWS_INLINE_H
#define SDCA_DATA_ROWS_INLINE_H

#include <string.h>

#include "base/compiler.h"
#include "data/rows.h"

/* The formats of rows. */
typedef enum row_format {
    SPARSE16,
    SPARSE32,
    SPARSE64,
    DENSE32,
    DENSE64,
    ROW_FORMATS
} row_format;

/* make(name, format) for each format: a function, or its entry in a table. */
#define SDCA_FOR_ROW_FORMATS(make, name)                                               \
    make(name, SPARSE16) make(name, SPARSE32) make(name, SPARSE64) make(name, DENSE32) \
        make(name, DENSE64)
#define SDCA_COUNT_FORMAT(name, format) +1
_Static_assert(SDCA_FOR_ROW_FORMATS(SDCA_COUNT_FORMAT, ) == ROW_FORMATS,
               "all kinds are there");
#undef SDCA_COUNT_FORMAT

SDCA_INLINE row_format format_of(const sdca_rows *x)
{
    return x->sparse16 != NULL   ? SPARSE16
           : x->sparse32 != NULL ? SPARSE32
           : x->sparse64 != NULL ? SPARSE64
           : x->dense32 != NULL  ? DENSE32
                                 : DENSE64;
}

SDCA_INLINE bool is_sparse(row_format format)
{
    return format == SPARSE16 || format == SPARSE32 || format == SPARSE64;
}

SDCA_INLINE sdca_entry16 make_sparse16(int32_t column, float value)
{
    sdca_entry16 x = { .column = (uint16_t)column };

    memcpy(x.value, &value, sizeof value);
    return x;
}

SDCA_INLINE sdca_entry32 make_sparse32(int32_t column, float value)
{
    return (sdca_entry32){ column, value };
}

SDCA_INLINE double value_sparse16(const sdca_entry16 *x)
{
    float value;

    memcpy(&value, x->value, sizeof value);
    return (double)value;
}

SDCA_INLINE double value_sparse32(const sdca_entry32 *x)
{
    return (double)x->value;
}

SDCA_INLINE double value_sparse64(const sdca_entry64 *x)
{
    return x->value;
}

#define SDCA_ROW_LOOPS(suffix, entry_type)                                     \
    SDCA_INLINE double row_dot_##suffix(const entry_type *x, int64_t count,    \
                                        const double *w)                       \
    {                                                                          \
        double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;                        \
        int64_t k = 0;                                                         \
                                                                               \
        for (; k + 4 <= count; k += 4) {                                       \
            s0 += value_##suffix(&x[k]) * w[x[k].column];                      \
            s1 += value_##suffix(&x[k + 1]) * w[x[k + 1].column];              \
            s2 += value_##suffix(&x[k + 2]) * w[x[k + 2].column];              \
            s3 += value_##suffix(&x[k + 3]) * w[x[k + 3].column];              \
        }                                                                      \
        for (; k < count; k++) {                                               \
            s0 += value_##suffix(&x[k]) * w[x[k].column];                      \
        }                                                                      \
        return (s0 + s1) + (s2 + s3);                                          \
    }                                                                          \
                                                                               \
    SDCA_INLINE void row_axpy_##suffix(const entry_type *x, int64_t count,     \
                                       double factor, double *w)               \
    {                                                                          \
        int64_t k = 0;                                                         \
                                                                               \
        for (; k + 4 <= count; k += 4) {                                       \
            w[x[k].column] += factor * value_##suffix(&x[k]);                  \
            w[x[k + 1].column] += factor * value_##suffix(&x[k + 1]);          \
            w[x[k + 2].column] += factor * value_##suffix(&x[k + 2]);          \
            w[x[k + 3].column] += factor * value_##suffix(&x[k + 3]);          \
        }                                                                      \
        for (; k < count; k++) {                                               \
            w[x[k].column] += factor * value_##suffix(&x[k]);                  \
        }                                                                      \
    }                                                                          \
                                                                               \
    SDCA_INLINE double row_norm2_##suffix(const entry_type *x, int64_t count)  \
    {                                                                          \
        double  s[4] = { 0.0, 0.0, 0.0, 0.0 };                                 \
        int64_t k    = 0;                                                      \
                                                                               \
        for (; k + 4 <= count; k += 4) {                                       \
            for (int j = 0; j < 4; j++) {                                      \
                s[j] += value_##suffix(&x[k + j]) * value_##suffix(&x[k + j]); \
            }                                                                  \
        }                                                                      \
        for (; k < count; k++) {                                               \
            s[0] += value_##suffix(&x[k]) * value_##suffix(&x[k]);             \
        }                                                                      \
        return (s[0] + s[1]) + (s[2] + s[3]);                                  \
    }

SDCA_ROW_LOOPS(sparse16, sdca_entry16)
SDCA_ROW_LOOPS(sparse32, sdca_entry32)
SDCA_ROW_LOOPS(sparse64, sdca_entry64)

#undef SDCA_ROW_LOOPS

#define SDCA_DENSE_LOOPS(suffix, real)                                            \
    SDCA_INLINE double row_dot_##suffix(const real *restrict x, int64_t count,    \
                                        const double *restrict w)                 \
    {                                                                             \
        double  s[8] = { 0.0 };                                                   \
        int64_t k    = 0;                                                         \
                                                                                  \
        for (; k + 8 <= count; k += 8) {                                          \
            for (int j = 0; j < 8; j++) {                                         \
                s[j] += (double)x[k + j] * w[k + j];                              \
            }                                                                     \
        }                                                                         \
        for (; k < count; k++) {                                                  \
            s[0] += (double)x[k] * w[k];                                          \
        }                                                                         \
        return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); \
    }                                                                             \
                                                                                  \
    SDCA_INLINE void row_axpy_##suffix(const real *restrict x, int64_t count,     \
                                       double factor, double *restrict w)         \
    {                                                                             \
        for (int64_t k = 0; k < count; k++) {                                     \
            w[k] += factor * (double)x[k];                                        \
        }                                                                         \
    }                                                                             \
                                                                                  \
    SDCA_INLINE double row_norm2_##suffix(const real *x, int64_t count)           \
    {                                                                             \
        double  s[4] = { 0.0, 0.0, 0.0, 0.0 };                                    \
        int64_t k    = 0;                                                         \
                                                                                  \
        for (; k + 4 <= count; k += 4) {                                          \
            for (int j = 0; j < 4; j++) {                                         \
                s[j] += (double)x[k + j] * (double)x[k + j];                      \
            }                                                                     \
        }                                                                         \
        for (; k < count; k++) {                                                  \
            s[0] += (double)x[k] * (double)x[k];                                  \
        }                                                                         \
        return (s[0] + s[1]) + (s[2] + s[3]);                                     \
    }

SDCA_DENSE_LOOPS(dense32, float)
SDCA_DENSE_LOOPS(dense64, double)

#undef SDCA_DENSE_LOOPS

/* The same for count entries from first on, with a constant format. */
SDCA_INLINE double row_dot(row_format format, const sdca_rows *x, int64_t first,
                           int64_t width, const double *w)
{
    return format == SPARSE16   ? row_dot_sparse16(x->sparse16 + first, width, w)
           : format == SPARSE32 ? row_dot_sparse32(x->sparse32 + first, width, w)
           : format == SPARSE64 ? row_dot_sparse64(x->sparse64 + first, width, w)
           : format == DENSE32  ? row_dot_dense32(x->dense32 + first, width, w)
                                : row_dot_dense64(x->dense64 + first, width, w);
}

SDCA_INLINE void row_axpy(row_format format, const sdca_rows *x, int64_t first,
                          int64_t width, double factor, double *w)
{
    switch (format) {
    case SPARSE16:
        row_axpy_sparse16(x->sparse16 + first, width, factor, w);
        break;
    case SPARSE32:
        row_axpy_sparse32(x->sparse32 + first, width, factor, w);
        break;
    case SPARSE64:
        row_axpy_sparse64(x->sparse64 + first, width, factor, w);
        break;
    case DENSE32:
        row_axpy_dense32(x->dense32 + first, width, factor, w);
        break;
    default:
        row_axpy_dense64(x->dense64 + first, width, factor, w);
    }
}

SDCA_INLINE double row_norm2(row_format format, const sdca_rows *x, int64_t first,
                             int64_t width)
{
    return format == SPARSE16   ? row_norm2_sparse16(x->sparse16 + first, width)
           : format == SPARSE32 ? row_norm2_sparse32(x->sparse32 + first, width)
           : format == SPARSE64 ? row_norm2_sparse64(x->sparse64 + first, width)
           : format == DENSE32  ? row_norm2_dense32(x->dense32 + first, width)
                                : row_norm2_dense64(x->dense64 + first, width);
}

/* Column of entry k of sparse rows, and its value in any format. */
SDCA_INLINE int32_t entry_column(row_format format, const sdca_rows *x, int64_t k)
{
    return format == SPARSE16   ? x->sparse16[k].column
           : format == SPARSE32 ? x->sparse32[k].column
                                : (int32_t)x->sparse64[k].column;
}

SDCA_INLINE double entry_value(row_format format, const sdca_rows *x, int64_t k)
{
    return format == SPARSE16   ? value_sparse16(&x->sparse16[k])
           : format == SPARSE32 ? value_sparse32(&x->sparse32[k])
           : format == SPARSE64 ? value_sparse64(&x->sparse64[k])
           : format == DENSE32  ? (double)x->dense32[k]
                                : x->dense64[k];
}

/* The address of the entries from first on, to prefetch them. */
SDCA_INLINE const char *entry_address(row_format format, const sdca_rows *x,
                                      int64_t first)
{
    return format == SPARSE16   ? (const char *)(x->sparse16 + first)
           : format == SPARSE32 ? (const char *)(x->sparse32 + first)
           : format == SPARSE64 ? (const char *)(x->sparse64 + first)
           : format == DENSE32  ? (const char *)(x->dense32 + first)
                                : (const char *)(x->dense64 + first);
}

/* Prefetch the first cache lines of the row whose entries begin there. */
SDCA_INLINE void prefetch_entries(row_format format, const sdca_rows *x, int64_t first,
                                  int lines)
{
    enum { CACHE_LINE = 64 };
    const char *from = entry_address(format, x, first);

    for (int line = 0; line < lines; line++) {
        SDCA_PREFETCH_STREAM(from + line * CACHE_LINE);
    }
}

/* A non-zero's term of the hash of its row. Terms are added, so that they are
 * independent of each other. */
SDCA_INLINE uint64_t hash_entry(uint64_t column, uint64_t bits)
{
    uint64_t mixed = (column << 32 ^ bits) * 0x9fb21c651e98df25U;

    return mixed * (mixed >> 32 | 1);
}

SDCA_INLINE uint64_t hash_float32(int64_t column, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return hash_entry((uint64_t)column, bits);
}

/* A value that is exact in float32 has the term of its float32. */
SDCA_INLINE uint64_t hash_float64(int64_t column, double value, bool *exact)
{
    float    rounded = (float)value;
    uint64_t bits;

    *exact = (double)rounded == value;
    memcpy(&bits, &value, sizeof bits);
    return *exact ? hash_float32(column, rounded)
                  : hash_entry((uint64_t)column, bits * 0xbf58476d1ce4e5b9U);
}

#endif
