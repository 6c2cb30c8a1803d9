/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vector_allreduce.h - node-aware allreduce of the changes of a vector w: shared memory
 * within a node, dense or sparse MPI reduction between nodes.
 *
 * Every rank has a copy of w in memory that the ranks of its node share, and changes it.
 * Each rank of a node owns a slice of the columns: it sums all changes there and
 * writes the new w into all copies. Between nodes MPI sums either all elements or, if few
 * of them are not zero, only those. Each sum is computed once, or in the same order
 * everywhere, so that all ranks have the same bits.
 *
 * The vectors of several models lie side by side in lanes: element m of a column is that
 * of model m, and each lane has its own norms and its own factor. */
#ifndef SDCA_MPI_VECTOR_ALLREDUCE_H
#define SDCA_MPI_VECTOR_ALLREDUCE_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"

/* The most scalars that one reduction sums, and the most lanes. */
enum { SDCA_VECTOR_ALLREDUCE_MAX_SCALARS = 64, SDCA_VECTOR_ALLREDUCE_MAX_LANES = 8 };

/* With w the vector before the changes and dw_k the change of rank k: */
typedef struct sdca_update_norms {
    double w_norm2;     /* |w|^2 */
    double w_dot_dw;    /* w . sum dw_k */
    double dw_norm2;    /* |sum dw_k|^2 */
    double local_norm2; /* sum |dw_k|^2 */
} sdca_update_norms;

typedef struct sdca_vector_allreduce {
    int64_t           columns;
    int               lanes;  /* 1, 4 or 8 */
    int64_t           length; /* columns x lanes */
    double           *local;  /* this rank's copy of the vector */
    double           *base;   /* my slice of w before the changes */
    sdca_update_norms norms[SDCA_VECTOR_ALLREDUCE_MAX_LANES];
    int64_t           bytes_sent;        /* by this rank so far */
    int64_t           sparse_reductions; /* reductions between nodes that were sparse */

    MPI_Comm node_comm;   /* the ranks of this node */
    MPI_Comm leader_comm; /* the first ranks of all nodes; null on other ranks */
    MPI_Win  window;      /* MPI_WIN_NULL: not allocated yet */
    int      node_rank;   /* this rank's number in node_comm */
    int      node_ranks;
    int      nodes;
    double    *
        *rank_copy; /* by rank of the node: its copy, its scalars, its slice's norms */
    double *node_sum;  /* the node's changes added up, its scalars, its norms */

    /* Indices and values of a sparse reduction, of this node and of all nodes. */
    int64_t  sparse_capacity;
    int32_t *local_index, *gathered_index;
    double  *local_value, *gathered_value;
    int     *counts, *displs; /* by node */
} sdca_vector_allreduce;

/* For vectors of this many columns, whose values are not set. Collective. On success out
 * is the caller's, to be freed with sdca_vector_allreduce_free(), which is Collective
 * too. */
sdca_status sdca_vector_allreduce_create(MPI_Comm comm, int64_t columns, int lanes,
                                         sdca_vector_allreduce *out);
void        sdca_vector_allreduce_free(sdca_vector_allreduce *allreduce);

/* Make the current copy, which must have the same bits on every rank, the base of the
 * next changes. sdca_vector_allreduce_apply() does so too. Local. */
void sdca_vector_allreduce_rebase(sdca_vector_allreduce *allreduce);

/* Sum the changes of all ranks, and replace the scalars, at most
 * SDCA_VECTOR_ALLREDUCE_MAX_SCALARS of them, by their sums over the ranks. Sets norms.
 * The results are the same on all ranks. Collective. */
void sdca_vector_allreduce_sum(sdca_vector_allreduce *allreduce, double *scalars,
                               int count);

/* Set all copies to w + factor (sum of the changes), with a factor for each lane.
 * Collective. */
void sdca_vector_allreduce_apply(sdca_vector_allreduce *allreduce, const double *factor);

#endif
