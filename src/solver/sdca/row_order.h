/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_order.h - which of my rows comes next.
 *
 * Rows come in sweeps, of as many visits as there are rows: an epoch each. With
 * rows that rest, a sweep is shorter. A sweep is a function of (seed, its
 * number, rank) and of who rests: there is no other state. */
#ifndef SDCA_SOLVER_SDCA_ROW_ORDER_H
#define SDCA_SOLVER_SDCA_ROW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "base/status.h"
#include "sdca/train.h"
#include "solver/sdca/shrinking.h"

enum { SDCA_ROW_ORDER_COUNT = SDCA_ROW_ORDER_CYCLIC + 1 };

/* The names of the kinds in options and files. */
extern const char *const sdca_row_order_names[SDCA_ROW_ORDER_COUNT];

typedef struct sdca_row_order {
    sdca_row_order_kind kind;
    uint64_t            seed;
    uint32_t            rank;
    uint32_t            rows;
    int64_t             sweep;    /* sweeps begun */
    uint32_t            position; /* in the present sweep ... */
    uint32_t            count;    /* ... which has so many rows ... */
    uint32_t           *row;      /* ... namely these */
    uint32_t           *group;    /* automatic order: the groups, shuffled */

    /* A cyclic order is that of the file, wherever rows lie in memory: this says
     * where. Nothing after creation: they lie as in the file. */
    sdca_permutation file_order;
} sdca_row_order;

/* The order from its beginning. The automatic one takes for granted that neighbours have
 * nothing to do with each other (rows shuffled when they were read): it visits them
 * together, as memory likes it. Local. What out holds is the caller's, to be freed
 * with sdca_row_order_free(). */
sdca_status sdca_row_order_create(sdca_row_order_kind kind, uint64_t seed, int rank,
                                  uint32_t rows, sdca_row_order *out);
void        sdca_row_order_free(sdca_row_order *order);

/* Which rows the present sweep has, one byte each: 0x80 or 0; due holds a multiple of 8
 * bytes, for all rows at least. Local. */
void sdca_row_order_mark_active(const sdca_row_order *order, uint8_t *active);

/* Go on in the midst of a sweep that began with these rows, at that place in it. Only
 * the automatic order looks at due. False if the sweep has no such place. Local. */
bool sdca_row_order_resume(sdca_row_order *order, int64_t sweep, int64_t position,
                           const uint8_t *active);

/* How many rows are left in the present sweep; if it is over, or none has begun, the next
 * one begins. rest: as below. Local. */
uint32_t sdca_row_order_remaining(sdca_row_order *order, sdca_shrinking *shrinking);

/* The next rows, at most most of them; *count says how many, fewer at the end
 * of a sweep, none only if there are no rows. They stay valid until the next
 * call. rest says who rests, in the automatic order alone; it may be NULL. Local. */
const uint32_t *sdca_row_order_next(sdca_row_order *order, sdca_shrinking *shrinking,
                                    int64_t most, uint32_t *count);

#endif
