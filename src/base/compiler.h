/* SPDX-License-Identifier: BSD-3-Clause
 *
 * compiler.h - for the loops in which time is spent: put in line always, ask ahead, and
 * choose without a jump. */
#ifndef SDCA_BASE_COMPILER_H
#define SDCA_BASE_COMPILER_H

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* SDCA_PREFETCH asks for what is needed soon, SDCA_PREFETCH_STREAM for more than the
 * nearest cache should hold: it is brought to the second one. */
#if defined(__GNUC__)
#define SDCA_INLINE static inline __attribute__((always_inline))
#define SDCA_PREFETCH(address) __builtin_prefetch(address)
#define SDCA_PREFETCH_STREAM(address) __builtin_prefetch(address, 0, 2)
#else
#define SDCA_INLINE static inline
#define SDCA_PREFETCH(address) ((void)(address))
#define SDCA_PREFETCH_STREAM(address) ((void)(address))
#endif

/* The greater and the lesser of two; y where one is not a number. Which it will be is as
 * good as random, and a jump would be guessed wrong: compilers make jumps of the plain
 * words, and fmax() is a call, so the instruction is named where there is one. */
SDCA_INLINE double branchless_max(double x, double y)
{
#if defined(__SSE2__)
    return _mm_cvtsd_f64(_mm_max_sd(_mm_set_sd(x), _mm_set_sd(y)));
#else
    return x > y ? x : y;
#endif
}

SDCA_INLINE double branchless_min(double x, double y)
{
#if defined(__SSE2__)
    return _mm_cvtsd_f64(_mm_min_sd(_mm_set_sd(x), _mm_set_sd(y)));
#else
    return x < y ? x : y;
#endif
}

#endif
