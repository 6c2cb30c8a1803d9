/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_reader.h - a data set from an HDF5 file, each rank reading its own rows.
 *
 * X is a group in the AnnData/SciPy CSR convention or a dense two-dimensional
 * array; y, where it is there, holds the labels, or else a column of AnnData's obs. */
#ifndef SDCA_DATA_DATASET_READER_H
#define SDCA_DATA_DATASET_READER_H

#include "data/dataset.h"

typedef struct sdca_dataset_reader_options {
    bool        require_labels; /* there must be labels */
    bool        ignore_labels;  /* there may be, but nobody looks at them */
    const char *label_column;   /* the column of obs that has them; NULL: y */
    bool        normalize;      /* divide each row by its length; a row of zeros stays */
    double      bias; /* put a column of this, in float32, behind the others; 0: none */
    bool        shuffle; /* rows lie in an order that is random, but always the same */
    bool        follow_links;  /* follow those that lead to other files */
    bool        limit_columns; /* take so many columns, leaving out any beyond: */
    int32_t     columns;

    /* Called with context after each piece, unless NULL: so many of my rows are there.
     * Local. */
    void (*progress)(void *context, int64_t rows, int64_t of);
    void *context;
} sdca_dataset_reader_options;

/* Read my rows of an HDF5 file. Collective. On success *out is the caller's, to be
 * freed with sdca_dataset_free(). */
sdca_status sdca_dataset_reader_read(MPI_Comm comm, const char *path,
                                     sdca_dataset_reader_options options,
                                     sdca_dataset              **out);

#endif
