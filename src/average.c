/* SPDX-License-Identifier: BSD-3-Clause
 *
 * average.c - the mean of all iterates from one step on, at a constant cost per
 * step. */
#include "sdca/average.h"

#include <stdlib.h>

#include "sdca/memory.h"

sdca_status sdca_average_create(uint32_t rows, int64_t from, sdca_average *out)
{
    sdca_average average = { .from = from };

    average.sum   = sdca_alloc_zeroed(rows, sizeof *average.sum);
    average.since = sdca_alloc_array(rows, sizeof *average.since);
    if (average.sum == NULL || average.since == NULL) {
        sdca_average_free(&average);
        return SDCA_FAIL(SDCA_MEMORY, "no memory to average over %lu rows",
                         (unsigned long)rows);
    }
    for (uint32_t i = 0; i < rows; i++) {
        average.since[i] = from;
    }
    *out = average;
    return SDCA_OK;
}

void sdca_average_free(sdca_average *average)
{
    free(average->sum);
    free(average->since);
    *average = (sdca_average){ 0 };
}

double sdca_average_of(const sdca_average *average, uint32_t i, double alpha,
                       int64_t number)
{
    double rest = alpha * (double)(number - average->since[i]);

    return (average->sum[i] + rest) / (double)(number - average->from);
}
