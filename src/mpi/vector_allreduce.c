/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vector_allreduce.c - node-aware allreduce of the changes of a vector w: shared memory
 * within a node, dense or sparse MPI reduction between nodes. */
#include "mpi/vector_allreduce.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/compiler.h"
#include "base/range.h"
#include "base/tuning.h"
#include "mpi/comm.h"

/* A copy of the vector is followed by scalars, and these by the norms of a slice. */
enum {
    MAX_LANES     = SDCA_VECTOR_ALLREDUCE_MAX_LANES,
    NORM_COUNT    = sizeof(sdca_update_norms) / sizeof(double),
    MAX_TAIL      = SDCA_VECTOR_ALLREDUCE_MAX_SCALARS + NORM_COUNT * MAX_LANES,
    BLOCK_COLUMNS = 512
};
_Static_assert(sizeof(sdca_update_norms) % sizeof(double) == 0, "norms are doubles");

/* A copy and its tail begin and end at a cache line. */
static MPI_Aint stride_of(const sdca_vector_allreduce *allreduce)
{
    return (MPI_Aint)((allreduce->length + MAX_TAIL + 7) / 8 * 8);
}

/* An index with its value takes 12 bytes, an element 8, and gathering sends each to all
 * nodes. Up to a quarter of the elements, that is less than a dense reduction. */
static int64_t sparse_capacity_of(int64_t length)
{
    return length / TUNING_SPARSE_ALLREDUCE_DIVISOR + 1;
}

static void find_nodes(MPI_Comm comm, sdca_vector_allreduce *allreduce)
{
    int rank   = sdca_comm_rank(comm);
    int leader = 0;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                        &allreduce->node_comm);
    allreduce->node_rank  = sdca_comm_rank(allreduce->node_comm);
    allreduce->node_ranks = sdca_comm_size(allreduce->node_comm);
    leader                = allreduce->node_rank == 0;
    MPI_Comm_split(comm, leader ? 0 : MPI_UNDEFINED, rank, &allreduce->leader_comm);
    MPI_Allreduce(&leader, &allreduce->nodes, 1, MPI_INT, MPI_SUM, comm);
}

static sdca_status allocate_sparse_buffers(sdca_vector_allreduce *allreduce)
{
    size_t room  = (size_t)sparse_capacity_of(allreduce->length + MAX_TAIL);
    size_t nodes = (size_t)allreduce->nodes;

    if (allreduce->nodes == 1 || allreduce->node_rank != 0) {
        return SDCA_OK;
    }
    allreduce->local_index    = sdca_alloc_array(room, sizeof *allreduce->local_index);
    allreduce->gathered_index = sdca_alloc_array(room, sizeof *allreduce->gathered_index);
    allreduce->local_value    = sdca_alloc_array(room, sizeof *allreduce->local_value);
    allreduce->gathered_value = sdca_alloc_array(room, sizeof *allreduce->gathered_value);
    allreduce->counts         = sdca_alloc_array(nodes, sizeof *allreduce->counts);
    allreduce->displs         = sdca_alloc_array(nodes, sizeof *allreduce->displs);
    return allreduce->local_index != NULL && allreduce->gathered_index != NULL &&
                   allreduce->local_value != NULL && allreduce->gathered_value != NULL &&
                   allreduce->counts != NULL && allreduce->displs != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d nodes",
                           allreduce->nodes);
}

/* Each rank has its copy, and the first rank also the sum of the node. */
static void allocate_shared_window(sdca_vector_allreduce *allreduce)
{
    MPI_Aint stride = stride_of(allreduce);
    MPI_Aint size =
        (allreduce->node_rank == 0 ? 2 : 1) * stride * (MPI_Aint)sizeof(double);
    double *base;

    MPI_Win_allocate_shared(size, sizeof(double), MPI_INFO_NULL, allreduce->node_comm,
                            &base, &allreduce->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, allreduce->window);
    for (int k = 0; k < allreduce->node_ranks; k++) {
        int unit;

        MPI_Win_shared_query(allreduce->window, k, &size, &unit,
                             &allreduce->rank_copy[k]);
    }
    allreduce->node_sum = allreduce->rank_copy[0] + stride;
    allreduce->local    = allreduce->rank_copy[allreduce->node_rank];
}

