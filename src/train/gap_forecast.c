/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_forecast.c - when the gap will have fallen to a target. */
#include "train/gap_forecast.h"

#include <math.h>

#include "base/tuning.h"

void sdca_gap_forecast_observe(sdca_gap_forecast *forecast, double epoch, double gap)
{
    double previous = forecast->decay_rate;
    double elapsed  = epoch - forecast->epoch;
    double memory   = previous != 0.0 ? fmax(tuning_forecast_min_memory,
                                             epoch / tuning_forecast_memory_divisor)
                                      : 0.0; /* epochs */

    if (forecast->gap > 0.0 && gap > 0.0 && elapsed > 0.0) {
        forecast->decay_rate =
            (log(forecast->gap / gap) + memory * previous) / (elapsed + memory);
    }
    forecast->epoch = epoch;
    forecast->gap   = gap;
}

double sdca_gap_forecast_epochs_until(const sdca_gap_forecast *forecast, double target)
{
    if (forecast->gap <= target) {
        return 0.0;
    }
    return forecast->decay_rate > 0.0 ? log(forecast->gap / target) / forecast->decay_rate
                                      : INFINITY;
}
