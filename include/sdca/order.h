/* SPDX-License-Identifier: BSD-3-Clause
 *
 * order.h - which of my rows comes next.
 *
 * An epoch is as many steps as there are rows. The rows of an epoch are a
 * function of (seed, epoch, rank), so the place in the order is one number. */
#ifndef SDCA_ORDER_H
#define SDCA_ORDER_H

#include <stdint.h>

#include "sdca/status.h"

typedef enum sdca_order_kind {
    SDCA_ORDER_PERMUTATION, /* a new permutation each epoch: SDCA-Perm */
    SDCA_ORDER_RANDOM,      /* each row drawn by itself: SDCA */
    SDCA_ORDER_CYCLIC       /* the permutation of the first epoch, for ever */
} sdca_order_kind;

typedef struct sdca_order {
    sdca_order_kind kind;
    uint64_t        seed;
    uint32_t        rank;
    uint32_t        rows;
    int64_t         step; /* steps given out so far */
    uint32_t       *row;  /* the rows of the epoch that step is in */
} sdca_order;

/* The order from its beginning. Local. What out holds is the caller's, to be
 * freed with sdca_order_free(). */
sdca_status sdca_order_create(sdca_order_kind kind, uint64_t seed, int rank,
                              uint32_t rows, sdca_order *out);
void        sdca_order_free(sdca_order *order);

/* The next rows, at most most of them; *count says how many, fewer at the end
 * of an epoch, none only if there are no rows. They stay valid until the next
 * call. Local. */
const uint32_t *sdca_order_next(sdca_order *order, int64_t most, uint32_t *count);

#endif
