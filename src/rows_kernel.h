/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows_kernel.h - the loops over one row, to be inlined.
 *
 * The same loops for entries of any width, sparse and dense. Several
 * partial sums keep as many multiply-adds in flight; the order of summation is
 * fixed, so the result is the same wherever a row is met, however many values the
 * processor takes at once. */
#ifndef SDCA_ROWS_KERNEL_H
#define SDCA_ROWS_KERNEL_H

#include <string.h>

#include "inline.h"
#include "sdca/rows.h"

/* What rows are made of. */
typedef enum row_kind { SLIM, NARROW, WIDE, DENSE, DENSE_WIDE, ROW_KINDS } row_kind;

/* make(name, kind) for each of them: a function, or its place in a table. */
#define SDCA_FOR_ROW_KINDS(make, name)                                     \
    make(name, SLIM) make(name, NARROW) make(name, WIDE) make(name, DENSE) \
        make(name, DENSE_WIDE)
#define SDCA_COUNT_KIND(name, kind) +1
_Static_assert(SDCA_FOR_ROW_KINDS(SDCA_COUNT_KIND, ) == ROW_KINDS, "all kinds are there");
#undef SDCA_COUNT_KIND

SDCA_INLINE row_kind kind_of(const sdca_rows *x)
{
    return x->slim != NULL    ? SLIM
           : x->entry != NULL ? NARROW
           : x->wide != NULL  ? WIDE
           : x->dense != NULL ? DENSE
                              : DENSE_WIDE;
}

SDCA_INLINE bool is_sparse(row_kind kind)
{
    return kind == SLIM || kind == NARROW || kind == WIDE;
}

SDCA_INLINE sdca_slim_entry make_slim(int32_t column, float value)
{
    sdca_slim_entry x = { .column = (uint16_t)column };

    memcpy(x.value, &value, sizeof value);
    return x;
}

SDCA_INLINE sdca_entry make_narrow(int32_t column, float value)
{
    return (sdca_entry){ column, value };
}

SDCA_INLINE double value_slim(const sdca_slim_entry *x)
{
    float value;

    memcpy(&value, x->value, sizeof value);
    return (double)value;
}

SDCA_INLINE double value_narrow(const sdca_entry *x)
{
    return (double)x->value;
}

SDCA_INLINE double value_wide(const sdca_wide_entry *x)
{
    return x->value;
}

#define SDCA_ROW_LOOPS(suffix, entry_type)                                               \
    SDCA_INLINE double row_dot_##suffix(const entry_type *x, int64_t count,              \
                                        const double *w)                                 \
    {                                                                                    \
        double  s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;                                  \
        int64_t k = 0;                                                                   \
                                                                                         \
        for (; k + 4 <= count; k += 4) {                                                 \
            s0 += value_##suffix(&x[k]) * w[x[k].column];                                \
            s1 += value_##suffix(&x[k + 1]) * w[x[k + 1].column];                        \
            s2 += value_##suffix(&x[k + 2]) * w[x[k + 2].column];                        \
            s3 += value_##suffix(&x[k + 3]) * w[x[k + 3].column];                        \
        }                                                                                \
        for (; k < count; k++) {                                                         \
            s0 += value_##suffix(&x[k]) * w[x[k].column];                                \
        }                                                                                \
        return (s0 + s1) + (s2 + s3);                                                    \
    }                                                                                    \
                                                                                         \
    SDCA_INLINE void row_add_##suffix(const entry_type *x, int64_t count, double factor, \
                                      double *w)                                         \
    {                                                                                    \
        int64_t k = 0;                                                                   \
                                                                                         \
        for (; k + 4 <= count; k += 4) {                                                 \
            w[x[k].column] += factor * value_##suffix(&x[k]);                            \
            w[x[k + 1].column] += factor * value_##suffix(&x[k + 1]);                    \
            w[x[k + 2].column] += factor * value_##suffix(&x[k + 2]);                    \
            w[x[k + 3].column] += factor * value_##suffix(&x[k + 3]);                    \
        }                                                                                \
        for (; k < count; k++) {                                                         \
            w[x[k].column] += factor * value_##suffix(&x[k]);                            \
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
                s[j] += value_##suffix(&x[k + j]) * value_##suffix(&x[k + j]);           \
            }                                                                            \
        }                                                                                \
        for (; k < count; k++) {                                                         \
            s[0] += value_##suffix(&x[k]) * value_##suffix(&x[k]);                       \
        }                                                                                \
        return (s[0] + s[1]) + (s[2] + s[3]);                                            \
    }

