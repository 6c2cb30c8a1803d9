/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.c - ranks that hold a copy each of one vector change it, and agree again. */
#include "sdca/exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/comm.h"
#include "sdca/memory.h"
#include "sdca/partition.h"

/* What stands behind a vector: scalars, then the changes of a slice. */
enum { CHANGES = sizeof(sdca_changes) / sizeof(double), BLOCK = 512 };

/* A copy with all that stands behind it starts and ends with a line of the cache. */
static MPI_Aint stride_of(const sdca_exchange *exchange)
{
    return (MPI_Aint)((exchange->columns + exchange->scalars + CHANGES + 7) / 8 * 8);
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
    size_t room  = (size_t)(exchange->columns + exchange->scalars + CHANGES) / 4 + 1;
    size_t nodes = (size_t)exchange->nodes;

    if (exchange->nodes == 1 || exchange->rank != 0) {
        return SDCA_OK;
    }
    exchange->room     = (int64_t)room;
    exchange->my_place = sdca_memory_allocate(room, sizeof *exchange->my_place);
    exchange->place    = sdca_memory_allocate(room, sizeof *exchange->place);
    exchange->my_value = sdca_memory_allocate(room, sizeof *exchange->my_value);
    exchange->value    = sdca_memory_allocate(room, sizeof *exchange->value);
    exchange->counts   = sdca_memory_allocate(nodes, sizeof *exchange->counts);
    exchange->starts   = sdca_memory_allocate(nodes, sizeof *exchange->starts);
    return exchange->my_place != NULL && exchange->place != NULL &&
                   exchange->my_value != NULL && exchange->value != NULL &&
                   exchange->counts != NULL && exchange->starts != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d nodes",
                           exchange->nodes);
}

/* Each rank has its copy, the first rank the node's total as well. */
static void share_memory(sdca_exchange *exchange)
{
    MPI_Aint stride = stride_of(exchange);
    MPI_Aint size   = (exchange->rank == 0 ? 2 : 1) * stride * (MPI_Aint)sizeof(double);
    double  *base;

    MPI_Win_allocate_shared(size, sizeof(double), MPI_INFO_NULL, exchange->node, &base,
                            &exchange->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, exchange->window);
    for (int k = 0; k < exchange->ranks; k++) {
        int unit;

        MPI_Win_shared_query(exchange->window, k, &size, &unit, &exchange->part[k]);
    }
    exchange->total  = exchange->part[0] + stride;
    exchange->mine   = exchange->part[exchange->rank];
    exchange->scalar = exchange->mine + exchange->columns;
}

sdca_status sdca_exchange_create(MPI_Comm comm, int64_t columns, int scalars,
                                 sdca_exchange *out)
{
    sdca_status   status   = SDCA_OK;
    sdca_exchange exchange = { .columns = columns,
                               .scalars = scalars,
                               .node    = MPI_COMM_NULL,
                               .leaders = MPI_COMM_NULL,
                               .window  = MPI_WIN_NULL };

    find_nodes(comm, &exchange);
    exchange.part = calloc((size_t)exchange.ranks, sizeof *exchange.part);
    exchange.sums = sdca_memory_zeros((size_t)scalars, sizeof *exchange.sums);
    status        = exchange.part != NULL && exchange.sums != NULL
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
    free(exchange->sums);
    free(exchange->my_place);
    free(exchange->place);
    free(exchange->my_value);
    free(exchange->value);
    free(exchange->counts);
    free(exchange->starts);
    *exchange = (sdca_exchange){ 0 };
}

/* What any rank of the node has written before is there for all of them after. */
static void meet(sdca_exchange *exchange)
{
    MPI_Win_sync(exchange->window);
    MPI_Barrier(exchange->node);
    MPI_Win_sync(exchange->window);
}

static sdca_range my_slice(const sdca_exchange *exchange)
{
    return sdca_partition_even(exchange->columns, exchange->rank, exchange->ranks);
}

/* sum = (u - w) + (v - w), the changes of two ranks. */
static sdca_changes add_two(const double *restrict u, const double *restrict v,
                            const double *restrict w, int64_t count, double *restrict sum)
{
    double w2 = 0.0, wdw = 0.0, dw2 = 0.0, own2 = 0.0;

#pragma omp simd reduction(+ : w2, wdw, dw2, own2)
    for (int64_t j = 0; j < count; j++) {
        double one = u[j] - w[j], other = v[j] - w[j], both = one + other;

        sum[j] = both;
        w2 += w[j] * w[j];
        wdw += w[j] * both;
        dw2 += both * both;
        own2 += one * one + other * other;
    }
    return (sdca_changes){ w2, wdw, dw2, own2 };
}

/* sum += u - w, the change of one more rank; returns |u - w|^2. */
static double add_one(const double *restrict u, const double *restrict w, int64_t count,
                      double *restrict sum)
{
    double norm2 = 0.0;

#pragma omp simd reduction(+ : norm2)
    for (int64_t j = 0; j < count; j++) {
        double change = u[j] - w[j];

        sum[j] += change;
        norm2 += change * change;
    }
    return norm2;
}

static double product(const double *restrict x, const double *restrict y, int64_t count)
{
    double sum = 0.0;

#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < count; j++) {
        sum += x[j] * y[j];
    }
    return sum;
}

