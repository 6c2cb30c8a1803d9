/* SPDX-License-Identifier: BSD-3-Clause
 *
 * partition.c - which rows are mine. */
#include "sdca/partition.h"

sdca_range sdca_partition_even(int64_t total, int rank, int ranks)
{
    int64_t    each = total / ranks;
    int64_t    rest = total % ranks;
    sdca_range mine;

    mine.first = each * rank + (rank < rest ? rank : rest);
    mine.count = each + (rank < rest ? 1 : 0);
    return mine;
}

void sdca_partition_cut(sdca_range slice, const int64_t *offset, int64_t rows,
                        int64_t nonzeros, int ranks, int64_t *cut)
{
    int64_t row = 0;

    cut[0]     = 0;
    cut[ranks] = rows;
    for (int k = 1; k < ranks; k++) {
        /* The work before a row never falls from one row to the next, so the
         * cuts ascend and one sweep finds them all. */
        int64_t before = sdca_partition_even(nonzeros + rows, k, ranks).first;

        while (row < slice.count && offset[row] + slice.first + row < before) {
            row++;
        }
        cut[k] = row < slice.count ? slice.first + row : rows;
    }
}
