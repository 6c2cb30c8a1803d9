/* SPDX-License-Identifier: BSD-3-Clause
 *
 * vector_allreduce.h - node-aware allreduce of the changes of a vector w: shared memory
 * within a node, dense or sparse MPI reduction between nodes.
 *
 * Every rank has a copy of w in memory that the ranks of its node share, and changes it.
 * Owners, as many ranks on every node, each own a slice of w: an owner sums all changes
 * there, with the owners of the same slice on other nodes, and writes the new w into all
 * copies of its node. Each sum is computed once, or in the same order everywhere, so that
 * all ranks have the same bits.
 *
 * w is divided into lines, those of the cache, and these into chunks. If all ranks of a
 * node mark what they change, only marked lines are looked at, summed and written, unless
 * they are most of the slice. Between nodes MPI sums either all elements or, if few of
 * them are not zero, only those.
 *
 * The vectors of several models lie side by side in lanes: element m of a column is that
 * of model m, and each lane has its own norms and its own factor. */
#ifndef SDCA_MPI_VECTOR_ALLREDUCE_H
#define SDCA_MPI_VECTOR_ALLREDUCE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/range.h"
#include "base/status.h"

/* The most scalars that one reduction sums, and the most lanes. */
enum { SDCA_VECTOR_ALLREDUCE_MAX_SCALARS = 64, SDCA_VECTOR_ALLREDUCE_MAX_LANES = 8 };

/* With w the vector before the changes and dw_k the change of rank k: */
typedef struct sdca_update_norms {
    double w_norm2;     /* |w|^2, at least of the columns that have changed */
    double w_dot_dw;    /* w . sum dw_k */
    double dw_norm2;    /* |sum dw_k|^2 */
    double local_norm2; /* sum |dw_k|^2 */
} sdca_update_norms;

/* Doubles of a line, and lines of a chunk. */
enum { SDCA_LINE = 8, SDCA_CHUNK_LINES = 64 };

/* Bytes that are not 0 where this rank has changed its copy: by line and by chunk. */
typedef struct sdca_vector_marks {
    uint8_t *line;
    uint8_t *chunk;
    int      shift; /* column >> shift is a line */
} sdca_vector_marks;

struct sdca_rank_area;

typedef struct sdca_vector_allreduce {
    int64_t           columns;
    int               lanes;  /* 1, 4 or 8 */
    int64_t           length; /* columns x lanes */
    int64_t           lines;
    double           *local; /* this rank's copy of the vector */
    sdca_vector_marks marks; /* of this rank, all 0 between rounds */
    bool marked;             /* to be set: they are complete; else all may have changed */
    sdca_update_norms norms[SDCA_VECTOR_ALLREDUCE_MAX_LANES];
    int64_t           bytes_sent;        /* by this rank so far */
    int64_t           sparse_reductions; /* reductions between nodes that were sparse */
    int64_t           touched_lines;     /* of the node, in the last reduction */

    MPI_Comm                node_comm;  /* the ranks of this node */
    MPI_Comm                owner_comm; /* owners of my slice; null if I have none */
    MPI_Win                 window;     /* MPI_WIN_NULL: not allocated yet */
    int                     node_rank;  /* this rank's number in node_comm */
    int                     node_ranks;
    int                     nodes;
    int                     owners;     /* ranks of each node that own a slice */
    double                **rank_copy;  /* by rank of the node: its copy, ... */
    struct sdca_rank_area **rank_area;  /* ... its scalars and its slice's norms, ... */
    sdca_vector_marks      *rank_marks; /* ... and its marks */

    /* Of my slice; lines are counted from its first. */
    sdca_range slice;   /* its lines */
    double    *base;    /* w before the changes */
    double    *sum;     /* of the changes, where lines are touched */
    uint32_t  *line;    /* touched lines, unless all are ... */
    int64_t    touched; /* ... and their number */
    bool       sparse;  /* not all lines are touched */

    /* Between nodes. */
    uint32_t *merged; /* touched lines of all nodes */
    uint8_t  *listed; /* by line: is it among them? */
    double   *header; /* by node: what each sends before its part of the sum */
    int64_t   sparse_capacity;
    char     *packed, *gathered; /* values and indices, of this node and of all */
    int      *bytes, *offset;    /* by node, in gathered */
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

/* The same where only this column has changed. Local. */
void sdca_vector_allreduce_rebase_column(sdca_vector_allreduce *allreduce,
                                         int64_t                column);

/* Sum the changes of all ranks since the last apply or rebase, and replace the scalars,
 * at most SDCA_VECTOR_ALLREDUCE_MAX_SCALARS of them, by their sums over the ranks. Sets
 * norms. The results are the same on all ranks. Collective. */
void sdca_vector_allreduce_sum(sdca_vector_allreduce *allreduce, double *scalars,
                               int count);

/* Set all copies to w + factor (sum of the changes), with a factor for each lane.
 * Collective. */
void sdca_vector_allreduce_apply(sdca_vector_allreduce *allreduce, const double *factor);

#endif
