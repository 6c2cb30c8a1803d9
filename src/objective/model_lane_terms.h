/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_lane_terms.h - what one row adds to the objectives of several models side by
 * side. */
#ifndef SDCA_OBJECTIVE_MODEL_LANE_TERMS_H
#define SDCA_OBJECTIVE_MODEL_LANE_TERMS_H

#include "objective/model_lane_steps.h"
#include "objective/objective.h"

/* Models whose terms are summed, and their sums. Lanes without a model have 0 everywhere.
 */
typedef struct sdca_lane_sums {
    double      p;        /* parameter of the loss */
    unsigned    models;   /* whose gap terms are set and checked, as bits */
    bool        folds;    /* a fold is held out of some of them ... */
    lane_vector held_out; /* ... which one; -1: none */
    lane_vector positive; /* class with the label +1; -1: labels are as they are */
    lane_vector losses, conjugates, gap_terms; /* weighted */
    lane_vector gap;                           /* of the last row */
} sdca_lane_sums;

/* One row: what is read of it, and what is changed. */
typedef struct sdca_lane_term_row {
    double        label;
    double        weight;
    int           fold; /* or -1 */
    const double *alpha;
    const double *z;
    float        *gap_term; /* weighted, to be set for these models; or NULL */
} sdca_lane_term_row;

/* Sums of 0 over these models of an iterate, with an objective for each of its lanes that
 * is in models. Local. */
sdca_lane_sums sdca_lane_sums_start(const sdca_objective *const *objective,
                                    unsigned                     models);

/* Add a row to the sums. Returns the models whose gap term is negative beyond rounding or
 * not a number, as bits. Local. */
typedef unsigned sdca_lane_terms_function(sdca_lane_sums           *sums,
                                          const sdca_lane_term_row *row);

/* That function for a loss and 4 or 8 lanes, with the widest vectors of this processor.
 * Local. */
sdca_lane_terms_function *sdca_lane_terms_find(sdca_loss_kind kind, int lanes);

#endif
