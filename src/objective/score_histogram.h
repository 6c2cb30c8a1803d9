/* SPDX-License-Identifier: BSD-3-Clause
 *
 * score_histogram.h - how many rows have which score. */
#ifndef SDCA_OBJECTIVE_SCORE_HISTOGRAM_H
#define SDCA_OBJECTIVE_SCORE_HISTOGRAM_H

#include <stdint.h>

#include "objective/ranking.h"

enum { SDCA_HISTOGRAM_BINS = 40 };

/* Weight of positive and of negative rows by score, in bins of equal width from low to
 * high. The first and last bins also have the rows beyond these. */
typedef struct sdca_score_histogram {
    double low, high;
    double positive[SDCA_HISTOGRAM_BINS];
    double negative[SDCA_HISTOGRAM_BINS];
} sdca_score_histogram;

/* low < high. Local. */
void sdca_score_histogram_make(const sdca_score_group *group, int64_t count, double low,
                               double high, sdca_score_histogram *out);

#endif
