/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.c - one sum over the ranks: a long vector with a few numbers behind it. */
#include "sdca/exchange.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sdca/comm.h"
#include "sdca/partition.h"

int sdca_exchange_node_limit = INT_MAX;

/* From one buffer to the next: a place for a partial norm is at its end, and it starts
 * where a line of the cache does. */
static MPI_Aint stride_of(int64_t length)
{
    return (MPI_Aint)((length + 1 + 7) / 8 * 8);
}

static void find_nodes(MPI_Comm comm, sdca_exchange *exchange)
{
    int      rank   = sdca_comm_rank(comm);
    int      leader = 0;
    MPI_Comm machine;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_split(machine, sdca_comm_rank(machine) / sdca_exchange_node_limit, rank,
                   &exchange->node);
    MPI_Comm_free(&machine);
    exchange->rank  = sdca_comm_rank(exchange->node);
    exchange->ranks = sdca_comm_size(exchange->node);
    leader          = exchange->rank == 0;
    MPI_Comm_split(comm, leader ? 0 : MPI_UNDEFINED, rank, &exchange->leaders);
    MPI_Allreduce(&leader, &exchange->nodes, 1, MPI_INT, MPI_SUM, comm);
}

/* Each rank has two buffers, the first rank two more for the sums. */
static void share_memory(sdca_exchange *exchange)
{
    MPI_Aint stride = stride_of(exchange->length);
    MPI_Aint size   = (exchange->rank == 0 ? 4 : 2) * stride * (MPI_Aint)sizeof(double);
    double  *base;

    MPI_Win_allocate_shared(size, sizeof(double), MPI_INFO_NULL, exchange->node, &base,
                            &exchange->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, exchange->window);
    for (int k = 0; k < exchange->ranks; k++) {
        int unit;

        MPI_Win_shared_query(exchange->window, k, &size, &unit, &exchange->part[k]);
    }
    exchange->total = exchange->part[0] + 2 * stride;
    exchange->mine  = exchange->part[exchange->rank];
    exchange->sum   = exchange->total;
}

sdca_status sdca_exchange_create(MPI_Comm comm, int64_t length, int scalars,
                                 sdca_exchange *out)
{
    sdca_status   status   = SDCA_OK;
    sdca_exchange exchange = { .length  = length + scalars,
                               .scalars = scalars,
                               .node    = MPI_COMM_NULL,
                               .leaders = MPI_COMM_NULL,
                               .window  = MPI_WIN_NULL };

    find_nodes(comm, &exchange);
    exchange.part = calloc((size_t)exchange.ranks, sizeof *exchange.part);
    status        = exchange.part != NULL
                        ? SDCA_OK
                        : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d ranks",
                                    exchange.ranks);
    SDCA_TRY(sdca_comm_agree(comm, status));
    share_memory(&exchange);
    *out = exchange;

done:
    if (status != SDCA_OK) {
        sdca_exchange_free(&exchange);
    }
    return status;
}

static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL) {
        MPI_Comm_free(comm);
    }
}

void sdca_exchange_free(sdca_exchange *exchange)
{
    if (exchange->ranks == 0) {
        return; /* never created */
    }
    if (exchange->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(exchange->window);
        MPI_Win_free(&exchange->window);
    }
    free_comm(&exchange->leaders);
    free_comm(&exchange->node);
    free(exchange->part);
    *exchange = (sdca_exchange){ 0 };
}

/* |x|^2 of so many elements, in four sums that do not wait for each other. */
static double norm2_of(const double *x, int64_t count)
{
    double  sum[4] = { 0.0, 0.0, 0.0, 0.0 };
    int64_t j      = 0;

    for (; j + 3 < count; j += 4) {
        sum[0] += x[j] * x[j];
        sum[1] += x[j + 1] * x[j + 1];
        sum[2] += x[j + 2] * x[j + 2];
        sum[3] += x[j + 3] * x[j + 3];
    }
    for (; j < count; j++) {
        sum[0] += x[j] * x[j];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* What any rank of the node has written before is there for all of them after. */
static void meet(sdca_exchange *exchange)
{
    MPI_Win_sync(exchange->window);
    MPI_Barrier(exchange->node);
    MPI_Win_sync(exchange->window);
}

/* My slice of the node's sum, two ranks at a time. */
static void add_slice(const sdca_exchange *exchange, MPI_Aint at, double *sum)
{
    int64_t       columns = exchange->length - exchange->scalars;
    sdca_range    slice   = sdca_partition_even(columns, exchange->rank, exchange->ranks);
    bool          last  = exchange->rank == exchange->ranks - 1; /* has the scalars too */
    int64_t       end   = last ? exchange->length : slice.first + slice.count;
    const double *first = exchange->part[0] + at;

    if (exchange->ranks == 1) {
        for (int64_t j = slice.first; j < end; j++) {
            sum[j] = first[j];
        }
    }
    for (int k = 1; k < exchange->ranks; k++) {
        const double *before = k == 1 ? first : sum;
        const double *part   = exchange->part[k] + at;

        for (int64_t j = slice.first; j < end; j++) {
            sum[j] = before[j] + part[j];
        }
    }
}

/* The partial norm of my slice of the sum, without the scalars. */
static double slice_norm(const sdca_exchange *exchange)
{
    int64_t    columns = exchange->length - exchange->scalars;
    sdca_range slice   = sdca_partition_even(columns, exchange->rank, exchange->ranks);

    return norm2_of(exchange->sum + slice.first, slice.count);
}

/* Each rank has looked at a slice; all add up the same numbers in the same order. */
static void gather_norm(sdca_exchange *exchange, MPI_Aint at)
{
    exchange->norm2 = 0.0;
    for (int k = 0; k < exchange->ranks; k++) {
        exchange->norm2 += exchange->part[k][at + exchange->length];
    }
}

void sdca_exchange_sum(sdca_exchange *exchange)
{
    MPI_Aint at      = exchange->turn * stride_of(exchange->length);
    MPI_Aint other   = stride_of(exchange->length) - at;
    double  *partial = exchange->part[exchange->rank] + at + exchange->length;

    exchange->sum = exchange->total + at;
    meet(exchange);
    add_slice(exchange, at, exchange->sum);
    if (exchange->nodes > 1) {
        meet(exchange);
        if (exchange->rank == 0) {
            sdca_comm_sum(exchange->leaders, exchange->sum, exchange->length);
        }
        meet(exchange);
    }
    *partial = slice_norm(exchange);
    meet(exchange);
    gather_norm(exchange, at);
    exchange->bytes += exchange->length * (int64_t)sizeof(double);
    exchange->turn = 1 - exchange->turn;
    exchange->mine = exchange->part[exchange->rank] + other;
}
