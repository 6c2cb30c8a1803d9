/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_forecast.h - when the gap will have fallen to a target.
 *
 * ln(gap) falls nearly linearly with the epochs. What is seen of the gap may be a guess
 * from a sample of rows, so that two sights a short way apart say little of its rate:
 * the rate remembers earlier ones, and no sight more than halves it. */
#ifndef SDCA_TRAIN_GAP_FORECAST_H
#define SDCA_TRAIN_GAP_FORECAST_H

/* All zero: nothing has been seen yet. */
typedef struct sdca_gap_forecast {
    double epoch;      /* of the last sight ... */
    double gap;        /* ... and what was seen; 0 before the first */
    double decay_rate; /* at which ln(gap) falls, by epoch; 0 before the second */
} sdca_gap_forecast;

/* The gap at an epoch, at least that of the last sight. Local. */
void sdca_gap_forecast_observe(sdca_gap_forecast *forecast, double epoch, double gap);

/* Epochs from the last sight until the gap is the target; not finite if it does not fall.
 * Local. */
double sdca_gap_forecast_epochs_until(const sdca_gap_forecast *forecast, double target);

#endif
