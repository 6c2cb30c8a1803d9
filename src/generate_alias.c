/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate_alias.c - numbers drawn by given weights. */
#include "generate_alias.h"

#include <stdlib.h>

/* Vose's algorithm: a slot with less than the mean share is filled up by one with
 * more. */
sdca_alias *sdca_alias_create(const double *weight, int32_t count)
{
    sdca_alias *table = calloc((size_t)count, sizeof *table);
    sdca_alias *made  = NULL;
    double     *share = calloc((size_t)count, sizeof *share);
    int32_t    *queue = calloc((size_t)count, sizeof *queue); /* poor from the left, */
    int32_t     poor  = 0;                                    /* rich from the right */
    int32_t     rich  = count;
    double      sum   = 0.0;

    if (table == NULL || share == NULL || queue == NULL) {
        goto done;
    }
    for (int32_t k = 0; k < count; k++) {
        sum += weight[k];
    }
    for (int32_t k = 0; k < count; k++) {
        share[k] = weight[k] * count / sum;
        if (share[k] < 1.0) {
            queue[poor++] = k;
        } else {
            queue[--rich] = k;
        }
        table[k].keep  = UINT32_MAX;
        table[k].alias = k;
    }
    while (poor > 0 && rich < count) {
        int32_t giver = queue[rich];
        int32_t taker = queue[--poor];

        table[taker].keep  = (uint32_t)(share[taker] * 4294967295.0);
        table[taker].alias = giver;
        share[giver] -= 1.0 - share[taker];
        if (share[giver] < 1.0) {
            rich++;
            queue[poor++] = giver;
        }
    }
    made  = table;
    table = NULL;

done:
    free(table);
    free(share);
    free(queue);
    return made;
}

int32_t sdca_alias_draw(const sdca_alias *table, int32_t count, sdca_random *stream)
{
    uint64_t bits = sdca_random_bits(stream);
    int32_t  k    = (int32_t)((bits >> 32) * (uint64_t)count >> 32);

    return (uint32_t)bits < table[k].keep ? k : table[k].alias;
}
