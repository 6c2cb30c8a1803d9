/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shape_common.c - functions that all shapes use. */
#include "synthetic/shape_common.h"

#include <math.h>
#include <stdlib.h>

/* The sum of four uniform 16-bit numbers, which never exceeds 3.5, shifted by half a
 * step so that it is never 0. */
double sdca_synthetic_normal(sdca_random *stream)
{
    const double spread = 37837.2; /* 2^16 / sqrt(3) */
    uint64_t     bits   = sdca_random_bits(stream);
    int64_t      sum    = 0;

    for (int k = 0; k < 4; k++) {
        sum += (int64_t)(bits >> (16 * k) & 0xffff);
    }
    return (double)(2 * sum - 4 * 65535 + 1) / (2.0 * spread);
}

sdca_random sdca_synthetic_stream(const sdca_synthetic *synthetic, uint64_t item,
                                  sdca_synthetic_purpose purpose)
{
    return sdca_random_stream(synthetic->seed, SDCA_STREAM_SYNTHETIC, item,
                              synthetic->shape_index * SDCA_SYNTHETIC_PURPOSES +
                                  (uint64_t)purpose);
}

static int compare(const void *left, const void *right)
{
    int32_t a = *(const int32_t *)left;
    int32_t b = *(const int32_t *)right;

    return (a > b) - (a < b);
}

void sdca_synthetic_sort_columns(int32_t *column, int count)
{
    qsort(column, (size_t)count, sizeof *column, compare);
}

void sdca_synthetic_normalize(double *value, int count)
{
    double norm2 = 0.0;
    double length;

    for (int k = 0; k < count; k++) {
        norm2 += value[k] * value[k];
    }
    length = sqrt(norm2);
    for (int k = 0; k < count; k++) {
        value[k] /= length;
    }
}
