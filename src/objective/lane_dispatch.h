/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_dispatch.h - functions over the lanes of a row that exist once per loss, number of
 * lanes and instruction set; the processor decides. The bits are the same everywhere.
 *
 *     #define DEFINE_WORK(id, lanes, set, attribute) \
 *         attribute static void work_##id##_##lanes##_##set(...) { ... }
 *     SDCA_DEFINE_LANE_KERNELS(DEFINE_WORK)
 *     static work_function *const work_table[][SDCA_LANE_VARIANTS] =
 *         SDCA_LANE_KERNEL_TABLE(work);
 *
 *     work_table[kind][sdca_lane_variant(lanes)](...);
 *
 * A source defines SDCA_VECTOR_LOOPS and includes model_lane_steps.h before this header.
 */
#ifndef SDCA_OBJECTIVE_LANE_DISPATCH_H
#define SDCA_OBJECTIVE_LANE_DISPATCH_H

#include "objective/loss_list.h"

#if defined(__GNUC__) && defined(__x86_64__)

#define SDCA_AVX2 __attribute__((target("avx2")))
#define SDCA_AVX512_FEATURES "avx512f,avx512dq,avx512vl,avx512bw"
#if defined(__clang__)
#define SDCA_AVX512 __attribute__((target(SDCA_AVX512_FEATURES), min_vector_width(512)))
#else
#define SDCA_AVX512 \
    __attribute__((target(SDCA_AVX512_FEATURES ",prefer-vector-width=512")))
#endif

enum { SDCA_LANE_VARIANTS = 5 };

#define SDCA_DEFINE_LANE_KERNELS_OF(define, id, ...)                         \
    define(id, 4, any, ) define(id, 8, any, ) define(id, 4, avx2, SDCA_AVX2) \
        define(id, 8, avx2, SDCA_AVX2) define(id, 8, avx512, SDCA_AVX512)
#define SDCA_LANE_KERNEL_TABLE_ENTRY(name, id, ...)                                      \
    [SDCA_LOSS_##id] = { name##_##id##_4_any, name##_##id##_8_any, name##_##id##_4_avx2, \
                         name##_##id##_8_avx2, name##_##id##_8_avx512 },

/* The column of a table for 4 or 8 lanes. Local. */
static inline int sdca_lane_variant(int lanes)
{
    if (lanes == 8 && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return 4;
    }
    return (__builtin_cpu_supports("avx2") ? 2 : 0) + (lanes == 8);
}

#else

enum { SDCA_LANE_VARIANTS = 2 };

#define SDCA_DEFINE_LANE_KERNELS_OF(define, id, ...) \
    define(id, 4, any, ) define(id, 8, any, )
#define SDCA_LANE_KERNEL_TABLE_ENTRY(name, id, ...) \
    [SDCA_LOSS_##id] = { name##_##id##_4_any, name##_##id##_8_any },

static inline int sdca_lane_variant(int lanes)
{
    return lanes == 8;
}

#endif

#define SDCA_DEFINE_LANE_KERNELS(define) \
    SDCA_LOSS_LIST(SDCA_DEFINE_LANE_KERNELS_OF, define)
#define SDCA_LANE_KERNEL_TABLE(name)                       \
    {                                                      \
        SDCA_LOSS_LIST(SDCA_LANE_KERNEL_TABLE_ENTRY, name) \
    }

#endif
