/* SPDX-License-Identifier: BSD-3-Clause
 *
 * clock.c - the time of a run, which continues when it is resumed. */
#include "train/clock.h"

#include <math.h>
#include <mpi.h>

sdca_clock sdca_clock_start(double limit, double elapsed)
{
    return (sdca_clock){ .start             = MPI_Wtime() - elapsed,
                         .elapsed           = elapsed,
                         .elapsed_at_resume = elapsed,
                         .limit             = limit };
}

double sdca_clock_now(const sdca_clock *clock)
{
    return MPI_Wtime() - clock->start;
}

bool sdca_clock_is_over(const sdca_clock *clock, double seconds)
{
    return clock->limit > 0.0 && seconds - clock->elapsed_at_resume >= clock->limit;
}

void sdca_clock_after_round(sdca_clock *clock, double seconds, bool out_of_time)
{
    double end = clock->elapsed_at_resume + clock->limit;

    clock->elapsed =
        out_of_time ? fmax(seconds, end) : seconds; /* rank 0 may be behind */
}

void sdca_clock_fields(sdca_clock *clock, sdca_field_io *io)
{
    sdca_field_io_double(io, "seconds", &clock->elapsed);
    if (!io->writing) {
        *clock = sdca_clock_start(clock->limit, clock->elapsed);
    }
}
