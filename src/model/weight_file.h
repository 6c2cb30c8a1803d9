/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weight_file.h - a number for each column, in a file.
 *
 * A file has all columns, memory those in use: the others are zero, and are written as
 * nothing. Both go by pieces, so that no vector over all columns is ever in memory. */
#ifndef SDCA_MODEL_WEIGHT_FILE_H
#define SDCA_MODEL_WEIGHT_FILE_H

#include "base/status.h"
#include "data/column_map.h"
#include "io/hdf5_file.h"

/* Write an array of so many columns: w has a number for the place of each that is in
 * use, or for each if used is NULL. Columns from length on are left out. Local. */
sdca_status sdca_weight_file_write(sdca_hdf5_file *hdf5, const char *name,
                                   const sdca_column_map *column_map, int32_t length,
                                   const double *w);

/* How many columns such an array has. Local. */
sdca_status sdca_weight_file_count(sdca_hdf5_file *hdf5, const char *name, int64_t *out);

/* Read such an array, however it was written; what is in use from length on gets 0.
 * Local. */
sdca_status sdca_weight_file_read(sdca_hdf5_file *hdf5, const char *name,
                                  const sdca_column_map *column_map, int32_t length,
                                  double *w);

/* What to do with the numbers of some columns; any but SDCA_OK ends the visit. */
typedef sdca_status sdca_weight_visitor(void *context, sdca_range columns,
                                        const double *w);

/* Show such an array to a visitor, zeros too, some thousand columns at a time and in
 * their order. Local. */
sdca_status sdca_weight_file_visit(sdca_hdf5_file *hdf5, const char *name, int32_t length,
                                   sdca_weight_visitor *visitor, void *context);

#endif
