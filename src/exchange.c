/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.c - one sum over the ranks: a long vector with a few numbers behind it. */
#include "sdca/exchange.h"

#include <stdbool.h>
#include <stdlib.h>

#include "sdca/comm.h"
#include "sdca/partition.h"

/* From one buffer to the next: a place for a partial norm is at its end, and it starts
 * where a line of the cache does. */
static MPI_Aint stride_of(int64_t length)
{
    return (MPI_Aint)((length + 1 + 7) / 8 * 8);
}

static void find_nodes(MPI_Comm comm, sdca_exchange *exchange)
{
    int rank   = sdca_comm_rank(comm);
    int leader = 0;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &exchange->node);
    exchange->rank  = sdca_comm_rank(exchange->node);
    exchange->ranks = sdca_comm_size(exchange->node);
    leader          = exchange->rank == 0;
    MPI_Comm_split(comm, leader ? 0 : MPI_UNDEFINED, rank, &exchange->leaders);
    MPI_Allreduce(&leader, &exchange->nodes, 1, MPI_INT, MPI_SUM, comm);
}

/* A place and its value take 12 bytes, an element 8, and gathering sends each to all: up
 * to a quarter of the elements that is less than adding up all of them. */
static sdca_status make_room(sdca_exchange *exchange)
{
    size_t room  = (size_t)exchange->length / 4 + 1;
    size_t nodes = (size_t)exchange->nodes;

    if (exchange->nodes == 1 || exchange->rank != 0) {
        return SDCA_OK;
    }
    exchange->room     = (int64_t)room;
    exchange->my_place = malloc(room * sizeof *exchange->my_place);
    exchange->place    = malloc(room * sizeof *exchange->place);
    exchange->my_value = malloc(room * sizeof *exchange->my_value);
    exchange->value    = malloc(room * sizeof *exchange->value);
    exchange->counts   = malloc(nodes * sizeof *exchange->counts);
    exchange->starts   = malloc(nodes * sizeof *exchange->starts);
    return exchange->my_place != NULL && exchange->place != NULL &&
                   exchange->my_value != NULL && exchange->value != NULL &&
                   exchange->counts != NULL && exchange->starts != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d nodes",
                           exchange->nodes);
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
    status        = status == SDCA_OK ? make_room(&exchange) : status;
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
    free(exchange->my_place);
    free(exchange->place);
    free(exchange->my_value);
    free(exchange->value);
    free(exchange->counts);
    free(exchange->starts);
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

/* Places and values of what is not zero in my node's sum; how many, or more than room. */
static int64_t pack(sdca_exchange *exchange)
{
    int64_t count = 0;

    for (int64_t j = 0; j < exchange->length && count <= exchange->room; j++) {
        if (exchange->sum[j] != 0.0) {
            if (count < exchange->room) {
                exchange->my_place[count] = (int32_t)j;
                exchange->my_value[count] = exchange->sum[j];
            }
            count++;
        }
    }
    return count;
}

/* How many each node has, and where they begin; true if all of them find room. */
static bool plan_gather(sdca_exchange *exchange, int64_t mine)
{
    int64_t total = 0;
    int     count = (int)(mine <= exchange->room ? mine : exchange->room + 1);

    MPI_Allgather(&count, 1, MPI_INT, exchange->counts, 1, MPI_INT, exchange->leaders);
    for (int k = 0; k < exchange->nodes; k++) {
        exchange->starts[k] = (int)(total <= exchange->room ? total : 0);
        total += exchange->counts[k];
    }
    return total <= exchange->room;
}

/* The sum over the nodes, on the first rank of each. Always in the order of the nodes. */
static void add_nodes(sdca_exchange *exchange)
{
    int64_t mine = pack(exchange);
    double *sum  = exchange->sum;

    exchange->bytes += (int64_t)sizeof(int);
    if (!plan_gather(exchange, mine)) {
        sdca_comm_sum(exchange->leaders, sum, exchange->length);
        exchange->bytes += exchange->length * (int64_t)sizeof(double);
        return;
    }
    MPI_Allgatherv(exchange->my_place, (int)mine, MPI_INT32_T, exchange->place,
                   exchange->counts, exchange->starts, MPI_INT32_T, exchange->leaders);
    MPI_Allgatherv(exchange->my_value, (int)mine, MPI_DOUBLE, exchange->value,
                   exchange->counts, exchange->starts, MPI_DOUBLE, exchange->leaders);
    for (int64_t k = 0; k < mine; k++) {
        sum[exchange->my_place[k]] = 0.0;
    }
    for (int node = 0; node < exchange->nodes; node++) {
        for (int k = 0; k < exchange->counts[node]; k++) {
            int at = exchange->starts[node] + k;

            sum[exchange->place[at]] += exchange->value[at];
        }
    }
    exchange->bytes += mine * (int64_t)(sizeof(int32_t) + sizeof(double));
    exchange->sparse++;
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
            add_nodes(exchange);
        }
        meet(exchange);
    }
    *partial = slice_norm(exchange);
    meet(exchange);
    gather_norm(exchange, at);
    exchange->bytes +=
        exchange->nodes == 1 ? exchange->length * (int64_t)sizeof(double) : 0;
    exchange->turn = 1 - exchange->turn;
    exchange->mine = exchange->part[exchange->rank] + other;
}
