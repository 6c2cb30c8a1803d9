/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice_sum_over_nodes.c - the sum of an owner's slice over the nodes.
 *
 * Each node first sends a header: how many elements of its sum are not zero, and what is
 * summed besides. Then either all elements are reduced or, if few of them are not zero
 * anywhere, values and indices are gathered by all. */
#include "mpi/slice_sum_over_nodes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tuning.h"
#include "mpi/comm.h"

enum {
    LINE       = SDCA_LINE,
    MAX_LANES  = SDCA_VECTOR_ALLREDUCE_MAX_LANES,
    MAX_HEADER = 1 + MAX_LANES + SDCA_VECTOR_ALLREDUCE_MAX_SCALARS,
    ENTRY      = sizeof(double) + sizeof(int32_t)
};

/* States of a line while those of all nodes are merged. */
enum { NOT_LISTED, TOUCHED_HERE, MERGED };

/* An index with its value takes 12 bytes, an element 8, and gathering sends each to all
 * nodes. Up to a quarter of the elements, that is less than a dense reduction. */
static int64_t sparse_capacity_of(int64_t elements)
{
    int64_t capacity = elements / TUNING_SPARSE_ALLREDUCE_DIVISOR + 1;

    return capacity < INT_MAX / ENTRY - LINE ? capacity : INT_MAX / ENTRY - LINE;
}

/* Bytes of packed entries: values, then indices, in whole doubles. */
static int64_t packed_bytes(int64_t entries)
{
    return entries * (int64_t)sizeof(double) +
           (entries + 1) / 2 * (int64_t)(2 * sizeof(int32_t));
}

sdca_status sdca_slice_sum_over_nodes_create(sdca_vector_allreduce *allreduce)
{
    size_t lines    = (size_t)allreduce->slice.count;
    size_t nodes    = (size_t)allreduce->nodes;
    size_t capacity = 0;

    allreduce->sparse_capacity = sparse_capacity_of(allreduce->slice.count * LINE);
    capacity                   = (size_t)packed_bytes(allreduce->sparse_capacity) +
               (nodes + 1) * sizeof(double); /* each node's part is rounded up */
    allreduce->merged   = sdca_alloc_array(lines, sizeof *allreduce->merged);
    allreduce->listed   = sdca_alloc_zeroed(lines, sizeof *allreduce->listed);
    allreduce->header   = sdca_alloc_array(nodes, MAX_HEADER * sizeof(double));
    allreduce->packed   = sdca_alloc_array(capacity, 1);
    allreduce->gathered = sdca_alloc_array(capacity, 1);
    allreduce->bytes    = sdca_alloc_array(nodes, sizeof *allreduce->bytes);
    allreduce->offset   = sdca_alloc_array(nodes, sizeof *allreduce->offset);
    return allreduce->merged != NULL && allreduce->listed != NULL &&
                   allreduce->header != NULL && allreduce->packed != NULL &&
                   allreduce->gathered != NULL && allreduce->bytes != NULL &&
                   allreduce->offset != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory to exchange with %d nodes",
                           allreduce->nodes);
}

void sdca_slice_sum_over_nodes_free(sdca_vector_allreduce *allreduce)
{
    free(allreduce->merged);
    free(allreduce->listed);
    free(allreduce->header);
    free(allreduce->packed);
    free(allreduce->gathered);
    free(allreduce->bytes);
    free(allreduce->offset);
}

static int32_t *indices_of(char *packed, int64_t entries)
{
    return (int32_t *)(packed + entries * (int64_t)sizeof(double));
}

/* The number of touched lines, and the k-th of them. */
static int64_t touched_lines(const sdca_vector_allreduce *allreduce)
{
    return allreduce->sparse ? allreduce->touched : allreduce->slice.count;
}

static int64_t touched_line(const sdca_vector_allreduce *allreduce, int64_t k)
{
    return allreduce->sparse ? (int64_t)allreduce->line[k] : k;
}

/* The number of elements of my node's sum that are not zero, or more than the capacity.
 */
static int64_t count_nonzeros(const sdca_vector_allreduce *allreduce)
{
    int64_t lines = touched_lines(allreduce), count = 0;

    for (int64_t k = 0; k < lines && count <= allreduce->sparse_capacity; k++) {
        const double *sum = allreduce->sum + touched_line(allreduce, k) * LINE;

        for (int j = 0; j < LINE; j++) {
            count += sum[j] != 0.0;
        }
    }
    return count;
}

/* Move them into the packed buffer; zeros are left in the sum. */
static void pack_nonzeros(sdca_vector_allreduce *allreduce, int64_t count)
{
    double  *value = (double *)allreduce->packed;
    int32_t *index = indices_of(allreduce->packed, count);
    int64_t  lines = touched_lines(allreduce), n = 0;

    index[count] = 0; /* it may be sent */
    for (int64_t k = 0; k < lines && n < count; k++) {
        int64_t first = touched_line(allreduce, k) * LINE;

        for (int64_t j = first; j < first + LINE; j++) {
            if (allreduce->sum[j] != 0.0) {
                value[n]          = allreduce->sum[j];
                index[n]          = (int32_t)j;
                allreduce->sum[j] = 0.0;
                n++;
            }
        }
    }
}

/* Exchange headers, and sum over the nodes what they have besides the number of entries.
 * Sets bytes and offset; returns whether the entries of all nodes fit. */
