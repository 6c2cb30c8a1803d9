/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_layout.h - what a data file contains and where, before any row is read. */
#ifndef SDCA_DATA_FILE_LAYOUT_H
#define SDCA_DATA_FILE_LAYOUT_H

#include "data/row_chunks.h"
#include "io/hdf5_file.h"

/* Room for the longest path within a file. */
enum { SDCA_SCHEMA_PATH_SIZE = 512 };

typedef struct sdca_file_layout {
    sdca_matrix_format matrix; /* X */
    bool               has_labels;
    char               label_path[SDCA_SCHEMA_PATH_SIZE]; /* the array of labels */
    char category_path[SDCA_SCHEMA_PATH_SIZE]; /* labels are indices of these; "": none */
} sdca_file_layout;

/* Read the layout of a file into *out, which is all zero before. Labels are the column
 * label_column of obs, or y if that is NULL. They may be required, or be ignored with any
 * sample weights. Local. */
sdca_status sdca_file_layout_read(sdca_hdf5_file *h5, const char *label_column,
                                  bool require_labels, bool ignore_labels,
                                  sdca_file_layout *out);

#endif
