/* SPDX-License-Identifier: BSD-3-Clause
 *
 * local.h - dual coordinate ascent over my rows, while the others do theirs. */
#ifndef SDCA_LOCAL_H
#define SDCA_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "sdca/average.h"
#include "sdca/dataset.h"
#include "sdca/order.h"
#include "sdca/problem.h"
#include "sdca/rest.h"
#include "sdca/state.h"
#include "sdca/status.h"

/* The factor on the curvature with which local steps allow for those of other ranks,
 * whose moves add up: across all directions, and along the one in which they agree
 * most, that of the mean row. */
typedef struct sdca_sigma {
    double across;
    double along;
} sdca_sigma;

/* A row that this round has moved: the alpha it had before, and what it has become. */
typedef struct sdca_visit {
    double   alpha;
    double   becomes;
    double   y;
    uint32_t row;
} sdca_visit;

/* What a round has moved so far: the number of rows in visit[], sums over them, good if
 * none was visited twice, and the change of w along the mean row. */
typedef struct sdca_tally {
    uint32_t visits;
    bool     once;
    double   slope_before; /* slope times move, before ... */
    double   slope_after;  /* ... and after it, ... */
    double   bend_after;   /* ... and curvature times move squared */
    double   drift;
} sdca_tally;

/* What a rank needs for its local steps. */
typedef struct sdca_local {
    sdca_order  order;
    uint32_t    rows;
    int32_t     columns;
    sdca_row   *item;  /* the data set's, by row: their alpha is ours. Borrowed */
    int         lines; /* of the cache, to ask for with each row */
    bool        alone; /* the only rank: w itself moves, not ... */
    double     *u;     /* ... w + sigma.across (my change of w). Borrowed */
    float      *lean;  /* by row: its part along the mean row; NULL: not looked at */
    sdca_sigma  sigma; /* of the last round's steps */
    sdca_visit *visit; /* the rows moved in this round, each once */
    sdca_tally  tally; /* of them */
    bool        fresh; /* this round comes to no row twice; otherwise, ... */
    uint32_t   *seen;  /* ... by row: the round of its last visit, plus 1 */
    sdca_rest   rest;  /* no rows: nobody rests */
    int64_t     made;  /* alone: steps made since the start */

    /* Alone only: told of every step; NULL for none. Borrowed. */
    sdca_average *average;

    /* For the logistic loss: the paper's first guess instead of the maximiser. */
    bool guesses;
} sdca_local;

/* alone: this is the only rank, so steps move the state's w directly, and no
 * visits are kept; otherwise sdca_local_share() has to follow. rest: rows rest whose term
 * of the gap is below this share of the mean, and with stuck only those that do not move;
 * 0: none. state is the start; NULL: it will be taken before the first step, if there is
 * one. Local. What out holds is the caller's, to be freed with sdca_local_free(). */
sdca_status sdca_local_create(const sdca_dataset *data, const sdca_state *state,
                              sdca_order_kind order, uint64_t seed, int rank, bool alone,
                              double rest, bool stuck, sdca_local *out);
void        sdca_local_free(sdca_local *local);

/* Among others: steps move this copy of the state's w, which is kept. Local. */
void sdca_local_share(sdca_local *local, const sdca_state *state, double *u);

/* Take alpha and w, or w alone, from a state that was changed by others, or bring them
 * there: alpha at any time, w between two rounds. Local. */
void sdca_local_take(sdca_local *local, const sdca_state *state);
void sdca_local_take_w(sdca_local *local, const sdca_state *state);
void sdca_local_give(const sdca_local *local, double *alpha);
void sdca_local_give_w(const sdca_local *local, double *w);

/* How many steps a share of a sweep is, over the rows that do not rest; whole: so that
 * some such rounds end where the sweep does, and no row is visited twice in one of them.
 * Local. */
int64_t sdca_local_share_of_sweep(sdca_local *local, double share, bool whole);

/* Make so many steps, each the exact maximiser in one alpha of the local dual,
 * whose curvature is sigma times the true one to allow for what other ranks do
 * at the same time. The items' alpha moves; u moves with it, w stays (unless
 * alone). Local. */
void sdca_local_solve(const sdca_problem *problem, const sdca_dataset *data,
                      sdca_state *state, sdca_local *local, sdca_sigma sigma,
                      int64_t steps);

#endif
