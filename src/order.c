/* SPDX-License-Identifier: BSD-3-Clause
 *
 * order.c - which of my rows comes next. */
#include "sdca/order.h"

#include <stdlib.h>

#include "sdca/random.h"

sdca_status sdca_order_create(sdca_order_kind kind, uint64_t seed, int rank,
                              uint32_t rows, sdca_order *out)
{
    sdca_order order = {
        .kind = kind, .seed = seed, .rank = (uint32_t)rank, .rows = rows
    };

    order.row = malloc(((size_t)rows + 1) * sizeof *order.row);
    if (order.row == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the order of %lu rows",
                         (unsigned long)rows);
    }
    *out = order;
    return SDCA_OK;
}

void sdca_order_free(sdca_order *order)
{
    free(order->row);
    order->row = NULL;
}

/* All rows, but for those that rest: these have rested a sweep more. */
static void take_rows(sdca_order *order, sdca_rest *rest)
{
    for (uint32_t i = 0; i < order->rows; i++) {
        if (rest == NULL || rest->wait[i] == 0) {
            order->row[order->count++] = i;
        } else {
            rest->wait[i]--;
        }
    }
}

static void begin_sweep(sdca_order *order, sdca_rest *rest)
{
    uint64_t    number = order->kind == SDCA_ORDER_CYCLIC ? 0 : (uint64_t)order->sweep;
    sdca_random stream =
        sdca_random_stream(order->seed, SDCA_PURPOSE_ORDER, number, order->rank);

    order->place = 0;
    order->count = 0;
    order->sweep++;
    if (order->kind == SDCA_ORDER_RANDOM) {
        while (order->count < order->rows) {
            order->row[order->count++] = sdca_random_below(&stream, order->rows);
        }
        return;
    }
    if (rest != NULL) {
        sdca_rest_begin_sweep(rest);
    }
    take_rows(order, rest);
    sdca_random_shuffle(&stream, order->row, order->count);
}

const uint32_t *sdca_order_next(sdca_order *order, sdca_rest *rest, int64_t most,
                                uint32_t *count)
{
    const uint32_t *next = NULL;
    uint32_t        left;

    /* Where all rows rest, sweeps pass until one wakes: 63 at most. */
    while (order->place == order->count && order->rows > 0) {
        begin_sweep(order, rest);
    }
    left   = order->count - order->place;
    *count = most < left ? (uint32_t)most : left;
    next   = order->row + order->place;
    order->place += *count;
    order->step += *count;
    return next;
}