/* The changes of all ranks of the node in a block of columns; total becomes their sum. A
 * rank without others is two of which one changes nothing. */
static sdca_changes add_block(const sdca_exchange *exchange, const double *w,
                              int64_t from, int64_t count)
{
    double *const *part    = exchange->part;
    const double  *other   = exchange->ranks > 1 ? part[1] : w;
    double        *sum     = exchange->total + from;
    sdca_changes   changes = add_two(part[0] + from, other + from, w + from, count, sum);

    for (int k = 2; k < exchange->ranks; k++) {
        changes.own2 += add_one(part[k] + from, w + from, count, sum);
    }
    if (exchange->ranks > 2) {
        changes.wdw = product(w + from, sum, count);
        changes.dw2 = product(sum, sum, count);
    }
    return changes;
}

/* The same for my slice, block by block, so that a block stays in the cache. */
static sdca_changes add_slice(const sdca_exchange *exchange, const double *w)
{
    sdca_range   slice = my_slice(exchange);
    int64_t      end   = slice.first + slice.count;
    sdca_changes all   = { 0.0, 0.0, 0.0, 0.0 };

    for (int64_t from = slice.first; from < end; from += BLOCK) {
        int64_t      count = end - from < BLOCK ? end - from : BLOCK;
        sdca_changes block = add_block(exchange, w, from, count);

        all = (sdca_changes){ all.w2 + block.w2, all.wdw + block.wdw, all.dw2 + block.dw2,
                              all.own2 + block.own2 };
    }
    return all;
}

/* The numbers behind the copies of a node's ranks, always in the same order. */
static void add_behind(const sdca_exchange *exchange, double *sum)
{
    int64_t count = exchange->scalars + CHANGES;

    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int k = 0; k < exchange->ranks; k++) {
        for (int64_t j = 0; j < count; j++) {
            sum[j] += exchange->part[k][exchange->columns + j];
        }
    }
}

/* Places and values of what is not zero in my node's sum; how many, or more than room. */
static int64_t pack(sdca_exchange *exchange, int64_t length)
{
    int64_t count = 0;

    for (int64_t j = 0; j < length && count <= exchange->room; j++) {
        if (exchange->total[j] != 0.0) {
            if (count < exchange->room) {
                exchange->my_place[count] = (int32_t)j;
                exchange->my_value[count] = exchange->total[j];
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
static void add_total(sdca_exchange *exchange, int64_t length)
{
    int64_t mine = pack(exchange, length);
    double *sum  = exchange->total;

    exchange->bytes += (int64_t)sizeof(int);
    if (!plan_gather(exchange, mine)) {
        sdca_comm_sum(exchange->leaders, sum, length);
        exchange->bytes += length * (int64_t)sizeof(double);
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

/* The node's sum becomes that of all nodes, with what stands behind it. The first rank of
 * each takes the length of it, as slices differ where nodes have unlike numbers of
 * ranks. */
static void add_nodes(sdca_exchange *exchange)
{
    double      *behind = exchange->total + exchange->columns;
    sdca_changes changes;

    add_behind(exchange, behind);
    add_total(exchange, exchange->columns + exchange->scalars + CHANGES);
    memcpy(&changes, behind + exchange->scalars, sizeof changes);
    changes.w2 /= exchange->nodes; /* each has all of w */
    changes.dw2 = 0.0;
    for (int64_t j = 0; j < exchange->columns; j++) { /* so on nodes of any make */
        changes.dw2 += exchange->total[j] * exchange->total[j];
    }
    memcpy(behind + exchange->scalars, &changes, sizeof changes);
}

/* Bring what stands behind the total to where it is read. */
static void read_behind(sdca_exchange *exchange, const double *behind)
{
    memcpy(exchange->sums, behind, (size_t)exchange->scalars * sizeof *behind);
    memcpy(&exchange->changes, behind + exchange->scalars, sizeof exchange->changes);
}

void sdca_exchange_sum(sdca_exchange *exchange, const double *w)
{
    sdca_changes mine;

    meet(exchange);
    mine = add_slice(exchange, w);
    memcpy(exchange->scalar + exchange->scalars, &mine, sizeof mine);
    meet(exchange);
    if (exchange->nodes == 1) {
        double behind[SDCA_EXCHANGE_SCALARS + CHANGES];

        add_behind(exchange, behind);
        read_behind(exchange, behind);
        exchange->bytes +=
            (exchange->columns + exchange->scalars) * (int64_t)sizeof(double);
        return;
    }
    if (exchange->rank == 0) {
        add_nodes(exchange);
    }
    meet(exchange);
    read_behind(exchange, exchange->total + exchange->columns);
}

void sdca_exchange_move(sdca_exchange *exchange, double factor, double *w)
{
    sdca_range slice = my_slice(exchange);
    int64_t    end   = slice.first + slice.count;

    for (int64_t from = slice.first; from < end; from += BLOCK) {
        int64_t       count = end - from < BLOCK ? end - from : BLOCK;
        const double *sum   = exchange->total + from;

        for (int64_t j = 0; j < count; j++) {
            w[from + j] += factor * sum[j];
        }
        for (int k = 0; k < exchange->ranks; k++) {
            memcpy(exchange->part[k] + from, w + from, (size_t)count * sizeof *w);
        }
    }
    meet(exchange);
}
