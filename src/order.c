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

static void begin_epoch(sdca_order *order)
{
    int64_t     epoch  = order->step / order->rows;
    sdca_random stream = sdca_random_stream(
        order->seed, SDCA_PURPOSE_ORDER,
        order->kind == SDCA_ORDER_CYCLIC ? 0 : (uint64_t)epoch, order->rank);

    for (uint32_t k = 0; k < order->rows; k++) {
        order->row[k] = order->kind == SDCA_ORDER_RANDOM
                            ? sdca_random_below(&stream, order->rows)
                            : k;
    }
    if (order->kind != SDCA_ORDER_RANDOM) {
        sdca_random_shuffle(&stream, order->row, order->rows);
    }
}

const uint32_t *sdca_order_next(sdca_order *order, int64_t most, uint32_t *count)
{
    uint32_t place, left;

    if (order->rows == 0) {
        *count = 0;
        return order->row;
    }
    place = (uint32_t)(order->step % order->rows);
    left  = order->rows - place;
    if (place == 0) {
        begin_epoch(order);
    }
    *count = most < left ? (uint32_t)most : left;
    order->step += *count;
    return order->row + place;
}
