/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_file.h - a vector over all columns, in a file.
 *
 * The file has all columns, memory only those of the column map. The others are zero, and
 * chunks of zeros take no space in the file. Vectors are read and written by chunks, so
 * that memory never holds all columns. */
#ifndef SDCA_MODEL_WEIGHT_FILE_H
#define SDCA_MODEL_WEIGHT_FILE_H

#include "base/status.h"
#include "data/column_map.h"
#include "io/hdf5_file.h"

/* Write a vector of length columns. w has one number per column of the map, or per column
 * if column_map is NULL; columns from length on are left out. Local. */
sdca_status sdca_weight_file_write(sdca_hdf5_file *hdf5, const char *name,
                                   const sdca_column_map *column_map, int32_t length,
                                   const double *w);

/* The number of columns of a vector. Local. */
sdca_status sdca_weight_file_count(sdca_hdf5_file *hdf5, const char *name, int64_t *out);

/* Read a vector, written with any map; columns of the map from length on get 0. Local. */
sdca_status sdca_weight_file_read(sdca_hdf5_file *hdf5, const char *name,
                                  const sdca_column_map *column_map, int32_t length,
                                  double *w);

/* Called with a batch of columns; a status other than SDCA_OK ends the visit. */
typedef sdca_status sdca_weight_visitor(void *context, sdca_range columns,
                                        const double *w);

/* Pass a vector to a visitor, zeros included, in batches of consecutive columns. Local.
 */
sdca_status sdca_weight_file_visit(sdca_hdf5_file *hdf5, const char *name, int32_t length,
                                   sdca_weight_visitor *visitor, void *context);

#endif
