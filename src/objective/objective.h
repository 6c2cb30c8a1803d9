/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objective.h - the objective function.
 *
 *     P(w) = (1/S) sum s_i phi(w.x_i; y_i) + (lambda/2) |w|^2
 *
 * with the weights s_i of the rows, 1 for each by default, and their sum S. Its dual has
 * one variable per row, and w(alpha) = C sum s_i alpha_i x_i with C = 1/(lambda S), which
 * is LIBLINEAR's C too. */
#ifndef SDCA_OBJECTIVE_OBJECTIVE_H
#define SDCA_OBJECTIVE_OBJECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "objective/loss.h"

typedef struct sdca_objective {
    const sdca_loss *loss;
    double           parameter; /* p of the loss */
    double           lambda;
    double           C;
    int64_t          rows;         /* n */
    double           total_weight; /* S; n if all weights are 1 */

    /* 1 + the class whose rows have the label +1, all others -1, where the labels of a
     * data set are indices of classes; 0: labels are as they are. */
    int one_against_rest;

    /* 1 + the fold of the data set whose rows do not count; 0: all rows do. */
    int held_out;
} sdca_objective;

/* The label y of a row, given that of the data set. Local. */
static inline double sdca_objective_label(const sdca_objective *objective, double label)
{
    return objective->one_against_rest == 0                     ? label
           : label == (double)(objective->one_against_rest - 1) ? 1.0
                                                                : -1.0;
}

/* Is a row of this fold, from 0 on or -1 for none, one that does not count? Local. */
static inline bool sdca_objective_holds_out(const sdca_objective *objective, int fold)
{
    return objective->held_out > 0 && objective->held_out == fold + 1;
}

/* The objective with that lambda, or with that C. Local. */
sdca_objective sdca_objective_with_lambda(const sdca_loss *loss, double parameter,
                                          double lambda, int64_t rows,
                                          double total_weight);
sdca_objective sdca_objective_with_C(const sdca_loss *loss, double parameter, double C,
                                     int64_t rows, double total_weight);

/* The interval of the feasible alpha of a row with label y. It depends on the sign of y
 * only. Local. */
sdca_interval sdca_objective_feasible(const sdca_objective *objective, double y);

#endif
