/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weave.h - a row on its way from a file's arrays into memory.
 *
 * While a row is in the cache, all is done that must be: it is checked, measured,
 * hashed, divided by its length, and set down in its place. */
#ifndef SDCA_WEAVE_H
#define SDCA_WEAVE_H

#include "sdca/dataset.h"

typedef struct sdca_weave {
    const char   *path;  /* of the file, for sentences */
    sdca_dataset *draft; /* mine, places, starts of rows are known; the rest is filled */
    bool          fits;  /* do all values so far fit float32? */
} sdca_weave;

/* Rows lie anywhere in memory: ask ahead for what is known of the row at place i, and
 * once that is there, for the room of its entries. Local. */
void sdca_weave_expect(const sdca_weave *weave, uint32_t i);
void sdca_weave_expect_entries(const sdca_weave *weave, uint32_t i);

/* Set down row k of my range at its place i: count columns and values, which are put
 * in order if they are not, and may be changed. Sparse or dense, as the draft's rows
 * are; where the draft has a bias, it goes behind them and does not count for norm2.
 * Wide rows keep their length, even in a draft of normalized ones. Local. */
sdca_status sdca_weave_narrow(sdca_weave *weave, uint32_t k, uint32_t i, double label,
                              int64_t count, int32_t *column, float *value);
sdca_status sdca_weave_wide(sdca_weave *weave, uint32_t k, uint32_t i, double label,
                            int64_t count, int32_t *column, double *value);

/* Set the last entry of the row at place i, if the draft has a bias. Local. */
void sdca_weave_bias(sdca_dataset *draft, uint32_t i);

#endif
