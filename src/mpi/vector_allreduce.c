/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vector_allreduce.c - node-aware allreduce of the changes of a vector w: shared memory
 * within a node, dense or sparse MPI reduction between nodes. */
#include "mpi/vector_allreduce.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"
#include "mpi/slice_sum_over_nodes.h"
#include "mpi/slice_sum_within_node.h"

enum { LINE = SDCA_LINE, LINE_BYTES = LINE * sizeof(double) };

static bool is_owner(const sdca_vector_allreduce *allreduce)
{
    return allreduce->node_rank < allreduce->owners;
}

/* As many ranks of each node own a slice as the smallest node has. */
static void find_nodes(MPI_Comm comm, sdca_vector_allreduce *allreduce)
{
    int rank   = sdca_comm_rank(comm);
    int leader = 0;

    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                        &allreduce->node_comm);
    allreduce->node_rank  = sdca_comm_rank(allreduce->node_comm);
    allreduce->node_ranks = sdca_comm_size(allreduce->node_comm);
    leader                = allreduce->node_rank == 0;
    MPI_Allreduce(&leader, &allreduce->nodes, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(&allreduce->node_ranks, &allreduce->owners, 1, MPI_INT, MPI_MIN, comm);
    if (allreduce->nodes > 1) {
        MPI_Comm_split(comm, is_owner(allreduce) ? allreduce->node_rank : MPI_UNDEFINED,
                       rank, &allreduce->owner_comm);
    }
}

/* The lines of whole chunks that this rank owns. */
static sdca_range find_slice(const sdca_vector_allreduce *allreduce)
{
    int64_t    chunks = (allreduce->lines + SDCA_CHUNK_LINES - 1) / SDCA_CHUNK_LINES;
    sdca_range mine;
    int64_t    end;

    if (!is_owner(allreduce) || allreduce->node_rank >= chunks) {
        return (sdca_range){ 0, 0 };
    }
    mine = sdca_range_split_even(chunks, allreduce->node_rank, allreduce->owners);
    end  = (mine.first + mine.count) * SDCA_CHUNK_LINES;
    end  = end < allreduce->lines ? end : allreduce->lines;
    return (sdca_range){ mine.first * SDCA_CHUNK_LINES,
                         end - mine.first * SDCA_CHUNK_LINES };
}

/* What a rank has in the window, in bytes: its copy of w, its area, and its marks. */
typedef struct window_layout {
    size_t area, line_marks, chunk_marks, size;
} window_layout;

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

static window_layout layout_of(const sdca_vector_allreduce *allreduce)
{
    size_t        lines  = (size_t)allreduce->lines;
    size_t        chunks = (lines + SDCA_CHUNK_LINES - 1) / SDCA_CHUNK_LINES;
    window_layout at;

    at.area        = lines * LINE_BYTES;
    at.line_marks  = at.area + whole_lines(sizeof(sdca_rank_area));
    at.chunk_marks = at.line_marks + whole_lines(chunks * SDCA_CHUNK_LINES);
    at.size        = at.chunk_marks + whole_lines(chunks);
    return at;
}

static int mark_shift(int lanes)
{
    return lanes == 1 ? 3 : lanes == 4 ? 1 : 0;
}

/* Also clear what no rank sets: marks, and the rest of the last line. */
static void allocate_shared_window(sdca_vector_allreduce *allreduce)
{
    window_layout at   = layout_of(allreduce);
    MPI_Aint      size = (MPI_Aint)at.size;
    char         *base;

    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, allreduce->node_comm, &base,
                            &allreduce->window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, allreduce->window);
    for (int k = 0; k < allreduce->node_ranks; k++) {
        int unit;

        MPI_Win_shared_query(allreduce->window, k, &size, &unit, &base);
        allreduce->rank_copy[k] = (double *)(void *)base;
        allreduce->rank_area[k] = (sdca_rank_area *)(void *)(base + at.area);
        allreduce->rank_marks[k] =
            (sdca_vector_marks){ .line  = (uint8_t *)base + at.line_marks,
                                 .chunk = (uint8_t *)base + at.chunk_marks,
                                 .shift = mark_shift(allreduce->lanes) };
    }
    allreduce->local = allreduce->rank_copy[allreduce->node_rank];
    allreduce->marks = allreduce->rank_marks[allreduce->node_rank];
    memset(allreduce->marks.line, 0, at.size - at.line_marks);
    memset(allreduce->local + allreduce->length, 0,
           (size_t)(allreduce->lines * LINE - allreduce->length) * sizeof(double));
}

static sdca_status allocate_local(sdca_vector_allreduce *allreduce)
{
    size_t ranks = (size_t)allreduce->node_ranks;
    size_t lines = (size_t)allreduce->slice.count;
    bool   complete;

    allreduce->rank_copy  = calloc(ranks, sizeof *allreduce->rank_copy);
    allreduce->rank_area  = calloc(ranks, sizeof *allreduce->rank_area);
    allreduce->rank_marks = calloc(ranks, sizeof *allreduce->rank_marks);
    allreduce->base       = sdca_alloc_array(lines, LINE_BYTES);
    allreduce->sum        = sdca_alloc_array(lines, LINE_BYTES);
    allreduce->line       = sdca_alloc_array(lines + 1, sizeof *allreduce->line);
    complete = allreduce->rank_copy != NULL && allreduce->rank_area != NULL &&
               allreduce->rank_marks != NULL && allreduce->base != NULL &&
               allreduce->sum != NULL && allreduce->line != NULL;
    return complete ? SDCA_OK
                    : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d ranks",
                                allreduce->node_ranks);
}

