/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_loader.h - rows on their way from a file's arrays into memory.
 *
 * While a row is in the cache, all is done that must be: it is checked, measured,
 * hashed, divided by its length, and set down in its place. */
#ifndef SDCA_DATA_ROW_LOADER_H
#define SDCA_DATA_ROW_LOADER_H

#include "data/dataset.h"
#include "data/row_chunks.h"

typedef struct sdca_row_loader {
    const char   *path;  /* of the file, for sentences */
    sdca_dataset *draft; /* mine, places, starts of rows are known; the rest is filled */
    bool          exact_float32;  /* do all values so far fit float32? */
    int           prefetch_lines; /* of the cache, to ask for with each row */
} sdca_row_loader;

/* Set down the rows of a piece, which is not empty, in these places: columns and values,
 * which are put in order if they are not, and may be changed; labels, unless they are
 * NULL. Sparse or dense, as the draft's rows are; where the draft has a bias, it goes
 * behind them and does not count for norm2. Wide rows keep their length, even in a draft
 * of normalized ones. Local. */
sdca_status sdca_row_loader_add(sdca_row_loader *loader, const sdca_row_chunk *chunk,
                                const uint32_t *position, const double *label);

/* Set the last entry of the row at place i, if the draft has a bias. Local. */
void sdca_row_loader_set_bias(sdca_dataset *draft, uint32_t i);

#endif
