/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alias_table.c - sampling from a discrete distribution in constant time. */
#include "synthetic/alias_table.h"

#include <stdlib.h>

/* Vose's algorithm: a slot below the mean weight is filled up from one above it. */
sdca_alias_slot *sdca_alias_table_create(const double *weight, int32_t count)
{
    sdca_alias_slot *table  = calloc((size_t)count, sizeof *table);
    sdca_alias_slot *result = NULL;
    double          *scaled = calloc((size_t)count, sizeof *scaled);
    int32_t         *queue =
        calloc((size_t)count, sizeof *queue); /* slots below the mean, from the left */
    int32_t small = 0;                        /* slots above the mean, from the right */
    int32_t large = count;
    double  sum   = 0.0;

    if (table == NULL || scaled == NULL || queue == NULL) {
        goto done;
    }
    for (int32_t k = 0; k < count; k++) {
        sum += weight[k];
    }
    for (int32_t k = 0; k < count; k++) {
        scaled[k] = weight[k] * count / sum;
        if (scaled[k] < 1.0) {
            queue[small++] = k;
        } else {
            queue[--large] = k;
        }
        table[k].threshold = UINT32_MAX;
        table[k].alias     = k;
    }
    while (small > 0 && large < count) {
        int32_t donor     = queue[large];
        int32_t recipient = queue[--small];

        table[recipient].threshold = (uint32_t)(scaled[recipient] * 4294967295.0);
        table[recipient].alias     = donor;
        scaled[donor] -= 1.0 - scaled[recipient];
        if (scaled[donor] < 1.0) {
            large++;
            queue[small++] = donor;
        }
    }
    result = table;
    table  = NULL;

done:
    free(table);
    free(scaled);
    free(queue);
    return result;
}

int32_t sdca_alias_table_draw(const sdca_alias_slot *table, int32_t count,
                              sdca_random *stream)
{
    uint64_t bits = sdca_random_bits(stream);
    int32_t  k    = (int32_t)((bits >> 32) * (uint64_t)count >> 32);

    return (uint32_t)bits < table[k].threshold ? k : table[k].alias;
}
