/* SPDX-License-Identifier: BSD-3-Clause
 *
 * forecast.c - when the gap will have fallen to a target. */
#include "sdca/forecast.h"

#include <math.h>

void sdca_forecast_see(sdca_forecast *forecast, double epoch, double gap)
{
    double before  = forecast->rate;
    double between = epoch - forecast->epoch;
    double memory  = before != 0.0 ? fmax(0.5, epoch / 8.0) : 0.0; /* epochs */

    if (forecast->gap > 0.0 && gap > 0.0 && between > 0.0) {
        double rate = (log(forecast->gap / gap) + memory * before) / (between + memory);

        forecast->rate = before > 0.0 ? fmax(rate, before / 2.0) : rate;
    }
    forecast->epoch = epoch;
    forecast->gap   = gap;
}

double sdca_forecast_wait(const sdca_forecast *forecast, double target)
{
    if (forecast->gap <= target) {
        return 0.0;
    }
    return forecast->rate > 0.0 ? log(forecast->gap / target) / forecast->rate : INFINITY;
}
