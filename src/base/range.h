/* SPDX-License-Identifier: BSD-3-Clause
 *
 * range.h - which rows are mine.
 *
 * Ranks hold contiguous ranges of rows, in rank order. A file is first cut into
 * equal counts of rows, so that each rank can look at its slice of the row
 * offsets; then into equal work, for training. */
#ifndef SDCA_BASE_RANGE_H
#define SDCA_BASE_RANGE_H

#include <stdint.h>

/* Consecutive global numbers: first, first + 1, ..., first + count - 1. */
typedef struct sdca_range {
    int64_t first;
    int64_t count;
} sdca_range;

/* The part of 0 .. total - 1 that belongs to this rank when counts differ by
 * at most one; empty where there are more ranks than items. Local. */
sdca_range sdca_range_split_even(int64_t total, int rank, int ranks);

/* Cut rows into blocks of nearly equal work, a row's work being its non-zeros
 * plus one, so that empty rows are shared out too.
 *
 * The caller sees one slice of the row offsets: offset[0] .. offset[slice.count]
 * of the rows in slice, out of rows and nonzeros in all. cut has ranks + 1
 * entries; those that fall into the slice get the first row of that rank's
 * block, the others stay rows. The minimum over all slices is the partition:
 * cut[k] .. cut[k + 1] - 1 are the rows of rank k. Local. */
void sdca_range_split_by_nonzeros(sdca_range slice, const int64_t *offset, int64_t rows,
                                  int64_t nonzeros, int ranks, int64_t *first_row);

#endif
