/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate_average.h - the mean of all iterates from one step on, at a constant cost per
 * step.
 *
 * w(alpha) is linear, so the mean of w is w of the mean of alpha. An alpha that does
 * not change adds the same value at each step: what it adds is summed when it changes,
 * from the step of its last change on. */
#ifndef SDCA_OBJECTIVE_ITERATE_AVERAGE_H
#define SDCA_OBJECTIVE_ITERATE_AVERAGE_H

#include <stdint.h>

#include "base/status.h"

typedef struct sdca_iterate_average {
    int64_t  first; /* iterates first, first + 1, ... are averaged; 0 is the start */
    double  *sum;   /* by row: sum of its alpha over the iterates before next */
    int64_t *next;  /* by row: the first iterate not in sum */
} sdca_iterate_average;

/* No iterate yet, for this many rows. Local. The caller frees out with
 * sdca_iterate_average_free(). */
sdca_status sdca_iterate_average_create(uint32_t rows, int64_t first,
                                        sdca_iterate_average *out);
void        sdca_iterate_average_free(sdca_iterate_average *average);

/* The alpha of row i was `before` in all iterates up to number - 1, and changes with
 * iterate number. Local. */
static inline void sdca_iterate_average_update(sdca_iterate_average *average, uint32_t i,
                                               double before, int64_t step)
{
    if (step > average->next[i]) {
        average->sum[i] += before * (double)(step - average->next[i]);
        average->next[i] = step;
    }
}

/* The mean of row i's alpha over the iterates first .. number - 1, at least one, where
 * alpha is its current value. Local. */
double sdca_iterate_average_mean(const sdca_iterate_average *average, uint32_t i,
                                 double alpha, int64_t step);

#endif
