/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.h - one sum over the ranks: a long vector with a few numbers behind it.
 *
 * Ranks of one node add up in memory that they share, each a slice; nodes add up
 * by MPI: all elements, or where few of them are not zero, these alone. Each element is
 * the sum in the same order on every rank, so that all have the same bits. */
#ifndef SDCA_EXCHANGE_H
#define SDCA_EXCHANGE_H

#include <mpi.h>
#include <stdint.h>

#include "sdca/status.h"

typedef struct sdca_exchange {
    int64_t length; /* scalars included */
    int     scalars;
    double *mine;   /* what this rank adds: to be filled before each sum */
    double *sum;    /* the last sum, valid until the next one; not to be changed */
    double  norm2;  /* of the sum, but for the scalars at its end */
    int64_t bytes;  /* handed to others by this rank so far */
    int64_t sparse; /* sums between nodes of which only what is not zero was sent */

    MPI_Comm node;    /* the ranks that share memory with me ... */
    MPI_Comm leaders; /* ... and, for the first of them, those of all nodes */
    MPI_Win  window;  /* MPI_WIN_NULL: one rank */
    int      rank;    /* on the node, ... */
    int      ranks;   /* ... of so many */
    int      nodes;
    int      turn;  /* which of two buffers: a neighbour may still read the other */
    double **part;  /* by rank of the node: its two buffers, a partial norm behind each */
    double  *total; /* the first rank's two more, for the sums */

    /* For what is not zero, where there are several nodes: as many places as are still
     * worth it, of mine and of all nodes. */
    int64_t  room;
    int32_t *my_place, *place;
    double  *my_value, *value;
    int     *counts, *starts; /* by node */
} sdca_exchange;

/* Vectors of so many elements with scalars behind them. Collective. On success out is the
 * caller's, to be freed with sdca_exchange_free(), which is Collective too. */
sdca_status sdca_exchange_create(MPI_Comm comm, int64_t length, int scalars,
                                 sdca_exchange *out);
void        sdca_exchange_free(sdca_exchange *exchange);

/* sum becomes the sum of all ranks' mine, and mine another buffer. Collective. */
void sdca_exchange_sum(sdca_exchange *exchange);

#endif
