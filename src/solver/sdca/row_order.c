/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_order.c - the order in which a rank visits its rows. */
#include "solver/sdca/row_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const sdca_row_order_names[SDCA_ROW_ORDER_COUNT] = {
    [SDCA_ROW_ORDER_AUTO]        = "auto",
    [SDCA_ROW_ORDER_PERMUTATION] = "permutation",
    [SDCA_ROW_ORDER_RANDOM]      = "random",
    [SDCA_ROW_ORDER_CYCLIC]      = "cyclic"
};

/* Consecutive rows that are visited together. The records of eight rows fill whole cache
 * lines; with larger groups, problems of few columns need more sweeps. */
enum {
    GROUP_SIZE   = SDCA_SHRINKING_GROUP_SIZE,
    EMPTY_SWEEPS = 1 << SDCA_SHRINKING_MAX_STREAK /* in succession, at most */
};

sdca_status sdca_row_order_create(sdca_row_order_kind kind, uint64_t seed, int rank,
                                  uint32_t rows, sdca_row_order *out)
{
    sdca_row_order order = {
        .kind = kind, .seed = seed, .rank = (uint32_t)rank, .rows = rows
    };

    order.row = sdca_alloc_array(rows, sizeof *order.row);
    order.group =
        kind == SDCA_ROW_ORDER_AUTO
            ? sdca_alloc_array((size_t)rows / GROUP_SIZE + 1, sizeof *order.group)
            : NULL;
    if (order.row == NULL || (kind == SDCA_ROW_ORDER_AUTO && order.group == NULL)) {
        sdca_row_order_free(&order);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the order of %lu rows",
                         (unsigned long)rows);
    }
    *out = order;
    return SDCA_OK;
}

sdca_status sdca_row_order_use_lanes(sdca_row_order *order, unsigned lanes)
{
    order->lanes = lanes;
    order->due   = sdca_alloc_array((size_t)order->rows + 1, sizeof *order->due);
    return order->due != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for the order of %lu rows",
                           (unsigned long)order->rows);
}

void sdca_row_order_free(sdca_row_order *order)
{
    free(order->row);
    free(order->due);
    free(order->group);
    order->row   = NULL;
    order->due   = NULL;
    order->group = NULL;
}

static void append_all(sdca_row_order *order)
{
    while (order->count < order->rows) {
        order->row[order->count] =
            sdca_permutation_apply(&order->file_order, order->count);
        order->count++;
    }
}

/* Append the active rows of a group to row[], in one of 32 orders: from any of them on,
 * in strides of 1, 3, 5 or 7. Branchless: entries of row[] beyond the result may be
 * overwritten, up to its end. Returns the number of rows appended. */
static uint32_t append_group(uint32_t g, uint64_t rows, uint64_t bits, uint32_t *row)
{
    uint32_t stride = (uint32_t)(bits >> 3 & 3) * 2 + 1;
    uint32_t from   = (uint32_t)bits;
    uint32_t count  = 0;

    for (int k = 0; k < GROUP_SIZE; k++, from += stride) {
        uint32_t i = from % GROUP_SIZE;

        row[count] = g * GROUP_SIZE + i;
        count += (uint32_t)(rows >> 8 * i & 1);
    }
    return count;
}

/* With several lanes: those for which row i is due, by active[] if it is not NULL, else
 * by shrinking. */
static unsigned due_lanes(const sdca_row_order *order, const sdca_shrinking *shrinking,
                          const uint8_t *active, uint32_t i, uint64_t most)
{
    if (i >= order->rows) {
        return 0;
    }
    return active != NULL
               ? active[i]
               : order->lanes & sdca_shrinking_active_lanes(shrinking, i, most);
}

/* Is a row of the group due for any lane? */
static bool group_is_due(const sdca_row_order *order, const sdca_shrinking *shrinking,
                         const uint8_t *active, uint32_t g)
{
    uint64_t most = sdca_shrinking_active_streak(g, order->sweep);
    unsigned any  = 0;

    for (uint32_t k = 0; k < GROUP_SIZE; k++) {
        any |= due_lanes(order, shrinking, active, g * GROUP_SIZE + k, most);
    }
    return any != 0;
}

/* As append_group(), with the lanes of each row. */
static void append_lane_group(sdca_row_order *order, const sdca_shrinking *shrinking,
                              const uint8_t *active, uint32_t g, uint64_t bits)
{
    uint64_t most   = sdca_shrinking_active_streak(g, order->sweep);
    uint32_t stride = (uint32_t)(bits >> 3 & 3) * 2 + 1;
    uint32_t from   = (uint32_t)bits;

    for (int k = 0; k < GROUP_SIZE; k++, from += stride) {
        uint32_t i   = g * GROUP_SIZE + from % GROUP_SIZE;
        unsigned due = due_lanes(order, shrinking, active, i, most);

        if (due != 0) {
            order->row[order->count]   = i;
            order->due[order->count++] = (uint8_t)due;
        }
    }
}

