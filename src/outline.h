/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outline.h - what a data file says of itself, before any row is read. */
#ifndef SDCA_OUTLINE_H
#define SDCA_OUTLINE_H

#include "sdca/store.h"

/* The longest path in a file. */
enum { SDCA_OUTLINE_PATH = 512 };

typedef struct sdca_outline {
    bool dense;
    bool wide; /* values are float64, or whole numbers that may need it */
    bool labels;
    char label[SDCA_OUTLINE_PATH];    /* the array of labels, */
    char category[SDCA_OUTLINE_PATH]; /* which says which of these they are; "": itself */
    int64_t rows;
    int64_t columns;
    int64_t nonzeros; /* sparse files only */
} sdca_outline;

/* Labels are column of obs, or y if that is NULL; they may be needed, or not be wanted,
 * nor weights. out is all zero before. Local. */
sdca_status sdca_outline_read(sdca_hdf5_file *store, const char *column, bool needed,
                              bool unwanted, sdca_outline *out);

#endif