sdca_status sdca_vector_allreduce_create(MPI_Comm comm, int64_t columns, int lanes,
                                         sdca_vector_allreduce *out)
{
    sdca_status           status    = SDCA_OK;
    sdca_vector_allreduce allreduce = { .columns    = columns,
                                        .lanes      = lanes,
                                        .length     = columns * lanes,
                                        .lines      = (columns * lanes + LINE - 1) / LINE,
                                        .node_comm  = MPI_COMM_NULL,
                                        .owner_comm = MPI_COMM_NULL,
                                        .window     = MPI_WIN_NULL };

    find_nodes(comm, &allreduce);
    allreduce.slice = find_slice(&allreduce);
    status          = allocate_local(&allreduce);
    if (status == SDCA_OK && allreduce.nodes > 1 && is_owner(&allreduce)) {
        status = sdca_slice_sum_over_nodes_create(&allreduce);
    }
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
    free_comm(&allreduce->owner_comm);
    free_comm(&allreduce->node_comm);
    free(allreduce->rank_copy);
    free(allreduce->rank_area);
    free(allreduce->rank_marks);
    free(allreduce->base);
    free(allreduce->sum);
    free(allreduce->line);
    sdca_slice_sum_over_nodes_free(allreduce);
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
    memcpy(allreduce->base, allreduce->local + allreduce->slice.first * LINE,
           (size_t)allreduce->slice.count * LINE_BYTES);
}

void sdca_vector_allreduce_rebase_column(sdca_vector_allreduce *allreduce, int64_t column)
{
    int64_t line = column * allreduce->lanes / LINE;
    int64_t at   = line - allreduce->slice.first;

    if (at >= 0 && at < allreduce->slice.count) {
        memcpy(allreduce->base + at * LINE, allreduce->local + line * LINE, LINE_BYTES);
    }
}

/* The scalars of the node's ranks added up, always in the same order. */
static void sum_scalars(const sdca_vector_allreduce *allreduce, double *sum, int count)
{
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int k = 0; k < allreduce->node_ranks; k++) {
        for (int j = 0; j < count; j++) {
            sum[j] += allreduce->rank_area[k]->scalars[j];
        }
    }
}

/* Sum my slice, and on the first rank of a node the scalars, over all nodes. */
static void sum_slice(sdca_vector_allreduce *allreduce, int count)
{
    sdca_rank_area *area  = allreduce->rank_area[allreduce->node_rank];
    bool            first = allreduce->node_rank == 0;

    sdca_slice_sum_within_node_list(allreduce);
    sdca_slice_sum_within_node_changes(allreduce, area->norms);
    if (first) {
        sum_scalars(allreduce, area->totals, count);
    }
    if (allreduce->nodes > 1) {
        sdca_slice_sum_over_nodes_add(allreduce, area->totals, first ? count : 0,
                                      area->norms);
    }
    area->touched = allreduce->sparse ? allreduce->touched : allreduce->slice.count;
}

/* The results of all owners, always in the same order. */
static void collect(sdca_vector_allreduce *allreduce, double *scalars, int count)
{
    memcpy(scalars, allreduce->rank_area[0]->totals, (size_t)count * sizeof *scalars);
    memset(allreduce->norms, 0, sizeof allreduce->norms);
    allreduce->touched_lines = 0;
    for (int k = 0; k < allreduce->owners; k++) {
        const sdca_rank_area *area = allreduce->rank_area[k];

        allreduce->touched_lines += area->touched;
        for (int m = 0; m < allreduce->lanes; m++) {
            sdca_update_norms *norms = &allreduce->norms[m];

            norms->w_norm2 += area->norms[m].w_norm2;
            norms->w_dot_dw += area->norms[m].w_dot_dw;
            norms->dw_norm2 += area->norms[m].dw_norm2;
            norms->local_norm2 += area->norms[m].local_norm2;
        }
    }
}

/* Within a node a rank sends what it has written there, at most all of its copy. */
static int64_t bytes_within_node(const sdca_vector_allreduce *allreduce, int count)
{
    int64_t elements = allreduce->touched_lines * LINE;

    elements = elements < allreduce->length ? elements : allreduce->length;
    return (elements + count) * (int64_t)sizeof(double);
}

void sdca_vector_allreduce_sum(sdca_vector_allreduce *allreduce, double *scalars,
                               int count)
{
    sdca_rank_area *area = allreduce->rank_area[allreduce->node_rank];

    memcpy(area->scalars, scalars, (size_t)count * sizeof *scalars);
    area->marked      = allreduce->marked;
    allreduce->marked = false;
    node_barrier(allreduce);
    if (is_owner(allreduce)) {
        sum_slice(allreduce, count);
    }
    node_barrier(allreduce);
    collect(allreduce, scalars, count);
    if (allreduce->nodes == 1) {
        allreduce->bytes_sent += bytes_within_node(allreduce, count);
    }
}

void sdca_vector_allreduce_apply(sdca_vector_allreduce *allreduce, const double *factor)
{
    if (is_owner(allreduce)) {
        sdca_slice_sum_within_node_apply(allreduce, factor);
    }
    node_barrier(allreduce);
}