/* The rows of a group that are active, by active[] if it is not NULL, else by shrinking
 * if it is not NULL, else all: a byte for each, 0x80 if it is active. */
static uint64_t active_rows(const sdca_row_order *order, const sdca_shrinking *shrinking,
                            const uint8_t *active, uint32_t g)
{
    uint32_t remaining = order->rows - g * GROUP_SIZE;
    uint64_t mask;

    if (active != NULL) {
        memcpy(&mask, active + (size_t)g * GROUP_SIZE, sizeof mask);
        return mask;
    }
    return shrinking != NULL ? sdca_shrinking_active_mask(shrinking, g, order->sweep)
           : remaining >= GROUP_SIZE
               ? 0x8080808080808080U
               : 0x8080808080808080U >> 8 * (GROUP_SIZE - remaining);
}

/* Append the active rows: groups in a random order, the rows of each group in a random
 * order. */
static void append_groups(sdca_row_order *order, const sdca_shrinking *shrinking,
                          const uint8_t *active, sdca_random *stream)
{
    const uint32_t orders_per_draw = 64 / 5; /* an order takes 5 of 64 random bits */
    uint32_t       all    = order->rows / GROUP_SIZE + (order->rows % GROUP_SIZE > 0);
    uint32_t       groups = 0;
    uint64_t       bits   = 0;

    for (uint32_t g = 0; g < all; g++) {
        order->group[groups] = g;
        groups += order->due != NULL ? group_is_due(order, shrinking, active, g)
                                     : active_rows(order, shrinking, active, g) != 0;
    }
    sdca_random_shuffle(stream, order->group, groups);
    for (uint32_t k = 0; k < groups; k++) {
        uint32_t g = order->group[k];

        bits = k % orders_per_draw == 0 ? sdca_random_bits(stream) : bits >> 5;
        if (order->due != NULL) {
            append_lane_group(order, shrinking, active, g, bits);
        } else {
            order->count += append_group(g, active_rows(order, shrinking, active, g) >> 7,
                                         bits, order->row + order->count);
        }
    }
}

static void begin_sweep(sdca_row_order *order, sdca_shrinking *shrinking,
                        const uint8_t *active)
{
    uint64_t number = order->kind == SDCA_ROW_ORDER_CYCLIC ? 0 : (uint64_t)order->sweep;
    sdca_random stream =
        sdca_random_stream(order->seed, SDCA_STREAM_ROW_ORDER, number, order->rank);

    order->position = 0;
    order->count    = 0;
    order->sweep++;
    switch (order->kind) {
    case SDCA_ROW_ORDER_AUTO:
        if (shrinking != NULL) {
            sdca_shrinking_begin_sweep(shrinking);
        }
        append_groups(order, shrinking, active, &stream);
        break;
    case SDCA_ROW_ORDER_RANDOM:
        while (order->count < order->rows) {
            order->row[order->count++] = sdca_random_below(&stream, order->rows);
        }
        break;
    case SDCA_ROW_ORDER_PERMUTATION:
    case SDCA_ROW_ORDER_CYCLIC:
        append_all(order);
        sdca_random_shuffle(&stream, order->row, order->count);
        break;
    }
}

void sdca_row_order_mark_active(const sdca_row_order *order, uint8_t *active)
{
    memset(active, 0, order->rows);
    for (uint32_t k = 0; k < order->count; k++) {
        active[order->row[k]] = order->due != NULL ? order->due[k] : 0x80;
    }
}

bool sdca_row_order_resume(sdca_row_order *order, int64_t sweep, int64_t position,
                           const uint8_t *active)
{
    order->sweep    = sweep;
    order->position = 0;
    order->count    = 0;
    if (sweep > 0 && order->rows > 0) {
        order->sweep--;
        begin_sweep(order, NULL, active);
        if (position < 0 || position > order->count) {
            return false;
        }
        order->position = (uint32_t)position;
    }
    return true;
}

uint32_t sdca_row_order_remaining(sdca_row_order *order, sdca_shrinking *shrinking)
{
    /* If no row is active, skip to the next sweep with an active one: 64 at most, unless
     * all rows of this rank are held out of the models that are left. */
    for (int k = 0;
         k < EMPTY_SWEEPS && order->position == order->count && order->rows > 0; k++) {
        begin_sweep(order, shrinking, NULL);
    }
    return order->count - order->position;
}

const uint32_t *sdca_row_order_next(sdca_row_order *order, sdca_shrinking *shrinking,
                                    int64_t most, uint32_t *count)
{
    uint32_t        remaining = sdca_row_order_remaining(order, shrinking);
    const uint32_t *next      = order->row + order->position;

    *count = most < remaining ? (uint32_t)most : remaining;
    order->position += *count;
    return next;
}
