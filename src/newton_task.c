/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_task.c - passes over the rows and sums over the ranks, of which rounds of
 * Newton's method are made, and how ranks stop in the midst of them.
 *
 * A round may take minutes, so every rank polls its caller at each block of rows. One
 * that is to stop leaves its pass and tells the others with the next sum, which all ranks
 * reach at the same place: none waits for another that has left. */
#include "newton_task.h"

#include <math.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/triangle.h"

double *sdca_newton_vector(const sdca_newton_task *t)
{
    return t->newton->lines.sum + sdca_triangle(t->data->columns);
}

double *sdca_newton_numbers(const sdca_newton_task *t)
{
    return sdca_newton_vector(t) + t->data->columns;
}

static bool is_for_stopping(const sdca_newton_votes *votes)
{
    return votes->asked + votes->late > 0.0;
}

/* Poll the caller. A vote for stopping stands until the end of the round. */
static bool wants_to_stop(const sdca_newton_task *t)
{
    sdca_newton_votes *mine = &t->newton->mine;

    if (t->poll.vote != NULL) {
        sdca_newton_votes now = t->poll.vote(t->poll.context);

        mine->clock = now.clock;
        mine->asked = fmax(mine->asked, now.asked);
        mine->late  = fmax(mine->late, now.late);
    }
    return is_for_stopping(mine);
}

bool sdca_newton_is_stopped(const sdca_newton_task *t)
{
    return is_for_stopping(&t->newton->votes);
}

void sdca_newton_clear(const sdca_newton_task *t, bool matrix)
{
    double *from = matrix ? t->newton->lines.sum : sdca_newton_vector(t);
    double *end  = sdca_newton_numbers(t) + SDCA_LINES_NUMBERS + SDCA_NEWTON_VOTES;

    if (sdca_newton_is_stopped(t)) {
        return;
    }
    memset(from, 0, (size_t)(end - from) * sizeof *from);
}

void sdca_newton_sum(const sdca_newton_task *t, bool matrix)
{
    sdca_newton *newton = t->newton;
    double       start  = MPI_Wtime();
    double      *from   = matrix ? newton->lines.sum : sdca_newton_vector(t);
    double      *votes  = sdca_newton_numbers(t) + SDCA_LINES_NUMBERS;
    int64_t      count  = votes + SDCA_NEWTON_VOTES - from;

    if (sdca_newton_is_stopped(t)) {
        return;
    }
    (void)wants_to_stop(t);
    memcpy(votes, &newton->mine, sizeof newton->mine);
    sdca_comm_allreduce_sum(t->comm, from, count);
    memcpy(&newton->votes, votes, sizeof newton->votes);
    newton->exchange += MPI_Wtime() - start;
    if (sdca_comm_size(t->comm) > 1) {
        newton->bytes += count * (int64_t)sizeof *from;
    }
}

void sdca_newton_weigh(const sdca_newton_task *t, sdca_lines_part part)
{
    sdca_lines_weigh(t->problem, t->data, &t->newton->lines, part, t->state->alpha);
}

void sdca_newton_look(const sdca_newton_task *t, sdca_lines_part part)
{
    sdca_lines_look(t->problem, t->data, &t->newton->lines, part, t->state->w,
                    t->state->alpha);
}

void sdca_newton_follow(const sdca_newton_task *t, sdca_lines_part part)
{
    sdca_lines_follow(t->problem, t->data, &t->newton->lines, part, t->state->w,
                      t->state->alpha);
}

void sdca_newton_pass_over(const sdca_newton_task *t, sdca_newton_pass *over)
{
    uint32_t rows = sdca_lines_rows(t->data, &t->newton->lines);

    for (uint32_t k = 0; k < rows && !sdca_newton_is_stopped(t) && !wants_to_stop(t);
         k += SDCA_LINES_BLOCK) {
        uint32_t end = rows - k > SDCA_LINES_BLOCK ? k + SDCA_LINES_BLOCK : rows;

        over(t, (sdca_lines_part){ k, end });
    }
}
