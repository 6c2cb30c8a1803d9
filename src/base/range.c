/* SPDX-License-Identifier: BSD-3-Clause
 *
 * range.c - contiguous ranges, and splitting rows over ranks. */
#include "base/range.h"

sdca_range sdca_range_split_even(int64_t total, int rank, int ranks)
{
    int64_t    quotient  = total / ranks;
    int64_t    remainder = total % ranks;
    sdca_range mine;

    mine.first = quotient * rank + (rank < remainder ? rank : remainder);
    mine.count = quotient + (rank < remainder ? 1 : 0);
    return mine;
}

void sdca_range_split_by_nonzeros(sdca_range slice, const int64_t *offset, int64_t rows,
                                  int64_t nonzeros, int ranks, int64_t *first_row)
{
    int64_t row = 0;

    first_row[0]     = 0;
    first_row[ranks] = rows;
    for (int k = 1; k < ranks; k++) {
        /* The work before a row is monotonic, so one sweep finds all boundaries. */
        int64_t work_before = sdca_range_split_even(nonzeros + rows, k, ranks).first;

        while (row < slice.count && offset[row] + slice.first + row < work_before) {
            row++;
        }
        first_row[k] = row < slice.count ? slice.first + row : rows;
    }
}
