/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coordinate_ascent.h - a rank's steps of dual coordinate ascent over its own rows. */
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

/* Factors on the curvature with which local steps allow for those of other ranks, whose
 * changes add up: along the mean row, the direction in which they agree most, and
 * orthogonal to it. */
typedef struct sdca_sigma {
    double orthogonal;
    double mean_direction;
} sdca_sigma;

/* A row whose alpha has changed in this round, for one model. */
typedef struct sdca_row_update {
    double   alpha_before;
    double   alpha_after;
    double   y;
    uint32_t row;
    uint32_t lane;
} sdca_row_update;

/* Weighted sums over the updates of one model, which are valid if no row was visited
 * twice, and the change of w along the mean row. */
typedef struct sdca_update_sums {
    double derivative_before; /* (derivative of -phi*) change, before ... */
    double derivative_after;  /* ... and after the step, ... */
    double curvature_after;   /* ... and its curvature times change^2 */
    double mean_change;
} sdca_update_sums;

/* The state of a rank's local steps, for one model or for several side by side. With
 * several ranks its copy of w is at w + sigma.orthogonal (my change of w). */
typedef struct sdca_ascent {
    int            models;
    int            lanes; /* of the iterate */
    sdca_row_order order;
    int            cache_lines; /* cache lines to prefetch with each row */
    bool           single_rank; /* steps update w, else this rank's copy of it */
    float *mean_projection; /* by row: its component along the mean row; NULL: unused */
    sdca_sigma       sigma[SDCA_MAX_LANES]; /* of the last round's steps */
    sdca_row_update *update;      /* the alpha changed in this round, each once ... */
    size_t           updates;     /* ... their number, ... */
    size_t           max_updates; /* ... and space for more ... */
    sdca_update_sums sums[SDCA_MAX_LANES];  /* ... and sums over them, by model */
    int64_t          steps[SDCA_MAX_LANES]; /* of this rank in this round, by model */
    bool             rows_distinct; /* no row was visited twice in this round ... */
    bool             no_repeats;    /* ... nor could be; otherwise ... */
    uint32_t        *last_round;    /* ... by row: the round of its last visit, plus 1 */
    sdca_shrinking   shrinking;     /* no rows: no shrinking */
    int64_t          steps_done;    /* single rank: steps since the start */

    /* Single rank only: updated at every step; NULL for none. Borrowed. */
    sdca_iterate_average *average;

    /* For the logistic loss: the paper's initial value of the step instead of the
     * maximiser. */
    bool approximate;
} sdca_ascent;

/* How local steps are made. */
typedef struct sdca_ascent_options {
    int                 models; /* more than one: automatic order with shrinking only */
    sdca_row_order_kind order;
    uint64_t            seed;
    int                 rank;
    bool   single_rank;        /* steps are final, and no row updates are recorded */
    double shrinking_fraction; /* rows are shrunk whose term of the gap is below this
                                  fraction of the mean; 0: none */
    bool only_unmoved;         /* ... and only if their step did not move them */
} sdca_ascent_options;

/* Local. The caller frees out with sdca_ascent_free(). */
sdca_status sdca_ascent_create(const sdca_dataset        *data,
                               const sdca_ascent_options *options, sdca_ascent *out);
void        sdca_ascent_free(sdca_ascent *ascent);

/* The number of steps of a round that is a fraction of a sweep over the active rows.
 * even: such that a whole number of rounds ends with the sweep and no round visits a row
 * twice. Local. */
int64_t sdca_ascent_round_steps(sdca_ascent *ascent, double fraction, bool even);

/* Visit this many rows. Each step is the exact maximiser in one alpha of the local
 * dual, whose curvature is sigma times the true one to allow for the steps of other
 * ranks. Updates alpha and w; with several ranks, sdca_aggregation_round() must follow.
 * With several models, objective, iterate and sigma have one element for each, a visit
 * makes a step for each model that is due, and visits end with the sweep. Returns the
 * number of visits. Local. */
int64_t sdca_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                        sdca_iterate *iterate, sdca_ascent *ascent,
                        const sdca_sigma *sigma, int64_t visits);

#endif
