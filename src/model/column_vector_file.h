/* SPDX-License-Identifier: BSD-3-Clause
 *
 * column_vector_file.h - vectors over all columns, in a file.
 *
 * One vector is an array of one dimension; several, one per class, are the rows of an
 * array of two. In memory they follow each other.
 *
 * The file has all columns, memory only those in use. The others are zero, and
 * chunks of zeros take no space in the file. Vectors are read and written by chunks, so
 * that memory never holds all columns. */
#ifndef SDCA_MODEL_COLUMN_VECTOR_FILE_H
#define SDCA_MODEL_COLUMN_VECTOR_FILE_H

#include "base/status.h"
#include "data/used_columns.h"
#include "io/hdf5_file.h"

/* Write this number of vectors of length columns. Each has one number per column of the
 * map, or per column if column_map is NULL; columns from length on are left out. Local.
 */
sdca_status sdca_column_vector_file_write(sdca_hdf5_file *hdf5, const char *name,
                                          const sdca_used_columns *column_map, int rows,
                                          int32_t length, const double *w);

/* The number of columns. Fails unless there is this number of vectors. Local. */
sdca_status sdca_column_vector_file_count(sdca_hdf5_file *hdf5, const char *name,
                                          int rows, int64_t *out);

/* Read the selected ones of this number of vectors, written with any map; columns of the
 * map from length on get 0. Local. */
sdca_status sdca_column_vector_file_read(sdca_hdf5_file *hdf5, const char *name,
                                         const sdca_used_columns *column_map, int rows,
                                         sdca_range selected, int32_t length, double *w);

/* Called with a batch of columns: that of the first vector, then that of the next one,
 * and so on. A status other than SDCA_OK ends the visit. */
typedef sdca_status sdca_weight_visitor(void *context, sdca_range columns,
                                        const double *w);

/* Pass the selected ones of this number of vectors to a visitor, zeros included, in
 * batches of consecutive columns. Takes half a megabyte, or 512 bytes per vector if that
 * is more. Local. */
sdca_status sdca_column_vector_file_visit(sdca_hdf5_file *hdf5, const char *name,
                                          int rows, sdca_range selected, int32_t length,
                                          sdca_weight_visitor *visitor, void *context);

#endif