/* The elements that this rank sums for its node: those of whole columns. */
static sdca_range local_slice(const sdca_vector_allreduce *allreduce)
{
    sdca_range columns = sdca_range_split_even(allreduce->columns, allreduce->node_rank,
                                               allreduce->node_ranks);

    return (sdca_range){ columns.first * allreduce->lanes,
                         columns.count * allreduce->lanes };
}

/* Doubles that follow a copy: scalars, then the norms of all lanes. */
static int tail_length(const sdca_vector_allreduce *allreduce, int scalars)
{
    return scalars + NORM_COUNT * allreduce->lanes;
}

sdca_status sdca_vector_allreduce_create(MPI_Comm comm, int64_t columns, int lanes,
                                         sdca_vector_allreduce *out)
{
    sdca_status           status    = SDCA_OK;
    sdca_vector_allreduce allreduce = { .columns     = columns,
                                        .lanes       = lanes,
                                        .length      = columns * lanes,
                                        .node_comm   = MPI_COMM_NULL,
                                        .leader_comm = MPI_COMM_NULL,
                                        .window      = MPI_WIN_NULL };

    find_nodes(comm, &allreduce);
    allreduce.rank_copy =
        calloc((size_t)allreduce.node_ranks, sizeof *allreduce.rank_copy);
    allreduce.base =
        sdca_alloc_array((size_t)local_slice(&allreduce).count, sizeof *allreduce.base);
    status = allreduce.rank_copy != NULL && allreduce.base != NULL
                 ? SDCA_OK
                 : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d ranks",
                             allreduce.node_ranks);
    status = status == SDCA_OK ? allocate_sparse_buffers(&allreduce) : status;
    SDCA_TRY(sdca_comm_agree(comm, status));
    allocate_shared_window(&allreduce);
    *out = allreduce;

done:
    if (status != SDCA_OK) {
        sdca_vector_allreduce_free(&allreduce);
    }
    return status;
}

static void free_comm(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL) {
        MPI_Comm_free(comm);
    }
}

void sdca_vector_allreduce_free(sdca_vector_allreduce *allreduce)
{
    if (allreduce->node_ranks == 0) {
        return; /* never created */
    }
    if (allreduce->window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(allreduce->window);
        MPI_Win_free(&allreduce->window);
    }
    free_comm(&allreduce->leader_comm);
    free_comm(&allreduce->node_comm);
    free(allreduce->rank_copy);
    free(allreduce->base);
    free(allreduce->local_index);
    free(allreduce->gathered_index);
    free(allreduce->local_value);
    free(allreduce->gathered_value);
    free(allreduce->counts);
    free(allreduce->displs);
    *allreduce = (sdca_vector_allreduce){ 0 };
}

/* Make what the ranks of the node wrote before visible to all of them. */
static void node_barrier(sdca_vector_allreduce *allreduce)
{
    MPI_Win_sync(allreduce->window);
    MPI_Barrier(allreduce->node_comm);
    MPI_Win_sync(allreduce->window);
}

void sdca_vector_allreduce_rebase(sdca_vector_allreduce *allreduce)
{
    sdca_range slice = local_slice(allreduce);

    memcpy(allreduce->base, allreduce->local + slice.first,
           (size_t)slice.count * sizeof *allreduce->base);
}

