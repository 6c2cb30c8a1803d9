/* SPDX-License-Identifier: BSD-3-Clause
 *
 * score_histogram.c - how many rows have which score. */
#include "objective/score_histogram.h"

#include <math.h>

void sdca_score_histogram_make(const sdca_score_group *group, int64_t count, double low,
                               double high, sdca_score_histogram *out)
{
    *out = (sdca_score_histogram){ .low = low, .high = high };
    for (int64_t k = 0; k < count; k++) {
        double t   = (group[k].score - low) / (high - low) * SDCA_HISTOGRAM_BINS;
        int    bin = (int)fmin(fmax(t, 0.0), SDCA_HISTOGRAM_BINS - 1);

        out->positive[bin] += group[k].positive;
        out->negative[bin] += group[k].negative;
    }
}
