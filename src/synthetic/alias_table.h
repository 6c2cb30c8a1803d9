/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alias_table.h - sampling from a discrete distribution in constant time.
 *
 * Alias method (Walker 1977; Vose 1991): choose a slot uniformly, then the slot itself
 * with probability keep / 2^32, or else its alias. */
#ifndef SDCA_SYNTHETIC_ALIAS_TABLE_H
#define SDCA_SYNTHETIC_ALIAS_TABLE_H

#include <stdint.h>

#include "base/random.h"

/* One slot. */
typedef struct sdca_alias_slot {
    uint32_t threshold;
    int32_t  alias;
} sdca_alias_slot;

/* The table for count weights, which the caller frees; NULL if out of memory. Local. */
sdca_alias_slot *sdca_alias_table_create(const double *weight, int32_t count);

/* Draw from a table of count slots. Local. */
int32_t sdca_alias_table_draw(const sdca_alias_slot *table, int32_t count,
                              sdca_random *stream);

#endif
