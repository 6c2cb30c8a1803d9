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
    sdca_rest rest = {
        .rows = rows, .share = share, .stuck = stuck, .longest = SDCA_REST_LONGEST
    };

    rest.term   = sdca_alloc_zeroed(rows, sizeof *rest.term);
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

static double mean_term(const sdca_rest *rest)
{
    return rest->rows > 0 ? fmax(0.0, rest->sum) / rest->rows : 0.0;
}

/* Where terms shrink that fast, one that is small now is large by the time it is seen
 * again: nobody begins to rest. A row that is stuck has nothing to lose. */
void sdca_rest_begin_sweep(sdca_rest *rest)
{
    const double fast = 0.2;
    double       mean = mean_term(rest);

    rest->longest =
        !rest->stuck && mean < fast * rest->mean ? 1.0 : (double)SDCA_REST_LONGEST;
    rest->mean      = mean;
    rest->threshold = rest->share * mean;
}

void sdca_rest_refresh(sdca_rest *rest)
{
    rest->sum = 0.0;
    for (uint32_t i = 0; i < rest->rows; i++) {
        rest->sum += (double)rest->term[i];
    }
    rest->threshold = rest->share * mean_term(rest);
    for (uint32_t i = 0; i < rest->rows; i++) {
        if ((double)rest->term[i] > rest->threshold) {
            rest->streak[i] = 0;
        }
    }
}