/* sum = (u - w) + (v - w), the changes of two ranks. */
static sdca_update_norms sum_two_updates(const double *restrict u,
                                         const double *restrict v,
                                         const double *restrict w, int64_t count,
                                         double *restrict sum)
{
    double w2 = 0.0, wdw = 0.0, dw2 = 0.0, own2 = 0.0;

#pragma omp simd reduction(+ : w2, wdw, dw2, own2)
    for (int64_t j = 0; j < count; j++) {
        double first_update = u[j] - w[j], second_update = v[j] - w[j],
               update = first_update + second_update;

        sum[j] = update;
        w2 += w[j] * w[j];
        wdw += w[j] * update;
        dw2 += update * update;
        own2 += first_update * first_update + second_update * second_update;
    }
    return (sdca_update_norms){ w2, wdw, dw2, own2 };
}

/* sum += u - w, the change of one more rank; returns |u - w|^2. */
static double add_update(const double *restrict u, const double *restrict w,
                         int64_t count, double *restrict sum)
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

static double dot(const double *restrict x, const double *restrict y, int64_t count)
{
    double sum = 0.0;

#pragma omp simd reduction(+ : sum)
    for (int64_t j = 0; j < count; j++) {
        sum += x[j] * y[j];
    }
    return sum;
}

/* Sum the changes of all ranks of the node in a block of columns, where w before them is
 * base. A single rank counts as two of which one changes nothing. */
static sdca_update_norms reduce_block(const sdca_vector_allreduce *allreduce,
                                      const double *base, int64_t first, int64_t count)
{
    double *const    *part   = allreduce->rank_copy;
    const double     *second = allreduce->node_ranks > 1 ? part[1] + first : base;
    double           *sum    = allreduce->node_sum + first;
    sdca_update_norms norms  = sum_two_updates(part[0] + first, second, base, count, sum);

    for (int k = 2; k < allreduce->node_ranks; k++) {
        norms.local_norm2 += add_update(part[k] + first, base, count, sum);
    }
    if (allreduce->node_ranks > 2) {
        norms.w_dot_dw = dot(base, sum, count);
        norms.dw_norm2 = dot(sum, sum, count);
    }
    return norms;
}

/* The same for several lanes; adds to the norms of each. */
SDCA_INLINE void reduce_lanes(int lanes, const sdca_vector_allreduce *allreduce,
                              const double *base, int64_t first, int64_t count,
                              sdca_update_norms *norms)
{
    double *const *part          = allreduce->rank_copy;
    double        *sum           = allreduce->node_sum + first;
    double         w2[MAX_LANES] = { 0.0 }, wdw[MAX_LANES] = { 0.0 };
    double         dw2[MAX_LANES] = { 0.0 }, own2[MAX_LANES] = { 0.0 };

    for (int64_t j = 0; j < count; j += lanes) {
        double total[MAX_LANES] = { 0.0 };

        for (int k = 0; k < allreduce->node_ranks; k++) {
            for (int m = 0; m < lanes; m++) {
                double change = part[k][first + j + m] - base[j + m];

                total[m] += change;
                own2[m] += change * change;
            }
        }
        for (int m = 0; m < lanes; m++) {
            sum[j + m] = total[m];
            w2[m] += base[j + m] * base[j + m];
            wdw[m] += base[j + m] * total[m];
            dw2[m] += total[m] * total[m];
        }
    }
    for (int m = 0; m < lanes; m++) {
        norms[m].w_norm2 += w2[m];
        norms[m].w_dot_dw += wdw[m];
        norms[m].dw_norm2 += dw2[m];
        norms[m].local_norm2 += own2[m];
    }
}

