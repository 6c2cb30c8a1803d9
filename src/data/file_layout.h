/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_layout.h - what a data file contains and where, before any row is read. */
#ifndef SDCA_DATA_FILE_LAYOUT_H
#define SDCA_DATA_FILE_LAYOUT_H

#include "data/dataset.h"
#include "data/row_chunks.h"
#include "io/hdf5_file.h"

/* Bytes of the longest path within a file. */
enum { SDCA_SCHEMA_PATH_SIZE = 512 };

typedef struct sdca_file_layout {
    sdca_matrix_format matrix; /* X */
    char               x_path[SDCA_SCHEMA_PATH_SIZE];
    bool               by_column; /* it is a csc_matrix */
    bool               has_labels;
    bool               may_lack_labels; /* rows may be without a label */
    char               label_path[SDCA_SCHEMA_PATH_SIZE]; /* the array of labels */
    char category_path[SDCA_SCHEMA_PATH_SIZE]; /* labels are indices of these; "": none */
    bool has_weights;
    char weight_path[SDCA_SCHEMA_PATH_SIZE]; /* the array of weights */
    char
        weight_mask_path[SDCA_SCHEMA_PATH_SIZE]; /* which of them are missing; "": none */
} sdca_file_layout;

/* Read the layout of a file into *out, which is all zero before. Of the options,
 * label_column, require_labels, ignore_labels, weight_column and unweighted apply.
 * Weights count only where there are labels. Local. */
sdca_status sdca_file_layout_read(sdca_hdf5_file *h5, const sdca_dataset_options *options,
                                  sdca_file_layout *out);

#endif
