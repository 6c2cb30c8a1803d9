/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_pass.h - one pass over the rows of this rank for the duality gap of one model, or
 * of several models side by side. */
#ifndef SDCA_OBJECTIVE_GAP_PASS_H
#define SDCA_OBJECTIVE_GAP_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compensated_sum.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* u = 2^-53, and a little more for the rounding in bounds on rounding errors. */
extern const double sdca_unit_roundoff;

/* Roundings in a row's weighted term, of the magnitudes that are added up in it. */
extern const double sdca_row_term_roundings;

/* Rows that are summed without compensation before their sum is added to the total. */
enum { SDCA_GAP_PASS_BLOCK = 64 };

/* One model of a pass. */
typedef struct sdca_gap_lane {
    const sdca_objective *objective;
    sdca_point            point;
    double                norm2; /* |w|^2, without that of an intercept */
    bool                  zero;  /* so is every margin */
    float *gap_term;             /* of row i: gap_term[i * lanes], to be set; or NULL */
    bool   by_row;               /* bound rounding errors row by row */
} sdca_gap_lane;

/* All weighted sums over my rows that an evaluation needs of a model. */
typedef struct sdca_gap_sums {
    compensated_sum losses;
    compensated_sum conjugates;
    compensated_sum gap_terms;
    double          errors;      /* bounds on the errors of losses and gap terms */
    double          alpha_norms; /* |alpha_i| |x_i| */
    int64_t invalid_row;  /* a row whose term is negative beyond rounding, or -1; ... */
    double  invalid_term; /* ... that term */
} sdca_gap_sums;

/* Sum over my rows. Local. */
void sdca_gap_pass_run(const sdca_dataset *data, const sdca_gap_lane *lane,
                       sdca_gap_sums *out);

/* The same for the models of an iterate with several lanes: those in lane[] with an
 * objective that is not NULL, in one walk over each row. w has the element 0 of the first
 * lane. Local. */
void sdca_gap_pass_run_lanes(const sdca_dataset *data, int lanes, const double *w,
                             const sdca_gap_lane *lane, sdca_gap_sums *out);

#endif
