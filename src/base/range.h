/* SPDX-License-Identifier: BSD-3-Clause
 *
 * range.h - contiguous ranges, and splitting rows over ranks.
 *
 * Ranks hold contiguous ranges of rows, in rank order. A file is first split into equal
 * numbers of rows, so that each rank reads one slice of the row offsets, and then by
 * non-zeros, for training. */
#ifndef SDCA_BASE_RANGE_H
#define SDCA_BASE_RANGE_H

#include <stdint.h>

/* Consecutive global numbers: first, first + 1, ..., first + count - 1. */
typedef struct sdca_range {
    int64_t first;
    int64_t count;
} sdca_range;

/* The part of 0 .. total - 1 that belongs to a rank, where sizes differ by at most one;
 * empty if there are more ranks than items. Local. */
sdca_range sdca_range_split_even(int64_t total, int rank, int ranks);

/* Split rows into blocks of nearly equal work. The work of a row is its non-zeros plus
 * one, so that empty rows are distributed, too. The caller has one slice of the row
 * offsets: offset[0] .. offset[slice.count] of the rows in slice, out of all rows and
 * nonzeros. first_row has ranks + 1 elements; those within the slice get the first row
 * of that rank's block, the others are set to rows. With the minimum over all slices,
 * first_row[k] .. first_row[k + 1] - 1 are the rows of rank k. Local. */
void sdca_range_split_by_nonzeros(sdca_range slice, const int64_t *offset, int64_t rows,
                                  int64_t nonzeros, int ranks, int64_t *first_row);

#endif
