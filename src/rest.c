/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rest.c - which rows can be left alone for a while. */
#include "sdca/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

sdca_status sdca_rest_create(uint32_t rows, double share, bool stuck, sdca_rest *out)
{
    sdca_rest rest = { .rows = rows, .share = share, .stuck = stuck };

    rest.term   = sdca_memory_zeros(rows, sizeof *rest.term);
    rest.streak = malloc((size_t)rows + SDCA_REST_TOGETHER);
    if (rest.term == NULL || rest.streak == NULL) {
        sdca_rest_free(&rest);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the rests of %lu rows",
                         (unsigned long)rows);
    }
    memset(rest.streak, 0, rows);
    memset(rest.streak + rows, SDCA_REST_NEVER, SDCA_REST_TOGETHER); /* no such rows */
    *out = rest;
    return SDCA_OK;
}

void sdca_rest_free(sdca_rest *rest)
{
    free(rest->term);
    free(rest->streak);
    *rest = (sdca_rest){ 0 };
}

void sdca_rest_begin_sweep(sdca_rest *rest)
{
    rest->threshold =
        rest->rows > 0 ? rest->share * fmax(0.0, rest->sum) / rest->rows : 0.0;
}

void sdca_rest_refresh(sdca_rest *rest)
{
    rest->sum = 0.0;
    for (uint32_t i = 0; i < rest->rows; i++) {
        rest->sum += (double)rest->term[i];
    }
    sdca_rest_begin_sweep(rest);
    for (uint32_t i = 0; i < rest->rows; i++) {
        if ((double)rest->term[i] > rest->threshold) {
            rest->streak[i] = 0;
        }
    }
}
