/* SPDX-License-Identifier: BSD-3-Clause
 *
 * column_map.h - the set of columns that are in use, and their numbers without gaps.
 *
 * Where columns are hashes or have been left over, most of them may occur in no row. A
 * vector over columns then is mostly zeros, and so is what ranks exchange. A column in
 * use has a place: how many such columns are before it. */
#ifndef SDCA_DATA_COLUMN_MAP_H
#define SDCA_DATA_COLUMN_MAP_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "data/rows.h"

/* Opaque: only used.c knows what is inside. */
typedef struct sdca_column_map sdca_column_map;

/* The columns that the rows of any rank use, if these are less than half of all;
 * otherwise, and for dense rows, *out is NULL. Collective. *out is the caller's, to be
 * freed with sdca_column_map_free(). */
sdca_status sdca_column_map_create(MPI_Comm comm, const sdca_rows *rows,
                                   sdca_column_map **out);
void        sdca_column_map_free(sdca_column_map *map);

/* How many are in use, and of how many. Local. */
int32_t sdca_column_map_count(const sdca_column_map *map);
int32_t sdca_column_map_total(const sdca_column_map *map);

/* The number of the column at a place; for NULL it is the place. Local. */
int32_t sdca_column_map_original(const sdca_column_map *map, int32_t index);

/* Give the rows' columns their places for numbers, and leave out entries in columns that
 * are not in use. What fails leaves them as they were. Local. */
sdca_status sdca_column_map_apply(const sdca_column_map *map, sdca_rows *rows);

#endif
