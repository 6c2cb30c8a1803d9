/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_reader.h - the labels of a file as people gave them, some rows at a time. */
#ifndef SDCA_DATA_LABEL_READER_H
#define SDCA_DATA_LABEL_READER_H

#include "base/string_list.h"
#include "data/file_schema.h"
#include "data/row_chunks.h"

typedef struct sdca_label_reader {
    sdca_hdf5_file  *store; /* borrowed */
    sdca_hdf5_array *array;
    int64_t          rows;  /* of the file */
    bool       categorical; /* labels say which of so many categories they are, ... */
    int64_t    category_count;
    double    *category_value;  /* ... which stand for these, or for themselves if NULL */
    bool       has_class_names; /* ... and which are the names of labels */
    bool       binary;          /* -1 and +1 stand for these: */
    double     binary_label[2];
    sdca_range window; /* these rows' labels are here: */
    double     label[SDCA_CHUNK_ROWS];
} sdca_label_reader;

/* Open the labels of a file; if they are words, these are added to words. Local. On
 * success *out is the caller's, to be freed with sdca_label_reader_close(); NULL is fine.
 */
sdca_status sdca_label_reader_open(sdca_hdf5_file *store, const sdca_file_schema *schema,
                                   sdca_string_list   *class_names,
                                   sdca_label_reader **out);
void        sdca_label_reader_close(sdca_label_reader *reader);

/* The labels of at most SDCA_CHUNK_ROWS rows, good until the next call. Local. */
sdca_status sdca_label_reader_read(sdca_label_reader *reader, sdca_range rows,
                                   const double **out);

#endif
