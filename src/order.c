/* SPDX-License-Identifier: BSD-3-Clause
 *
 * order.c - which of my rows comes next. */
#include "sdca/order.h"

#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

/* Neighbours that are visited together. What is known of eight rows fills whole lines of
 * the cache; with more, few-column problems need more sweeps. */
enum { GROUP = SDCA_REST_TOGETHER };

sdca_status sdca_order_create(sdca_order_kind kind, uint64_t seed, int rank,
                              uint32_t rows, sdca_order *out)
{
    sdca_order order = {
        .kind = kind, .seed = seed, .rank = (uint32_t)rank, .rows = rows
    };

    order.row   = sdca_alloc_array(rows, sizeof *order.row);
    order.group = kind == SDCA_ORDER_AUTO
                      ? sdca_alloc_array((size_t)rows / GROUP + 1, sizeof *order.group)
                      : NULL;
    if (order.row == NULL || (kind == SDCA_ORDER_AUTO && order.group == NULL)) {
        sdca_order_free(&order);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the order of %lu rows",
                         (unsigned long)rows);
    }
    *out = order;
    return SDCA_OK;
}

void sdca_order_free(sdca_order *order)
{
    free(order->row);
    free(order->group);
    order->row   = NULL;
    order->group = NULL;
}

static void take_all(sdca_order *order)
{
    while (order->count < order->rows) {
        order->row[order->count] = sdca_permutation_apply(&order->places, order->count);
        order->count++;
    }
}

/* Append to row[] those of a group that are wanted, in one of 32 orders: from any of them
 * on, in strides of 1, 3, 5 or 7. Nothing here depends on a guess of which are wanted,
 * and all of row[] may be written to, up to its end. Returns how many they are. */
static uint32_t take_group(uint32_t g, uint64_t rows, uint64_t bits, uint32_t *row)
{
    uint32_t stride = (uint32_t)(bits >> 3 & 3) * 2 + 1;
    uint32_t from   = (uint32_t)bits;
    uint32_t count  = 0;

    for (int k = 0; k < GROUP; k++, from += stride) {
        uint32_t i = from % GROUP;

        row[count] = g * GROUP + i;
        count += (uint32_t)(rows >> 8 * i & 1);
    }
    return count;
}

/* The rows of a group that are to be visited, as known from due, from rest, or all: a
 * byte each, 0x80 for yes. */
static uint64_t wanted(const sdca_order *order, const sdca_rest *rest, const uint8_t *due,
                       uint32_t g)
{
    uint32_t left = order->rows - g * GROUP;
    uint64_t known;

    if (due != NULL) {
        memcpy(&known, due + (size_t)g * GROUP, sizeof known);
        return known;
    }
    return rest != NULL    ? sdca_rest_due(rest, g, order->sweep)
           : left >= GROUP ? 0x8080808080808080U
                           : 0x8080808080808080U >> 8 * (GROUP - left);
}

/* Groups in a random order, the rows of each in a random order, without those that
 * rest. */
static void take_groups(sdca_order *order, const sdca_rest *rest, const uint8_t *due,
                        sdca_random *stream)
{
    const uint32_t draws  = 64 / 5; /* of an order, from so many random bits */
    uint32_t       all    = order->rows / GROUP + (order->rows % GROUP > 0);
    uint32_t       groups = 0;
    uint64_t       bits   = 0;

    for (uint32_t g = 0; g < all; g++) {
        order->group[groups] = g;
        groups += wanted(order, rest, due, g) != 0;
    }
    sdca_random_shuffle(stream, order->group, groups);
    for (uint32_t k = 0; k < groups; k++) {
        uint32_t g = order->group[k];

        bits = k % draws == 0 ? sdca_random_bits(stream) : bits >> 5;
        order->count += take_group(g, wanted(order, rest, due, g) >> 7, bits,
                                   order->row + order->count);
    }
}

static void begin_sweep(sdca_order *order, sdca_rest *rest, const uint8_t *due)
{
    uint64_t    number = order->kind == SDCA_ORDER_CYCLIC ? 0 : (uint64_t)order->sweep;
    sdca_random stream =
        sdca_random_stream(order->seed, SDCA_STREAM_ROW_ORDER, number, order->rank);

    order->place = 0;
    order->count = 0;
    order->sweep++;
    switch (order->kind) {
    case SDCA_ORDER_AUTO:
        if (rest != NULL) {
            sdca_rest_begin_sweep(rest);
        }
        take_groups(order, rest, due, &stream);
        break;
    case SDCA_ORDER_RANDOM:
        while (order->count < order->rows) {
            order->row[order->count++] = sdca_random_below(&stream, order->rows);
        }
        break;
    case SDCA_ORDER_PERMUTATION:
    case SDCA_ORDER_CYCLIC:
        take_all(order);
        sdca_random_shuffle(&stream, order->row, order->count);
        break;
    }
}

void sdca_order_mark(const sdca_order *order, uint8_t *due)
{
    memset(due, 0, order->rows);
    for (uint32_t k = 0; k < order->count; k++) {
        due[order->row[k]] = 0x80;
    }
}

bool sdca_order_resume(sdca_order *order, int64_t sweep, int64_t place,
                       const uint8_t *due)
{
    order->sweep = sweep;
    order->place = 0;
    order->count = 0;
    if (sweep > 0 && order->rows > 0) {
        order->sweep--;
        begin_sweep(order, NULL, due);
        if (place < 0 || place > order->count) {
            return false;
        }
        order->place = (uint32_t)place;
    }
    return true;
}

uint32_t sdca_order_left(sdca_order *order, sdca_rest *rest)
{
    /* Where all rows rest, sweeps pass until one is due: 64 at most. */
    while (order->place == order->count && order->rows > 0) {
        begin_sweep(order, rest, NULL);
    }
    return order->count - order->place;
}

const uint32_t *sdca_order_next(sdca_order *order, sdca_rest *rest, int64_t most,
                                uint32_t *count)
{
    uint32_t        left = sdca_order_left(order, rest);
    const uint32_t *next = order->row + order->place;

    *count = most < left ? (uint32_t)most : left;
    order->place += *count;
    return next;
}
