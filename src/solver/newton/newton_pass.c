/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_pass.c - the passes over the rows and allreduces of a Newton round, and how
 * ranks stop within them.
 *
 * A round may take minutes, so every rank polls its caller at each block of rows. A
 * rank that is to stop leaves its pass and votes in the next allreduce, which all
 * ranks reach at the same place: none waits for a rank that has left. */
#include "solver/newton/newton_pass.h"

#include <math.h>
#include <string.h>

#include "mpi/comm.h"
#include "solver/newton/packed_cholesky.h"

double *sdca_newton_pass_vector(const sdca_newton_pass *t)
{
    return t->newton->linearization.sums + sdca_cholesky_row_start(t->data->columns);
}

double *sdca_newton_pass_scalars(const sdca_newton_pass *t)
{
    return sdca_newton_pass_vector(t) + t->data->columns;
}

static bool has_stop_vote(const sdca_newton_votes *votes)
{
    return votes->stop_requested + votes->out_of_time > 0.0;
}

/* Poll the caller. A vote for stopping stands until the end of the round. */
static bool poll_stop(const sdca_newton_pass *t)
{
    sdca_newton_votes *mine = &t->newton->local_votes;

    if (t->poll.vote != NULL) {
        sdca_newton_votes now = t->poll.vote(t->poll.context);

        mine->clock          = now.clock;
        mine->stop_requested = fmax(mine->stop_requested, now.stop_requested);
        mine->out_of_time    = fmax(mine->out_of_time, now.out_of_time);
    }
    return has_stop_vote(mine);
}

bool sdca_newton_pass_is_stopped(const sdca_newton_pass *t)
{
    return has_stop_vote(&t->newton->total_votes);
}

void sdca_newton_pass_clear(const sdca_newton_pass *t, bool matrix)
{
    double *from = matrix ? t->newton->linearization.sums : sdca_newton_pass_vector(t);
    double *end  = sdca_newton_pass_scalars(t) + SDCA_NEWTON_SCALARS + SDCA_NEWTON_VOTES;

    if (sdca_newton_pass_is_stopped(t)) {
        return;
    }
    memset(from, 0, (size_t)(end - from) * sizeof *from);
}

void sdca_newton_pass_allreduce(const sdca_newton_pass *t, bool matrix)
{
    sdca_newton *newton = t->newton;
    double       start  = MPI_Wtime();
    double      *from  = matrix ? newton->linearization.sums : sdca_newton_pass_vector(t);
    double      *votes = sdca_newton_pass_scalars(t) + SDCA_NEWTON_SCALARS;
    int64_t      count = votes + SDCA_NEWTON_VOTES - from;

    if (sdca_newton_pass_is_stopped(t)) {
        return;
    }
    (void)poll_stop(t);
    memcpy(votes, &newton->local_votes, sizeof newton->local_votes);
    sdca_comm_allreduce_sum(t->comm, from, count);
    memcpy(&newton->total_votes, votes, sizeof newton->total_votes);
    newton->mpi_seconds += MPI_Wtime() - start;
    if (sdca_comm_size(t->comm) > 1) {
        newton->bytes += count * (int64_t)sizeof *from;
    }
}

void sdca_newton_pass_assemble(const sdca_newton_pass *t, sdca_newton_row_range part)
{
    sdca_newton_linearization_assemble(t->objective, t->data, &t->newton->linearization,
                                       part, t->iterate->row);
}

void sdca_newton_pass_evaluate(const sdca_newton_pass *t, sdca_newton_row_range part)
{
    sdca_newton_linearization_evaluate(t->objective, t->data, &t->newton->linearization,
                                       part, t->iterate->w, t->iterate->row);
}

void sdca_newton_pass_update_alpha(const sdca_newton_pass *t, sdca_newton_row_range part)
{
    sdca_newton_linearization_update_alpha(t->objective, t->data,
                                           &t->newton->linearization, part, t->iterate->w,
                                           t->iterate->row);
}

void sdca_newton_pass_run(const sdca_newton_pass *t, sdca_newton_pass_kernel *kernel)
{
    uint32_t rows = sdca_newton_linearization_count(t->data, &t->newton->linearization);

    for (uint32_t k = 0; k < rows && !sdca_newton_pass_is_stopped(t) && !poll_stop(t);
         k += SDCA_NEWTON_BLOCK_ROWS) {
        uint32_t end =
            rows - k > SDCA_NEWTON_BLOCK_ROWS ? k + SDCA_NEWTON_BLOCK_ROWS : rows;

        kernel(t, (sdca_newton_row_range){ k, end });
    }
}
