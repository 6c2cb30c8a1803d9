/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_row_kernels.c - loops over one row for several weight vectors at once.
 *
 * The lanes of a column are one vector, by the vector extensions of GCC and Clang; other
 * compilers get one lane after another. On x86-64 the loops are compiled for SSE2, AVX2
 * and AVX-512, and the processor decides. No fused multiply-add: the bits are the same
 * everywhere. */
#include "data/lane_row_kernels.h"

#include "base/compiler.h"
#include "data/rows_inline.h"

/* Offset of the lanes of entry k, the kth of the row. */
SDCA_INLINE int64_t lanes_of(row_format format, const sdca_rows *x, int64_t first,
                             int64_t k, int lanes)
{
    return (is_sparse(format) ? entry_column(format, x, first + k) : k) * lanes;
}

#if defined(__GNUC__)

/* All lanes of a column. Arrays of doubles are not aligned to more than a double. */
typedef double vector4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double vector8 __attribute__((vector_size(64), aligned(8), may_alias));

#define DEFINE_ALL_LANES(lanes)                                                         \
    SDCA_INLINE void dot_all_##lanes(row_format format, const sdca_rows *x,             \
                                     int64_t first, int64_t width, const double *w,     \
                                     double *z)                                         \
    {                                                                                   \
        const int      parts = is_sparse(format) ? 4 : 8;                               \
        vector##lanes  s[8]  = { { 0.0 } };                                             \
        vector##lanes *to    = (vector##lanes *)z;                                      \
        int64_t        k     = 0;                                                       \
                                                                                        \
        for (; k + parts <= width; k += parts) {                                        \
            for (int j = 0; j < parts; j++) {                                           \
                s[j] += entry_value(format, x, first + k + j) *                         \
                        *(const vector##lanes *)(w + lanes_of(format, x, first, k + j,  \
                                                              lanes));                  \
            }                                                                           \
        }                                                                               \
        for (; k < width; k++) {                                                        \
            s[0] += entry_value(format, x, first + k) *                                 \
                    *(const vector##lanes *)(w + lanes_of(format, x, first, k, lanes)); \
        }                                                                               \
        *to = is_sparse(format)                                                         \
                  ? (s[0] + s[1]) + (s[2] + s[3])                                       \
                  : ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));  \
    }                                                                                   \
                                                                                        \
    SDCA_INLINE void axpy_all_##lanes(row_format format, const sdca_rows *x,            \
                                      int64_t first, int64_t width,                     \
                                      const double *factor, double *w)                  \
    {                                                                                   \
        const vector##lanes by = *(const vector##lanes *)factor;                        \
                                                                                        \
        for (int64_t k = 0; k < width; k++) {                                           \
            *(vector##lanes *)(w + lanes_of(format, x, first, k, lanes)) +=             \
                by * entry_value(format, x, first + k);                                 \
        }                                                                               \
    }

#else

/* w.x in one lane, summed in the order of row_dot(). */
SDCA_INLINE double dot_one(row_format format, int lanes, const sdca_rows *x,
                           int64_t first, int64_t width, const double *w)
{
    const int parts = is_sparse(format) ? 4 : 8;
    double    s[8]  = { 0.0 };
    int64_t   k     = 0;

    for (; k + parts <= width; k += parts) {
        for (int j = 0; j < parts; j++) {
            s[j] += entry_value(format, x, first + k + j) *
                    w[lanes_of(format, x, first, k + j, lanes)];
        }
    }
    for (; k < width; k++) {
        s[0] +=
            entry_value(format, x, first + k) * w[lanes_of(format, x, first, k, lanes)];
    }
    return is_sparse(format)
               ? (s[0] + s[1]) + (s[2] + s[3])
               : ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

SDCA_INLINE void axpy_one(row_format format, int lanes, const sdca_rows *x, int64_t first,
                          int64_t width, double factor, double *w)
{
    for (int64_t k = 0; k < width; k++) {
        w[lanes_of(format, x, first, k, lanes)] +=
            factor * entry_value(format, x, first + k);
    }
}

#define DEFINE_ALL_LANES(lanes)                                                     \
    SDCA_INLINE void dot_all_##lanes(row_format format, const sdca_rows *x,         \
                                     int64_t first, int64_t width, const double *w, \
                                     double *z)                                     \
    {                                                                               \
        for (int m = 0; m < lanes; m++) {                                           \
            z[m] = dot_one(format, lanes, x, first, width, w + m);                  \
        }                                                                           \
    }                                                                               \
                                                                                    \
    SDCA_INLINE void axpy_all_##lanes(row_format format, const sdca_rows *x,        \
                                      int64_t first, int64_t width,                 \
                                      const double *factor, double *w)              \
    {                                                                               \
        for (int m = 0; m < lanes; m++) {                                           \
            axpy_one(format, lanes, x, first, width, factor[m], w + m);             \
        }                                                                           \
    }

