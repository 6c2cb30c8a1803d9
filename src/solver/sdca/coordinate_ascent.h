/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coordinate_ascent.h - dual coordinate ascent over my rows, while the others do theirs.
 */
#ifndef SDCA_SOLVER_SDCA_COORDINATE_ASCENT_H
#define SDCA_SOLVER_SDCA_COORDINATE_ASCENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "solver/sdca/iterate_average.h"
#include "solver/sdca/row_order.h"
#include "solver/sdca/shrinking.h"

/* The factor on the curvature with which local steps allow for those of other ranks,
 * whose moves add up: across all directions, and along the one in which they agree
 * most, that of the mean row. */
typedef struct sdca_sigma {
    double orthogonal;
    double mean_direction;
} sdca_sigma;

/* A row that this round has moved: the alpha it had before, and what it has become. */
typedef struct sdca_row_update {
    double   alpha_before;
    double   alpha_after;
    double   y;
    uint32_t row;
} sdca_row_update;

/* What a round has moved so far: the number of rows in visit[], sums over them, good if
 * none was visited twice, and the change of w along the mean row. */
typedef struct sdca_update_sums {
    uint32_t updates;
    bool     rows_distinct;
    double   derivative_before; /* slope times move, before ... */
    double   derivative_after;  /* ... and after it, ... */
    double   curvature_after;   /* ... and curvature times move squared */
    double   mean_change;
} sdca_update_sums;

/* What a rank needs for its local steps. */
typedef struct sdca_ascent {
    sdca_row_order order;
    uint32_t       rows;
    int32_t        columns;
    sdca_row      *row; /* the data set's, by row: their alpha is ours. Borrowed */
    int            cache_lines; /* of the cache, to ask for with each row */
    bool           single_rank; /* the only rank: w itself moves, not ... */
    double        *u;           /* ... w + sigma.across (my change of w). Borrowed */
    float *mean_projection; /* by row: its part along the mean row; NULL: not looked at */
    sdca_sigma       sigma; /* of the last round's steps */
    sdca_row_update *update;     /* the rows moved in this round, each once */
    sdca_update_sums sums;       /* of them */
    bool             no_repeats; /* this round comes to no row twice; otherwise, ... */
    uint32_t        *last_round; /* ... by row: the round of its last visit, plus 1 */
    sdca_shrinking   shrinking;  /* no rows: nobody rests */
    int64_t          steps_done; /* alone: steps made since the start */

    /* Alone only: told of every step; NULL for none. Borrowed. */
    sdca_iterate_average *average;

    /* For the logistic loss: the paper's first guess instead of the maximiser. */
    bool approximate;
} sdca_ascent;

/* alone: this is the only rank, so steps move the state's w directly, and no
 * visits are kept; otherwise sdca_ascent_attach_w() has to follow. rest: rows rest whose
 * term of the gap is below this share of the mean, and with stuck only those that do not
 * move; 0: none. state is the start; NULL: it will be taken before the first step, if
 * there is one. Local. What out holds is the caller's, to be freed with
 * sdca_ascent_free(). */
sdca_status sdca_ascent_create(const sdca_dataset *data, const sdca_iterate *iterate,
                               sdca_row_order_kind order, uint64_t seed, int rank,
                               bool single_rank, double shrinking_fraction,
                               bool only_unmoved, sdca_ascent *out);
void        sdca_ascent_free(sdca_ascent *ascent);

/* Among others: steps move this copy of the state's w, which is kept. Local. */
void sdca_ascent_attach_w(sdca_ascent *ascent, const sdca_iterate *iterate, double *u);

/* Take alpha and w, or w alone, from a state that was changed by others, or bring them
 * there: alpha at any time, w between two rounds. Local. */
void sdca_ascent_load(sdca_ascent *ascent, const sdca_iterate *iterate);
void sdca_ascent_load_w(sdca_ascent *ascent, const sdca_iterate *iterate);
void sdca_ascent_store_alpha(const sdca_ascent *ascent, double *alpha);
void sdca_ascent_store_w(const sdca_ascent *ascent, double *w);

/* How many steps a share of a sweep is, over the rows that do not rest; whole: so that
 * some such rounds end where the sweep does, and no row is visited twice in one of them.
 * Local. */
int64_t sdca_ascent_round_steps(sdca_ascent *ascent, double fraction, bool even);

/* Make so many steps, each the exact maximiser in one alpha of the local dual,
 * whose curvature is sigma times the true one to allow for what other ranks do
 * at the same time. The items' alpha moves; u moves with it, w stays (unless
 * alone). Local. */
void sdca_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                     sdca_iterate *iterate, sdca_ascent *ascent, sdca_sigma sigma,
                     int64_t steps);

#endif
