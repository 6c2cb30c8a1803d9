/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vector_allreduce.h - ranks that hold a copy each of one vector change it, and agree
 * again.
 *
 * Ranks of one node see each other's copies in memory that they share, and each looks
 * after a slice: it adds up all changes there and writes the outcome into all copies.
 * Nodes add up by MPI: all elements, or where few of them have changed, these alone. Each
 * sum is made once, or in the same order everywhere, so that all have the same bits. */
#ifndef SDCA_MPI_VECTOR_ALLREDUCE_H
#define SDCA_MPI_VECTOR_ALLREDUCE_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"

/* The most scalars. */
enum { SDCA_VECTOR_ALLREDUCE_MAX_SCALARS = 32 };

/* With w for the vector as it was and dw_k for the change of rank k: */
typedef struct sdca_update_norms {
    double w_norm2;     /* |w|^2 */
    double w_dot_dw;    /* w . sum dw_k */
    double dw_norm2;    /* |sum dw_k|^2 */
    double local_norm2; /* sum |dw_k|^2 */
} sdca_update_norms;

typedef struct sdca_vector_allreduce {
    int64_t columns;
    int     scalars;
    double *local;         /* this rank's copy of the vector */
    double *local_scalars; /* numbers of this rank: to be filled before each sum */
    double *scalar_sums;   /* of all ranks' scalars */
    sdca_update_norms norms;
    int64_t           bytes_sent; /* handed to others by this rank so far */
    int64_t sparse_reductions;    /* sums between nodes of which only what is not zero was
                                     sent */

    MPI_Comm node_comm;   /* the ranks that share memory with me ... */
    MPI_Comm leader_comm; /* ... and, for the first of them, those of all nodes */
    MPI_Win  window;      /* MPI_WIN_NULL: not there yet */
    int      node_rank;   /* on the node, ... */
    int      node_ranks;  /* ... of so many */
    int      nodes;
    double *
        *rank_copy; /* by rank of the node: its copy, its scalars, its slice's changes */
    double *node_sum; /* the node's: all changes added up, then scalars and changes */

    /* For what is not zero, where there are several nodes: as many places as are still
     * worth it, of mine and of all nodes. */
    int64_t  sparse_capacity;
    int32_t *local_index, *gathered_index;
    double  *local_value, *gathered_value;
    int     *counts, *displs; /* by node */
} sdca_vector_allreduce;

/* For vectors of so many columns, with scalars to be added up at the same time.
 * Collective. On success out is the caller's, to be freed with
 * sdca_vector_allreduce_free(), which is Collective too. */
sdca_status sdca_vector_allreduce_create(MPI_Comm comm, int64_t columns, int scalars,
                                         sdca_vector_allreduce *out);
void        sdca_vector_allreduce_free(sdca_vector_allreduce *allreduce);

/* Add up what all ranks have changed since their copies were w: this sets changes and
 * sums, the same on all ranks. Of w only my slice is looked at, which
 * sdca_vector_allreduce_apply() keeps as it should be. Collective. */
void sdca_vector_allreduce_sum(sdca_vector_allreduce *allreduce, const double *w);

/* All copies become w + factor (sum of the changes), and so does my slice of w; all of it
 * is in my copy. Collective. */
void sdca_vector_allreduce_apply(sdca_vector_allreduce *allreduce, double factor,
                                 double *w);

#endif
