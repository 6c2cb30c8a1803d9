/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compiler.h - for inner loops: forced inlining, prefetch, and branchless min and max. */
#ifndef SDCA_BASE_COMPILER_H
#define SDCA_BASE_COMPILER_H

#if defined(__SSE2__) && !defined(SDCA_VECTOR_LOOPS)
#define SDCA_SCALAR_SSE2
#include <emmintrin.h>
#endif

/* SDCA_PREFETCH loads into all caches, SDCA_PREFETCH_STREAM into the second level only,
 * for more data than the first level should hold. */
#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define SDCA_INLINE static inline __attribute__((always_inline))
#else /* not optimised, a copy of the loop for each loss and row format takes 80 MB */
#define SDCA_INLINE static inline
#endif
#if defined(__GNUC__)
#define SDCA_PREFETCH(address) __builtin_prefetch(address)
#define SDCA_PREFETCH_STREAM(address) __builtin_prefetch(address, 0, 2)
#else
#define SDCA_PREFETCH(address) ((void)(address))
#define SDCA_PREFETCH_STREAM(address) ((void)(address))
#endif

/* Maximum and minimum; y if one of them is NaN. The result is unpredictable in practice,
 * so a branch would often be mispredicted. Compilers turn the conditional expression
 * into a branch, and fmax() is a call: the SSE2 instruction is named where there is one.
 * In a source that defines SDCA_VECTOR_LOOPS the compiler makes vector instructions of
 * loops, for which it needs the expression. */
SDCA_INLINE double branchless_max(double x, double y)
{
#if defined(SDCA_SCALAR_SSE2)
    return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(x), _mm_set_sd(y)));
#else
    return x > y ? x : y;
#endif
}

SDCA_INLINE double branchless_min(double x, double y)
{
#if defined(SDCA_SCALAR_SSE2)
    return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(x), _mm_set_sd(y)));
#else
    return x < y ? x : y;
#endif
}

#endif
