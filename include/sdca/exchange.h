/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.h - ranks that hold a copy each of one vector change it, and agree again.
 *
 * Ranks of one node see each other's copies in memory that they share, and each looks
 * after a slice: it adds up all changes there and writes the outcome into all copies.
 * Nodes add up by MPI: all elements, or where few of them have changed, these alone. Each
 * sum is made once, or in the same order everywhere, so that all have the same bits. */
#ifndef SDCA_EXCHANGE_H
#define SDCA_EXCHANGE_H

#include <mpi.h>
#include <stdint.h>

#include "sdca/status.h"

/* The most scalars. */
enum { SDCA_EXCHANGE_SCALARS = 32 };

/* With w for the vector as it was and dw_k for the change of rank k: */
typedef struct sdca_changes {
    double w2;   /* |w|^2 */
    double wdw;  /* w . sum dw_k */
    double dw2;  /* |sum dw_k|^2 */
    double own2; /* sum |dw_k|^2 */
} sdca_changes;

typedef struct sdca_exchange {
    int64_t      columns;
    int          scalars;
    double      *mine;   /* this rank's copy of the vector */
    double      *scalar; /* numbers of this rank: to be filled before each sum */
    double      *sums;   /* of all ranks' scalars */
    sdca_changes changes;
    int64_t      bytes;  /* handed to others by this rank so far */
    int64_t      sparse; /* sums between nodes of which only what is not zero was sent */

    MPI_Comm node;    /* the ranks that share memory with me ... */
    MPI_Comm leaders; /* ... and, for the first of them, those of all nodes */
    MPI_Win  window;  /* MPI_WIN_NULL: not there yet */
    int      rank;    /* on the node, ... */
    int      ranks;   /* ... of so many */
    int      nodes;
    double **part;  /* by rank of the node: its copy, its scalars, its slice's changes */
    double  *total; /* the node's: all changes added up, then scalars and changes */

    /* For what is not zero, where there are several nodes: as many places as are still
     * worth it, of mine and of all nodes. */
    int64_t  room;
    int32_t *my_place, *place;
    double  *my_value, *value;
    int     *counts, *starts; /* by node */
} sdca_exchange;

/* For vectors of so many columns, with scalars to be added up at the same time.
 * Collective. On success out is the caller's, to be freed with sdca_exchange_free(),
 * which is Collective too. */
sdca_status sdca_exchange_create(MPI_Comm comm, int64_t columns, int scalars,
                                 sdca_exchange *out);
void        sdca_exchange_free(sdca_exchange *exchange);

/* Add up what all ranks have changed since their copies were w: this sets changes and
 * sums, the same on all ranks. Of w only my slice is looked at, which
 * sdca_exchange_move() keeps as it should be. Collective. */
void sdca_exchange_sum(sdca_exchange *exchange, const double *w);

/* All copies become w + factor (sum of the changes), and so does my slice of w; all of it
 * is in my copy. Collective. */
void sdca_exchange_move(sdca_exchange *exchange, double factor, double *w);

#endif
