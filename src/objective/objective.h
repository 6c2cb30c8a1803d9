/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objective.h - the objective function.
 *
 *     P(w) = (1/n) sum phi(w.x_i; y_i) + (lambda/2) |w|^2
 *
 * Its dual has one variable per row, and w(alpha) = C sum alpha_i x_i with
 * C = 1/(lambda n), which is LIBLINEAR's C too. */
#ifndef SDCA_OBJECTIVE_OBJECTIVE_H
#define SDCA_OBJECTIVE_OBJECTIVE_H

#include <stdint.h>

#include "objective/loss.h"

typedef struct sdca_objective {
    const sdca_loss *loss;
    double           parameter; /* p of the loss */
    double           lambda;
    double           C;
    int64_t          rows; /* n */
} sdca_objective;

/* The objective with that lambda, or with that C. Local. */
sdca_objective sdca_objective_with_lambda(const sdca_loss *loss, double parameter,
                                          double lambda, int64_t rows);
sdca_objective sdca_objective_with_C(const sdca_loss *loss, double parameter, double C,
                                     int64_t rows);

/* The interval of the feasible alpha of a row with label y. It depends on the sign of y
 * only. Local. */
sdca_interval sdca_objective_feasible(const sdca_objective *objective, double y);

#endif
