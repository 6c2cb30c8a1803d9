/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clock.h - the time of a run, which continues when it is resumed. */
#ifndef SDCA_TRAIN_CLOCK_H
#define SDCA_TRAIN_CLOCK_H

#include <stdbool.h>

#include "model/field_io.h"

typedef struct sdca_clock {
    double start;   /* MPI_Wtime() at the start, less the time of earlier calls */
    double elapsed; /* seconds, by rank 0 after the last round */
    double elapsed_at_resume; /* the part of it before this call */
    double limit;             /* budget of this call, in seconds; 0: none */
} sdca_clock;

/* A clock that starts now, with these seconds before this call. Local. */
sdca_clock sdca_clock_start(double limit, double elapsed);

/* Seconds since the start, on this rank. Local. */
double sdca_clock_now(const sdca_clock *clock);

/* Is the budget used up at this time? Local. */
bool sdca_clock_is_over(const sdca_clock *clock, double seconds);

/* A round has ended, by rank 0's clock; out_of_time: some rank's budget was used up.
 * Local. */
void sdca_clock_after_round(sdca_clock *clock, double seconds, bool out_of_time);

/* Its fields of a checkpoint; a clock that was read continues from there. Local. */
void sdca_clock_fields(sdca_clock *clock, sdca_field_io *io);

#endif