SDCA_ROW_LOOPS(slim, sdca_slim_entry)
SDCA_ROW_LOOPS(narrow, sdca_entry)
SDCA_ROW_LOOPS(wide, sdca_wide_entry)

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
    SDCA_INLINE void row_add_##suffix(const real *restrict x, int64_t count,      \
                                      double factor, double *restrict w)          \
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

SDCA_DENSE_LOOPS(dense, float)
SDCA_DENSE_LOOPS(dense_wide, double)

#undef SDCA_DENSE_LOOPS

/* The same for the width entries from first on, the kind being a constant. */
SDCA_INLINE double row_dot(row_kind kind, const sdca_rows *x, int64_t first,
                           int64_t width, const double *w)
{
    return kind == SLIM     ? row_dot_slim(x->slim + first, width, w)
           : kind == NARROW ? row_dot_narrow(x->entry + first, width, w)
           : kind == WIDE   ? row_dot_wide(x->wide + first, width, w)
           : kind == DENSE  ? row_dot_dense(x->dense + first, width, w)
                            : row_dot_dense_wide(x->dense_wide + first, width, w);
}

SDCA_INLINE void row_add(row_kind kind, const sdca_rows *x, int64_t first, int64_t width,
                         double factor, double *w)
{
    switch (kind) {
    case SLIM:
        row_add_slim(x->slim + first, width, factor, w);
        break;
    case NARROW:
        row_add_narrow(x->entry + first, width, factor, w);
        break;
    case WIDE:
        row_add_wide(x->wide + first, width, factor, w);
        break;
    case DENSE:
        row_add_dense(x->dense + first, width, factor, w);
        break;
    default:
        row_add_dense_wide(x->dense_wide + first, width, factor, w);
    }
}

SDCA_INLINE double row_norm2(row_kind kind, const sdca_rows *x, int64_t first,
                             int64_t width)
{
    return kind == SLIM     ? row_norm2_slim(x->slim + first, width)
           : kind == NARROW ? row_norm2_narrow(x->entry + first, width)
           : kind == WIDE   ? row_norm2_wide(x->wide + first, width)
           : kind == DENSE  ? row_norm2_dense(x->dense + first, width)
                            : row_norm2_dense_wide(x->dense_wide + first, width);
}

/* Column of the k-th entry of sparse rows, and value of that of any. */
SDCA_INLINE int32_t entry_column(row_kind kind, const sdca_rows *x, int64_t k)
{
    return kind == SLIM     ? x->slim[k].column
           : kind == NARROW ? x->entry[k].column
                            : (int32_t)x->wide[k].column;
}

SDCA_INLINE double entry_value(row_kind kind, const sdca_rows *x, int64_t k)
{
    return kind == SLIM     ? value_slim(&x->slim[k])
           : kind == NARROW ? value_narrow(&x->entry[k])
           : kind == WIDE   ? value_wide(&x->wide[k])
           : kind == DENSE  ? (double)x->dense[k]
                            : x->dense_wide[k];
}

/* Where the entries from first on are, to ask for them ahead. */
SDCA_INLINE const char *row_address(row_kind kind, const sdca_rows *x, int64_t first)
{
    return kind == SLIM     ? (const char *)(x->slim + first)
           : kind == NARROW ? (const char *)(x->entry + first)
           : kind == WIDE   ? (const char *)(x->wide + first)
           : kind == DENSE  ? (const char *)(x->dense + first)
                            : (const char *)(x->dense_wide + first);
}

/* Ask for the first lines of the row whose entries begin there. */
SDCA_INLINE void ask_for_entries(row_kind kind, const sdca_rows *x, int64_t first,
                                 int lines)
{
    enum { LINE = 64 };
    const char *from = row_address(kind, x, first);

    for (int line = 0; line < lines; line++) {
        SDCA_PREFETCH_STREAM(from + line * LINE);
    }
}

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
