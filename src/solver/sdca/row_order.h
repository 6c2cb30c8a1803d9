/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_order.h - the order in which a rank visits its rows.
 *
 * Rows are visited in sweeps, each of as many visits as there are rows, which is an
 * epoch; with shrinking, of fewer. A sweep is a function of (seed, number of the
 * sweep, rank) and of the active rows, without further state. */
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
    uint32_t            position; /* in the current sweep ... */
    uint32_t            count;    /* ... of this many rows ... */
    uint32_t           *row;      /* ... namely these */
    uint8_t            *due;      /* with several lanes: for which of them, as bits */
    uint32_t           *group;    /* automatic order: the groups, shuffled */
    unsigned            lanes; /* the lanes that take part in sweeps to come, as bits */

    /* The cyclic order is that of the file, and this is where its rows are in memory. All
     * zero after creation: in the order of the file. */
    sdca_permutation file_order;
} sdca_row_order;

/* Start before the first sweep. The automatic order assumes that consecutive rows are
 * unrelated (rows are shuffled when they are read) and visits them together, which
 * saves cache misses. Local. The caller frees out with sdca_row_order_free(). */
sdca_status sdca_row_order_create(sdca_row_order_kind kind, uint64_t seed, int rank,
                                  uint32_t rows, sdca_row_order *out);

/* Let an automatic order visit rows for several models, of which these bits take part;
 * shrinking is then not NULL. Local. */
sdca_status sdca_row_order_use_lanes(sdca_row_order *order, unsigned lanes);
void        sdca_row_order_free(sdca_row_order *order);

/* The rows of the current sweep, one byte each: 0x80 or 0; with several lanes the bits
 * of those that are due. active has space for all rows, rounded up to a multiple of 8.
 * Local. */
void sdca_row_order_mark_active(const sdca_row_order *order, uint8_t *active);

/* Resume at a position in a sweep of the active rows, which only the automatic order
 * uses. Returns false if the sweep has no such position. Local. */
bool sdca_row_order_resume(sdca_row_order *order, int64_t sweep, int64_t position,
                           const uint8_t *active);

/* The number of rows left in the current sweep; begins the next one if it is over or none
 * has begun. shrinking is as below. Local. */
uint32_t sdca_row_order_remaining(sdca_row_order *order, sdca_shrinking *shrinking);

/* The next rows, at most most of them, and fewer at the end of a sweep; *count is their
 * number, 0 only if there are no rows. Valid until the next call. shrinking, which only
 * the automatic order uses, may be NULL. Local. */
const uint32_t *sdca_row_order_next(sdca_row_order *order, sdca_shrinking *shrinking,
                                    int64_t most, uint32_t *count);

#endif
