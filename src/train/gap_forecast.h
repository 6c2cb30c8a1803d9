/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_forecast.h - when the gap will have fallen to a target.
 *
 * ln(gap) falls nearly linearly with the epochs. An observed gap may be an estimate from
 * a sample of rows, so that two observations soon after each other say little about the
 * rate: the rate is averaged over earlier ones. */
#ifndef SDCA_TRAIN_GAP_FORECAST_H
#define SDCA_TRAIN_GAP_FORECAST_H

/* All zero: no observation yet. */
typedef struct sdca_gap_forecast {
    double epoch;      /* of the last observation ... */
    double gap;        /* ... and the gap; 0 before the first */
    double decay_rate; /* of ln(gap), per epoch; 0 before the second */
} sdca_gap_forecast;

/* Observe a gap at an epoch, which is at least that of the last observation. Local. */
void sdca_gap_forecast_observe(sdca_gap_forecast *forecast, double epoch, double gap);

/* Epochs from the last observation until the gap is the target; not finite if it does not
 * fall. Local. */
double sdca_gap_forecast_epochs_until(const sdca_gap_forecast *forecast, double target);

#endif
