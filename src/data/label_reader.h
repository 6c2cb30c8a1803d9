/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_reader.h - the labels of a file, decoded, a few thousand rows at a time. */
#ifndef SDCA_DATA_LABEL_READER_H
#define SDCA_DATA_LABEL_READER_H

#include "base/string_list.h"
#include "data/file_layout.h"
#include "data/labels.h"
#include "data/row_chunks.h"

typedef struct sdca_label_reader {
    sdca_hdf5_file     *h5; /* borrowed */
    sdca_hdf5_array    *array;
    int64_t             rows; /* of the file */
    sdca_label_encoding encoding;
    sdca_range          window; /* the rows whose labels are in label[] */
    double              label[SDCA_CHUNK_ROWS];
} sdca_label_reader;

/* Open the labels of a file. If they have names, these are added to class_names and
 * labels are read as their indices. Local. On success the caller closes *out with
 * sdca_label_reader_close() before the file is; NULL is fine. */
sdca_status sdca_label_reader_open(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                   sdca_string_list   *class_names,
                                   sdca_label_reader **out);
void        sdca_label_reader_close(sdca_label_reader *reader);

/* The labels of at most SDCA_CHUNK_ROWS rows, valid until the next call. Local. */
sdca_status sdca_label_reader_read(sdca_label_reader *reader, sdca_range rows,
                                   const double **out);

#endif
