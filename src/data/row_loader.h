/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_loader.h - storing chunks of rows in a data set.
 *
 * While a row is in the cache it is checked, its norm and hash are computed, and it is
 * normalised and stored at its position. */
#ifndef SDCA_DATA_ROW_LOADER_H
#define SDCA_DATA_ROW_LOADER_H

#include "data/dataset.h"
#include "data/row_chunks.h"

typedef struct sdca_row_loader {
    const char *path; /* of the source, in messages */
    sdca_dataset
        *draft; /* local_range, shuffle and row starts are set; the rest is filled in */
    bool exact_float32;  /* all values so far are exact in float32 */
    int  prefetch_lines; /* cache lines to prefetch per row */
} sdca_row_loader;

/* Store the rows of a chunk, which is not empty, at these positions of draft->x. Columns
 * that are not in order are sorted within the chunk. label is NULL if there are no
 * labels. If the draft has a bias, it becomes the last entry and is not part of norm2.
 * float64 rows are not normalised here. Local. */
sdca_status sdca_row_loader_add(sdca_row_loader *loader, const sdca_row_chunk *chunk,
                                const uint32_t *position, const double *label);

/* Set the last entry of row i to the bias, if the draft has one. Local. */
void sdca_row_loader_set_bias(sdca_dataset *draft, uint32_t i);

#endif
