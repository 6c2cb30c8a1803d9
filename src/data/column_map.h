/* SPDX-License-Identifier: BSD-3-Clause
 *
 * column_map.h - compaction of columns: the columns in use, numbered without gaps.
 *
 * Where columns are hashes or belong to a larger data set, most of them may have no non-
 * zeros. A vector over columns is then mostly zeros, and so is what ranks exchange. The
 * index of a column in use is the number of such columns before it. */
#ifndef SDCA_DATA_COLUMN_MAP_H
#define SDCA_DATA_COLUMN_MAP_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "data/rows.h"

/* Opaque. */
typedef struct sdca_column_map sdca_column_map;

/* The columns with non-zeros on any rank, if these are less than half of all columns;
 * otherwise, and for dense rows, *out is NULL. Collective. The caller frees *out with
 * sdca_column_map_free(). */
sdca_status sdca_column_map_create(MPI_Comm comm, const sdca_rows *rows,
                                   sdca_column_map **out);
void        sdca_column_map_free(sdca_column_map *map);

/* A map of the first total columns of another one. Local. *out is the caller's. */
sdca_status sdca_column_map_copy(const sdca_column_map *map, int32_t total,
                                 sdca_column_map **out);

/* The number of columns in use, and of all columns. Local. */
int32_t sdca_column_map_count(const sdca_column_map *map);
int32_t sdca_column_map_total(const sdca_column_map *map);

/* The original column of an index; for a NULL map, the index itself. Local. */
int32_t sdca_column_map_original(const sdca_column_map *map, int32_t index);

/* Replace the columns of rows by their indices, and remove entries in columns that are
 * not in use. If it fails, the rows are unchanged. Local. */
sdca_status sdca_column_map_apply(const sdca_column_map *map, sdca_rows *rows);

#endif
