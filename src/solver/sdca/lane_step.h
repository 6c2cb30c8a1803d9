/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_step.h - the steps of several models on one row, and what follows from them for
 * shrinking. */
#ifndef SDCA_SOLVER_SDCA_LANE_STEP_H
#define SDCA_SOLVER_SDCA_LANE_STEP_H

#include "objective/model_lane_steps.h"

/* What is constant during a round, and sums over its steps, by model. Lanes without a
 * model have 0 everywhere. */
typedef struct sdca_lane_models {
    double      p;            /* parameter of the loss */
    bool        only_unmoved; /* of shrinking */
    lane_vector scale;        /* C, with several ranks times sigma */
    lane_vector extra_sigma;  /* of the mean direction */
    lane_vector mean_scale;   /* that times C */
    lane_vector mean_change;  /* of w in this round, along the mean row */
    lane_vector positive;     /* class with the label +1; -1: labels are as they are */
    lane_vector threshold;    /* of shrinking */
    lane_vector term_sum;     /* of shrinking */
    uint64_t    max_streak;   /* of shrinking, a byte for each lane */
} sdca_lane_models;

/* One row: what is read of it, and what is changed. */
typedef struct sdca_lane_row {
    double   label;
    double   weight;
    double   weighted_norm2;
    double   projection; /* component along the mean row; 0: not used */
    unsigned due;        /* models whose steps are made, as bits */
    double  *alpha;
    float   *gap_term; /* of shrinking */
    uint8_t *streak;   /* of shrinking */
} sdca_lane_row;

/* Make the steps of a row with the margins steps->z. Sets alpha, the shrinking state, all
 * other members of steps, and factor, what the row's entries are to be multiplied by
 * before they are added to w. Returns the models that have moved, as bits. Local. */
typedef unsigned sdca_lane_step_function(sdca_lane_models    *models,
                                         const sdca_lane_row *row, lane_steps *steps,
                                         double *factor);

/* The function for a loss and 4 or 8 lanes, with the widest vectors of this processor.
 * Its results do not depend on them. Local. */
sdca_lane_step_function *sdca_lane_step_find(sdca_loss_kind kind, int lanes);

#endif
