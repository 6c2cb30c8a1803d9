/* SPDX-License-Identifier: BSD-3-Clause
 *
 * used.h - the set of columns that are in use, and their numbers without gaps.
 *
 * Where columns are hashes or have been left over, most of them may occur in no row. A
 * vector over columns then is mostly zeros, and so is what ranks exchange. A column in
 * use has a place: how many such columns are before it. */
#ifndef SDCA_USED_H
#define SDCA_USED_H

#include <mpi.h>
#include <stdint.h>

#include "sdca/rows.h"
#include "sdca/status.h"

/* Opaque: only used.c knows what is inside. */
typedef struct sdca_used sdca_used;

/* The columns that the rows of any rank use, if these are less than half of all;
 * otherwise, and for dense rows, *out is NULL. Collective. *out is the caller's, to be
 * freed with sdca_used_free(). */
sdca_status sdca_used_find(MPI_Comm comm, const sdca_rows *rows, sdca_used **out);
void        sdca_used_free(sdca_used *used);

/* How many are in use, and of how many. Local. */
int32_t sdca_used_count(const sdca_used *used);
int32_t sdca_used_total(const sdca_used *used);

/* The number of the column at a place; for NULL it is the place. Local. */
int32_t sdca_used_number(const sdca_used *used, int32_t place);

/* Give the rows' columns their places for numbers, and leave out entries in columns that
 * are not in use. What fails leaves them as they were. Local. */
sdca_status sdca_used_select(const sdca_used *used, sdca_rows *rows);

#endif