/* The same for my slice, block by block, so that a block stays in the cache. */
static void reduce_slice(const sdca_vector_allreduce *allreduce, sdca_update_norms *all)
{
    sdca_range slice = local_slice(allreduce);
    int64_t    end   = slice.first + slice.count;

    memset(all, 0, (size_t)allreduce->lanes * sizeof *all);
    for (int64_t first = slice.first; first < end; first += BLOCK_COLUMNS) {
        int64_t       count = end - first < BLOCK_COLUMNS ? end - first : BLOCK_COLUMNS;
        const double *base  = allreduce->base + (first - slice.first);

        if (allreduce->lanes == 1) {
            sdca_update_norms block = reduce_block(allreduce, base, first, count);

            all->w_norm2 += block.w_norm2;
            all->w_dot_dw += block.w_dot_dw;
            all->dw_norm2 += block.dw_norm2;
            all->local_norm2 += block.local_norm2;
        } else if (allreduce->lanes == 4) {
            reduce_lanes(4, allreduce, base, first, count, all);
        } else {
            reduce_lanes(8, allreduce, base, first, count, all);
        }
    }
}

/* Sum what follows the copies of a node's ranks, always in the same order. */
static void sum_tails(const sdca_vector_allreduce *allreduce, int64_t count, double *sum)
{
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int k = 0; k < allreduce->node_ranks; k++) {
        for (int64_t j = 0; j < count; j++) {
            sum[j] += allreduce->rank_copy[k][allreduce->length + j];
        }
    }
}

/* Pack the indices and values of what is not zero in my node's sum; returns their number,
 * or more than the capacity. */
static int64_t pack_nonzeros(sdca_vector_allreduce *allreduce, int64_t length)
{
    int64_t count = 0;

    for (int64_t j = 0; j < length && count <= allreduce->sparse_capacity; j++) {
        if (allreduce->node_sum[j] != 0.0) {
            if (count < allreduce->sparse_capacity) {
                allreduce->local_index[count] = (int32_t)j;
                allreduce->local_value[count] = allreduce->node_sum[j];
            }
            count++;
        }
    }
    return count;
}

/* Exchange the numbers of non-zeros of all nodes; true if all of them fit. */
static bool exchange_counts(sdca_vector_allreduce *allreduce, int64_t mine)
{
    int64_t total = 0;
    int     count =
        (int)(mine <= allreduce->sparse_capacity ? mine : allreduce->sparse_capacity + 1);

    MPI_Allgather(&count, 1, MPI_INT, allreduce->counts, 1, MPI_INT,
                  allreduce->leader_comm);
    for (int k = 0; k < allreduce->nodes; k++) {
        allreduce->displs[k] = (int)(total <= allreduce->sparse_capacity ? total : 0);
        total += allreduce->counts[k];
    }
    return total <= allreduce->sparse_capacity;
}

/* The sum over the nodes, on the first rank of each, always in the order of the nodes. */
static void allreduce_between_nodes(sdca_vector_allreduce *allreduce, int64_t length)
{
    double *sum = allreduce->node_sum;
    int64_t mine;

    allreduce->sparse_capacity = sparse_capacity_of(length);
    mine                       = pack_nonzeros(allreduce, length);
    allreduce->bytes_sent += (int64_t)sizeof(int);
    if (!exchange_counts(allreduce, mine)) {
        sdca_comm_allreduce_sum(allreduce->leader_comm, sum, length);
        allreduce->bytes_sent += length * (int64_t)sizeof(double);
        return;
    }
    MPI_Allgatherv(allreduce->local_index, (int)mine, MPI_INT32_T,
                   allreduce->gathered_index, allreduce->counts, allreduce->displs,
                   MPI_INT32_T, allreduce->leader_comm);
    MPI_Allgatherv(allreduce->local_value, (int)mine, MPI_DOUBLE,
                   allreduce->gathered_value, allreduce->counts, allreduce->displs,
                   MPI_DOUBLE, allreduce->leader_comm);
    for (int64_t k = 0; k < mine; k++) {
        sum[allreduce->local_index[k]] = 0.0;
    }
    for (int node = 0; node < allreduce->nodes; node++) {
        for (int k = 0; k < allreduce->counts[node]; k++) {
            int at = allreduce->displs[node] + k;

            sum[allreduce->gathered_index[at]] += allreduce->gathered_value[at];
        }
    }
    allreduce->bytes_sent += mine * (int64_t)(sizeof(int32_t) + sizeof(double));
    allreduce->sparse_reductions++;
}

