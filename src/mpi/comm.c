/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm.c - agreement on failures, reductions, broadcast and gather. */
#include "mpi/comm.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm_chunked.h"

enum {
    MAX_CHUNK    = INT_MAX / 2, /* elements for one MPI call */
    GATHER_CHUNK = 1 << 17
};

int sdca_comm_rank(MPI_Comm comm)
{
    int rank;

    MPI_Comm_rank(comm, &rank);
    return rank;
}

int sdca_comm_size(MPI_Comm comm)
{
    int size;

    MPI_Comm_size(comm, &size);
    return size;
}

sdca_status sdca_comm_agree(MPI_Comm comm, sdca_status mine)
{
    struct {
        int status, rank;
    } local, worst;

    local.status = (int)mine;
    local.rank   = sdca_comm_rank(comm);
    MPI_Allreduce(&local, &worst, 1, MPI_2INT, MPI_MAXLOC, comm);
    if (worst.status != SDCA_OK) {
        MPI_Bcast(sdca_status_buffer(), SDCA_MESSAGE_SIZE, MPI_CHAR, worst.rank, comm);
    }
    return (sdca_status)worst.status;
}

void sdca_comm_allreduce_sum(MPI_Comm comm, double *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_DOUBLE, MPI_SUM, MAX_CHUNK);
}

void sdca_comm_allreduce_min(MPI_Comm comm, double *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_DOUBLE, MPI_MIN, MAX_CHUNK);
}

void sdca_comm_allreduce_max(MPI_Comm comm, double *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_DOUBLE, MPI_MAX, MAX_CHUNK);
}

void sdca_comm_allreduce_sum_int64(MPI_Comm comm, int64_t *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_INT64_T, MPI_SUM, MAX_CHUNK);
}

void sdca_comm_allreduce_min_int64(MPI_Comm comm, int64_t *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_INT64_T, MPI_MIN, MAX_CHUNK);
}

void sdca_comm_allreduce_or(MPI_Comm comm, uint64_t *x, int64_t count)
{
    allreduce_chunked(comm, x, count, MPI_UINT64_T, MPI_BOR, MAX_CHUNK);
}

void sdca_comm_broadcast(MPI_Comm comm, void *x, int bytes)
{
    MPI_Bcast(x, bytes, MPI_BYTE, 0, comm);
}

void sdca_comm_broadcast_numbers(MPI_Comm comm, double *x, int64_t count)
{
    const int64_t most = 1 << 24;

    for (int64_t k = 0; k < count; k += most) {
        int64_t left = count - k < most ? count - k : most;

        sdca_comm_broadcast(comm, x + k, (int)(left * (int64_t)sizeof *x));
    }
}

/* What is gathered. */
typedef struct gathering {
    MPI_Comm                  comm;
    int                       width; /* numbers of a record */
    int64_t                   chunk; /* records of a chunk */
    double                   *buffer;
    sdca_comm_make_records    make;
    sdca_comm_gather_callback callback;
    void                     *context;
} gathering;

/* Rank 0: receive the records of the other ranks. All chunks are received even if the
 * callback has failed, so that no sender blocks. */
static sdca_status receive_chunks(const gathering *g)
{
    sdca_status status = SDCA_OK;

    for (int from = 1; from < sdca_comm_size(g->comm); from++) {
        int64_t left;

        MPI_Recv(&left, 1, MPI_INT64_T, from, 0, g->comm, MPI_STATUS_IGNORE);
        while (left > 0) {
            int64_t now   = left < g->chunk ? left : g->chunk;
            int     count = (int)(now * g->width);

            MPI_Recv(g->buffer, count, MPI_DOUBLE, from, 0, g->comm, MPI_STATUS_IGNORE);
            if (status == SDCA_OK) {
                status = g->callback(g->context, g->buffer, count);
            }
            left -= now;
        }
    }
    return status;
}

/* Make my records, chunk by chunk, and pass them to the callback on rank 0, or send them
 * there. */
static sdca_status make_chunks(const gathering *g, int64_t records)
{
    bool        first  = sdca_comm_rank(g->comm) == 0;
    sdca_status status = SDCA_OK;

    if (!first) {
        MPI_Send(&records, 1, MPI_INT64_T, 0, 0, g->comm);
    }
    for (int64_t done = 0; status == SDCA_OK && done < records; done += g->chunk) {
        int64_t now   = records - done < g->chunk ? records - done : g->chunk;
        int     count = (int)(now * g->width);

        g->make(g->context, (sdca_range){ done, now }, g->buffer);
        if (first) {
            status = g->callback(g->context, g->buffer, count);
        } else {
            MPI_Send(g->buffer, count, MPI_DOUBLE, 0, 0, g->comm);
        }
    }
    return status;
}

sdca_status sdca_comm_gather_records(MPI_Comm comm, int64_t records, int width,
                                     sdca_comm_make_records    make,
                                     sdca_comm_gather_callback callback, void *context)
{
    sdca_status status = SDCA_OK;
    bool        first  = sdca_comm_rank(comm) == 0;
    gathering   g      = { .comm     = comm,
                           .width    = width,
                           .chunk    = width < GATHER_CHUNK ? GATHER_CHUNK / width : 1,
                           .make     = make,
                           .callback = callback,
                           .context  = context };

    g.buffer = sdca_alloc_array((size_t)(g.chunk * width), sizeof *g.buffer);
    status   = g.buffer == NULL ? SDCA_FAIL(SDCA_MEMORY, "no memory to gather results")
               : first          ? make_chunks(&g, records)
                                : SDCA_OK;
    SDCA_TRY(sdca_comm_agree(comm, status));
    status = sdca_comm_agree(comm, first ? receive_chunks(&g) : make_chunks(&g, records));

done:
    free(g.buffer);
    return status;
}

/* Numbers that are in memory, and where they go. */
typedef struct stored_numbers {
    const double             *values;
    sdca_comm_gather_callback callback;
    void                     *context;
} stored_numbers;

static void copy_numbers(void *context, sdca_range records, double *x)
{
    const stored_numbers *from = context;

    memcpy(x, from->values + records.first, (size_t)records.count * sizeof *x);
}

static sdca_status pass_numbers(void *context, const double *values, int64_t count)
{
    const stored_numbers *to = context;

    return to->callback(to->context, values, count);
}

sdca_status sdca_comm_gather(MPI_Comm comm, const double *local_values, int64_t count,
                             sdca_comm_gather_callback callback, void *context)
{
    stored_numbers numbers = { local_values, callback, context };

    return sdca_comm_gather_records(comm, count, 1, copy_numbers, pass_numbers, &numbers);
}
