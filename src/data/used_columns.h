/* SPDX-License-Identifier: BSD-3-Clause
 *
 * used_columns.h - compaction of columns: the columns in use, numbered without gaps.
 *
 * Where columns are hashes or belong to a larger data set, most of them may have no non-
 * zeros. A vector over columns is then mostly zeros, and so is what ranks exchange. The
 * index of a column in use is the number of such columns before it. */
#ifndef SDCA_DATA_USED_COLUMNS_H
#define SDCA_DATA_USED_COLUMNS_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"
#include "data/rows.h"

/* Opaque. */
typedef struct sdca_used_columns sdca_used_columns;

/* The columns with non-zeros on any rank, if these are less than half of all columns;
 * otherwise, and for dense rows, *out is NULL. Collective. The caller frees *out with
 * sdca_used_columns_free(). */
sdca_status sdca_used_columns_create(MPI_Comm comm, const sdca_rows *rows,
                                     sdca_used_columns **out);
void        sdca_used_columns_free(sdca_used_columns *map);

/* A map of the first total columns of another one. Local. *out is the caller's. */
sdca_status sdca_used_columns_copy(const sdca_used_columns *map, int32_t total,
                                   sdca_used_columns **out);

/* The number of columns in use, and of all columns. Local. */
int32_t sdca_used_columns_count(const sdca_used_columns *map);
int32_t sdca_used_columns_total(const sdca_used_columns *map);

/* The original column of an index; for a NULL map, the index itself. Local. */
int32_t sdca_used_columns_original(const sdca_used_columns *map, int32_t index);

/* Replace the columns of rows by their indices, and remove entries in columns that are
 * not in use. If it fails, the rows are unchanged. Local. */
sdca_status sdca_used_columns_apply(const sdca_used_columns *map, sdca_rows *rows);

#endif
