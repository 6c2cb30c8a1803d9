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
#include "objective/iterate_average.h"
#include "objective/objective.h"
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
    int            cache_lines; /* cache lines to prefetch with each row */
    bool           single_rank; /* steps move w; otherwise, they move this rank's copy of
                                 * it to w + sigma.orthogonal (my change of w) */
    float *mean_projection;  /* by row: its component along the mean row; NULL: unused */
    sdca_sigma       sigma;  /* of the last round's steps */
    sdca_row_update *update; /* the rows moved in this round, each once */
    sdca_update_sums sums;   /* of them */
    bool             no_repeats; /* this round comes to no row twice; otherwise, ... */
    uint32_t        *last_round; /* ... by row: the round of its last visit, plus 1 */
    sdca_shrinking   shrinking;  /* no rows: nobody rests */
    int64_t          steps_done; /* alone: steps made since the start */

    /* Alone only: told of every step; NULL for none. Borrowed. */
    sdca_iterate_average *average;

    /* For the logistic loss: the paper's first guess instead of the maximiser. */
    bool approximate;
} sdca_ascent;

/* single_rank: steps are final, and no row updates are recorded. Rows are shrunk whose
 * term of the gap is below shrinking_fraction of the mean, with only_unmoved only if
 * their step did not move them; 0: none. Local. What out holds is the caller's, to be
 * freed with sdca_ascent_free(). */
sdca_status sdca_ascent_create(const sdca_dataset *data, sdca_row_order_kind order,
                               uint64_t seed, int rank, bool single_rank,
                               double shrinking_fraction, bool only_unmoved,
                               sdca_ascent *out);
void        sdca_ascent_free(sdca_ascent *ascent);

/* The number of steps that is this fraction of a sweep over the active rows; even: about
 * this fraction, such that a whole number of rounds ends the sweep and no row is visited
 * twice in a round. A new sweep may begin. Local. */
int64_t sdca_ascent_round_steps(sdca_ascent *ascent, double fraction, bool even);

/* Make this many steps, each the exact maximiser in one alpha of the local dual, whose
 * curvature is sigma times the true one to allow for the steps of other ranks. alpha
 * moves, and w with it; with several ranks, sdca_aggregation_round() has to follow.
 * Local. */
void sdca_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                     sdca_iterate *iterate, sdca_ascent *ascent, sdca_sigma sigma,
                     int64_t steps);

#endif
