/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kernel_dispatch.h - loops over rows that exist once per loss and row format, which
 * are constants inside them.
 *
 *     SDCA_INLINE void work(primal_function *primal, row_format format, ...) { ... }
 *
 *     #define DEFINE_WORK(id, format)                        \
 *         static void work_##id##_##format(...)              \
 *         {                                                  \
 *             work(id##_primal, format, ...);                \
 *         }
 *     SDCA_DEFINE_KERNELS(DEFINE_WORK)
 *     static work_function *const work_table[][ROW_FORMATS] = SDCA_KERNEL_TABLE(work);
 *     SDCA_KERNEL_TABLE_IS_COMPLETE(work_table);
 *
 *     work_table[objective->loss->kind][format_of(&data->x)](...);
 *
 * The functions of a loss, id_primal() and so on, are in loss_inline.h. */
#ifndef SDCA_OBJECTIVE_KERNEL_DISPATCH_H
#define SDCA_OBJECTIVE_KERNEL_DISPATCH_H

#include "data/rows_inline.h"
#include "objective/loss_inline.h"

/* define(id, format) for each loss and row format; and for one loss, which need not be
 * in the list. */
#define SDCA_DEFINE_KERNELS(define) SDCA_LOSS_LIST(SDCA_DEFINE_KERNELS_OF_ENTRY, define)
#define SDCA_DEFINE_KERNELS_OF_ENTRY(define, id, ...) SDCA_DEFINE_KERNELS_OF(define, id)
#define SDCA_DEFINE_KERNELS_OF(define, id) SDCA_FOR_ROW_FORMATS(define, id)

/* The initialiser of a table [loss][format] of the functions name_id_format, and of one
 * loss's part [format] of it. */
#define SDCA_KERNEL_TABLE(name)                       \
    {                                                 \
        SDCA_LOSS_LIST(SDCA_KERNEL_TABLE_ENTRY, name) \
    }
#define SDCA_KERNEL_TABLE_ENTRY(name, id, ...) \
    [SDCA_LOSS_##id] = SDCA_KERNEL_TABLE_OF(name, id),
#define SDCA_KERNEL_TABLE_OF(name, id)                              \
    {                                                               \
        SDCA_FOR_ROW_FORMATS(SDCA_KERNEL_TABLE_FORMAT, name##_##id) \
    }
#define SDCA_KERNEL_TABLE_FORMAT(name, format) [format] = name##_##format,

/* A table [loss] or [loss][format] has an entry for every loss. */
#define SDCA_KERNEL_TABLE_IS_COMPLETE(table)                            \
    _Static_assert(sizeof(table) / sizeof(table)[0] == SDCA_LOSS_COUNT, \
                   #table " has an entry for every loss")

#endif
