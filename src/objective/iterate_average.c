/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate_average.c - the mean of all iterates from one step on, at a constant cost per
 * step. */
#include "objective/iterate_average.h"

#include <stdlib.h>

#include "base/alloc.h"

sdca_status sdca_iterate_average_create(uint32_t rows, int64_t first,
                                        sdca_iterate_average *out)
{
    sdca_iterate_average average = { .first = first };

    average.sum  = sdca_alloc_zeroed(rows, sizeof *average.sum);
    average.next = sdca_alloc_array(rows, sizeof *average.next);
    if (average.sum == NULL || average.next == NULL) {
        sdca_iterate_average_free(&average);
        return SDCA_FAIL(SDCA_MEMORY, "no memory to average over %lu rows",
                         (unsigned long)rows);
    }
    for (uint32_t i = 0; i < rows; i++) {
        average.next[i] = first;
    }
    *out = average;
    return SDCA_OK;
}

void sdca_iterate_average_free(sdca_iterate_average *average)
{
    free(average->sum);
    free(average->next);
    *average = (sdca_iterate_average){ 0 };
}

double sdca_iterate_average_mean(const sdca_iterate_average *average, uint32_t i,
                                 double alpha, int64_t step)
{
    double tail = alpha * (double)(step - average->next[i]);

    return (average->sum[i] + tail) / (double)(step - average->first);
}
