/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_schema.h - what a data file says of itself, before any row is read. */
#ifndef SDCA_DATA_FILE_SCHEMA_H
#define SDCA_DATA_FILE_SCHEMA_H

#include "io/hdf5_file.h"

/* The longest path in a file. */
enum { SDCA_SCHEMA_PATH_SIZE = 512 };

typedef struct sdca_file_schema {
    bool dense;
    bool float64; /* values are float64, or whole numbers that may need it */
    bool has_labels;
    char label_path[SDCA_SCHEMA_PATH_SIZE];    /* the array of labels, */
    char category_path[SDCA_SCHEMA_PATH_SIZE]; /* which says which of these they are; "":
                                                  itself */
    int64_t rows;
    int64_t columns;
    int64_t nonzeros; /* sparse files only */
} sdca_file_schema;

/* Labels are column of obs, or y if that is NULL; they may be needed, or not be wanted,
 * nor weights. out is all zero before. Local. */
sdca_status sdca_file_schema_read(sdca_hdf5_file *store, const char *column,
                                  bool labels_required, bool ignore_labels,
                                  sdca_file_schema *out);

#endif