static bool exchange_headers(sdca_vector_allreduce *allreduce, int64_t mine,
                             double *scalars, int count, sdca_update_norms *norms)
{
    int     lanes = allreduce->lanes, length = 1 + lanes + count;
    double  local[MAX_HEADER];
    int64_t entries = 0, offset = 0;

    local[0] = (double)mine;
    for (int m = 0; m < lanes; m++) {
        local[1 + m]         = norms[m].local_norm2;
        norms[m].local_norm2 = 0.0;
    }
    memcpy(local + 1 + lanes, scalars, (size_t)count * sizeof *scalars);
    memset(scalars, 0, (size_t)count * sizeof *scalars);
    MPI_Allgather(local, length, MPI_DOUBLE, allreduce->header, length, MPI_DOUBLE,
                  allreduce->owner_comm);
    allreduce->bytes_sent += length * (int64_t)sizeof(double);
    for (int node = 0; node < allreduce->nodes; node++) {
        const double *of = allreduce->header + (int64_t)node * length;

        entries += (int64_t)of[0];
        if (entries <= allreduce->sparse_capacity) {
            allreduce->bytes[node]  = (int)packed_bytes((int64_t)of[0]);
            allreduce->offset[node] = (int)offset;
            offset += allreduce->bytes[node];
        }
        for (int m = 0; m < lanes; m++) {
            norms[m].local_norm2 += of[1 + m];
        }
        for (int j = 0; j < count; j++) {
            scalars[j] += of[1 + lanes + j];
        }
    }
    return entries <= allreduce->sparse_capacity;
}

/* Add a node's entries, and merge their lines into the list. */
static int64_t add_entries(sdca_vector_allreduce *allreduce, char *packed,
                           int64_t entries, int64_t lines)
{
    const double  *value = (const double *)packed;
    const int32_t *index = indices_of(packed, entries);

    for (int64_t k = 0; k < entries; k++) {
        uint32_t line = (uint32_t)(index[k] / LINE);

        if (allreduce->listed[line] != MERGED) {
            if (allreduce->sparse && allreduce->listed[line] == NOT_LISTED) {
                memset(allreduce->sum + (int64_t)line * LINE, 0, LINE * sizeof(double));
            }
            allreduce->listed[line]    = MERGED;
            allreduce->merged[lines++] = line;
        }
        allreduce->sum[index[k]] += value[k];
    }
    return lines;
}

/* The sum from the entries of all nodes, in the order of the nodes, and so are the norms
 * and the touched lines. Lines in which the changes of this node have cancelled out come
 * last: their copies have changed. */
static void gather_sum(sdca_vector_allreduce *allreduce, int64_t mine,
                       sdca_update_norms *norms)
{
    int64_t   merged = 0, all;
    uint32_t *line   = allreduce->line;

    pack_nonzeros(allreduce, mine);
    MPI_Allgatherv(allreduce->packed, (int)packed_bytes(mine), MPI_BYTE,
                   allreduce->gathered, allreduce->bytes, allreduce->offset, MPI_BYTE,
                   allreduce->owner_comm);
    allreduce->bytes_sent += packed_bytes(mine);
    allreduce->sparse_reductions++;
    for (int64_t k = 0; allreduce->sparse && k < allreduce->touched; k++) {
        allreduce->listed[line[k]] = TOUCHED_HERE;
    }
    for (int node = 0; node < allreduce->nodes; node++) {
        int64_t entries = allreduce->bytes[node] / ENTRY;

        merged = add_entries(allreduce, allreduce->gathered + allreduce->offset[node],
                             entries, merged);
    }
    sdca_slice_sum_within_node_norms(allreduce, allreduce->merged, merged, norms);
    all = merged;
    for (int64_t k = 0; allreduce->sparse && k < allreduce->touched; k++) {
        if (allreduce->listed[line[k]] == TOUCHED_HERE) {
            allreduce->merged[all++] = line[k];
        }
    }
    for (int64_t k = 0; k < all; k++) {
        allreduce->listed[allreduce->merged[k]] = NOT_LISTED;
    }
    if (allreduce->sparse) {
        allreduce->line    = allreduce->merged;
        allreduce->merged  = line;
        allreduce->touched = all;
    }
}

/* The sum of all elements. */
static void reduce_sum(sdca_vector_allreduce *allreduce, sdca_update_norms *norms)
{
    int64_t lines = allreduce->slice.count, length = lines * LINE, next = 0;

    for (int64_t k = 0; allreduce->sparse && k < lines; k++) { /* the list ascends */
        if (next < allreduce->touched && allreduce->line[next] == (uint32_t)k) {
            next++;
        } else {
            memset(allreduce->sum + k * LINE, 0, LINE * sizeof(double));
        }
    }
    sdca_comm_allreduce_sum(allreduce->owner_comm, allreduce->sum, length);
    allreduce->bytes_sent += length * (int64_t)sizeof(double);
    allreduce->sparse = false;
    sdca_slice_sum_within_node_norms(allreduce, NULL, lines, norms);
}

void sdca_slice_sum_over_nodes_add(sdca_vector_allreduce *allreduce, double *scalars,
                                   int count, sdca_update_norms *norms)
{
    int64_t           mine = count_nonzeros(allreduce);
    sdca_update_norms of_sum[MAX_LANES];

    mine = mine <= allreduce->sparse_capacity ? mine : allreduce->sparse_capacity + 1;
    if (exchange_headers(allreduce, mine, scalars, count, norms)) {
        gather_sum(allreduce, mine, of_sum);
    } else {
        reduce_sum(allreduce, of_sum);
    }
    for (int m = 0; m < allreduce->lanes; m++) {
        of_sum[m].local_norm2 = norms[m].local_norm2;
        norms[m]              = of_sum[m];
    }
}
