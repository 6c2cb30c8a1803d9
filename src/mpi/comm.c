/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm.c - agreement on failures, reductions, broadcast and gather. */
#include "mpi/comm.h"

#include <limits.h>
#include <stdlib.h>

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

/* Rank 0: receive the values of the other ranks. All chunks are received even if the
 * callback has failed, so that no sender blocks. */
static sdca_status receive_chunks(MPI_Comm comm, double *buffer,
                                  sdca_comm_gather_callback callback, void *context)
{
    sdca_status status = SDCA_OK;

    for (int from = 1; from < sdca_comm_size(comm); from++) {
        int64_t left;

        MPI_Recv(&left, 1, MPI_INT64_T, from, 0, comm, MPI_STATUS_IGNORE);
        while (left > 0) {
            int now = left < GATHER_CHUNK ? (int)left : GATHER_CHUNK;

            MPI_Recv(buffer, now, MPI_DOUBLE, from, 0, comm, MPI_STATUS_IGNORE);
            if (status == SDCA_OK) {
                status = callback(context, buffer, now);
            }
            left -= now;
        }
    }
    return status;
}

/* Rank 0: pass its own values, in chunks as well. */
static sdca_status pass_local(const double *local_values, int64_t count,
                              sdca_comm_gather_callback callback, void *context)
{
    sdca_status status = SDCA_OK;

    for (int64_t done = 0; status == SDCA_OK && done < count; done += GATHER_CHUNK) {
        int64_t left = count - done;

        status = callback(context, local_values + done,
                          left < GATHER_CHUNK ? left : GATHER_CHUNK);
    }
    return status;
}

static void send_chunks(MPI_Comm comm, const double *local_values, int64_t count)
{
    MPI_Send(&count, 1, MPI_INT64_T, 0, 0, comm);
    for (int64_t done = 0; done < count; done += GATHER_CHUNK) {
        int64_t left = count - done;

        MPI_Send(local_values + done, left < GATHER_CHUNK ? (int)left : GATHER_CHUNK,
                 MPI_DOUBLE, 0, 0, comm);
    }
}

sdca_status sdca_comm_gather(MPI_Comm comm, const double *local_values, int64_t count,
                             sdca_comm_gather_callback callback, void *context)
{
    sdca_status status = SDCA_OK;
    double     *buffer = NULL;

    if (sdca_comm_rank(comm) == 0) {
        buffer = sdca_alloc_array(GATHER_CHUNK, sizeof *buffer);
        status = buffer == NULL ? SDCA_FAIL(SDCA_MEMORY, "no memory to gather results")
                                : pass_local(local_values, count, callback, context);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (sdca_comm_rank(comm) == 0) {
        status = receive_chunks(comm, buffer, callback, context);
    } else {
        send_chunks(comm, local_values, count);
    }
    status = sdca_comm_agree(comm, status);

done:
    free(buffer);
    return status;
}
