/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alias_table.h - numbers drawn by given weights, each in the same short time.
 *
 * In an alias table (Walker 1977; Vose 1991), a number is drawn by picking a slot
 * evenly and then the slot itself, with chance keep / 2^32, or its alias. */
#ifndef SDCA_SYNTHETIC_ALIAS_TABLE_H
#define SDCA_SYNTHETIC_ALIAS_TABLE_H

#include <stdint.h>

#include "base/random.h"

/* One slot. */
typedef struct sdca_alias_slot {
    uint32_t threshold;
    int32_t  alias;
} sdca_alias_slot;

/* The table of count weights, which is the caller's to free, or NULL without memory.
 * Local. */
sdca_alias_slot *sdca_alias_table_create(const double *weight, int32_t count);

/* Draw from a table of count slots. Local. */
int32_t sdca_alias_table_draw(const sdca_alias_slot *table, int32_t count,
                              sdca_random *stream);

#endif