/* Replace the node's sum and its tail by those of all nodes. The first rank of each node
 * computes the norm of the sum, since slices differ if nodes have different numbers of
 * ranks. */
static void reduce_nodes(sdca_vector_allreduce *allreduce, int count)
{
    double           *tail  = allreduce->node_sum + allreduce->length;
    int               lanes = allreduce->lanes;
    sdca_update_norms norms[MAX_LANES];

    sum_tails(allreduce, tail_length(allreduce, count), tail);
    allreduce_between_nodes(allreduce, allreduce->length + tail_length(allreduce, count));
    memcpy(norms, tail + count, (size_t)lanes * sizeof *norms);
    for (int m = 0; m < lanes; m++) {
        norms[m].w_norm2 /= allreduce->nodes; /* each has all of w */
        norms[m].dw_norm2 = 0.0;
        for (int64_t j = m; j < allreduce->length; j += lanes) { /* the same everywhere */
            norms[m].dw_norm2 += allreduce->node_sum[j] * allreduce->node_sum[j];
        }
    }
    memcpy(tail + count, norms, (size_t)lanes * sizeof *norms);
}

static void read_tail(sdca_vector_allreduce *allreduce, const double *tail,
                      double *scalars, int count)
{
    memcpy(scalars, tail, (size_t)count * sizeof *scalars);
    memcpy(allreduce->norms, tail + count,
           (size_t)allreduce->lanes * sizeof *allreduce->norms);
}

void sdca_vector_allreduce_sum(sdca_vector_allreduce *allreduce, double *scalars,
                               int count)
{
    double           *local_tail = allreduce->local + allreduce->length;
    sdca_update_norms mine[MAX_LANES];

    memcpy(local_tail, scalars, (size_t)count * sizeof *scalars);
    node_barrier(allreduce);
    reduce_slice(allreduce, mine);
    memcpy(local_tail + count, mine, (size_t)allreduce->lanes * sizeof *mine);
    node_barrier(allreduce);
    if (allreduce->nodes == 1) {
        double tail[MAX_TAIL];

        sum_tails(allreduce, tail_length(allreduce, count), tail);
        read_tail(allreduce, tail, scalars, count);
        allreduce->bytes_sent += (allreduce->length + count) * (int64_t)sizeof(double);
        return;
    }
    if (allreduce->node_rank == 0) {
        reduce_nodes(allreduce, count);
    }
    node_barrier(allreduce);
    read_tail(allreduce, allreduce->node_sum + allreduce->length, scalars, count);
}

/* base += factor (sum of the changes), lane by lane. */
static void apply_block(int lanes, const double *restrict factor,
                        const double *restrict sum, int64_t count, double *restrict base)
{
    if (lanes == 1) {
        for (int64_t j = 0; j < count; j++) {
            base[j] += factor[0] * sum[j];
        }
        return;
    }
    for (int64_t j = 0; j < count; j += lanes) {
        for (int m = 0; m < lanes; m++) {
            base[j + m] += factor[m] * sum[j + m];
        }
    }
}

void sdca_vector_allreduce_apply(sdca_vector_allreduce *allreduce, const double *factor)
{
    sdca_range slice = local_slice(allreduce);
    int64_t    end   = slice.first + slice.count;

    for (int64_t first = slice.first; first < end; first += BLOCK_COLUMNS) {
        int64_t       count = end - first < BLOCK_COLUMNS ? end - first : BLOCK_COLUMNS;
        const double *sum   = allreduce->node_sum + first;
        double       *base  = allreduce->base + (first - slice.first);

        apply_block(allreduce->lanes, factor, sum, count, base);
        for (int k = 0; k < allreduce->node_ranks; k++) {
            memcpy(allreduce->rank_copy[k] + first, base, (size_t)count * sizeof *base);
        }
    }
    node_barrier(allreduce);
}