#endif

DEFINE_ALL_LANES(4)
DEFINE_ALL_LANES(8)

/* The loops for one format, number of lanes and instruction set. */
#define DEFINE_KERNELS(format, lanes, set, attribute)                                 \
    attribute static void dot_##format##_##lanes##_##set(                             \
        const sdca_rows *x, int64_t first, int64_t width, const double *w, double *z) \
    {                                                                                 \
        dot_all_##lanes(format, x, first, width, w, z);                               \
    }                                                                                 \
    attribute static void axpy_##format##_##lanes##_##set(                            \
        const sdca_rows *x, int64_t first, int64_t width, const double *factor,       \
        double *w)                                                                    \
    {                                                                                 \
        axpy_all_##lanes(format, x, first, width, factor, w);                         \
    }

#define KERNELS_ENTRY(format, lanes, set) \
    [format] = { dot_##format##_##lanes##_##set, axpy_##format##_##lanes##_##set },

/* All formats, and a table of them. */
#define DEFINE_SET(lanes, set, attribute)                                          \
    DEFINE_KERNELS(SPARSE16, lanes, set, attribute)                                \
    DEFINE_KERNELS(SPARSE32, lanes, set, attribute)                                \
    DEFINE_KERNELS(SPARSE64, lanes, set, attribute)                                \
    DEFINE_KERNELS(DENSE32, lanes, set, attribute)                                 \
    DEFINE_KERNELS(DENSE64, lanes, set, attribute)                                 \
    static const sdca_lane_kernels kernels_##lanes##_##set[ROW_FORMATS] = {        \
        KERNELS_ENTRY(SPARSE16, lanes, set) KERNELS_ENTRY(SPARSE32, lanes, set)    \
            KERNELS_ENTRY(SPARSE64, lanes, set) KERNELS_ENTRY(DENSE32, lanes, set) \
                KERNELS_ENTRY(DENSE64, lanes, set)                                 \
    };

#define ANY_PROCESSOR
DEFINE_SET(4, any, ANY_PROCESSOR)
DEFINE_SET(8, any, ANY_PROCESSOR)

#if defined(__GNUC__) && defined(__x86_64__)
DEFINE_SET(4, avx2, __attribute__((target("avx2"))))
DEFINE_SET(8, avx2, __attribute__((target("avx2"))))
DEFINE_SET(8, avx512, __attribute__((target("avx512f"))))
#endif

const sdca_lane_kernels *sdca_lane_kernels_find(const sdca_rows *x, int lanes)
{
    row_format format = format_of(x);

#if defined(__GNUC__) && defined(__x86_64__)
    if (lanes == 8 && __builtin_cpu_supports("avx512f")) {
        return &kernels_8_avx512[format];
    }
    if (__builtin_cpu_supports("avx2")) {
        return lanes == 8 ? &kernels_8_avx2[format] : &kernels_4_avx2[format];
    }
#endif
    return lanes == 8 ? &kernels_8_any[format] : &kernels_4_any[format];
}
