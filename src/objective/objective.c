/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objective.c - the objective function. */
#include "objective/objective.h"

sdca_objective sdca_objective_with_lambda(const sdca_loss *loss, double parameter,
                                          double lambda, int64_t rows,
                                          double total_weight)
{
    return (sdca_objective){ .loss         = loss,
                             .parameter    = parameter,
                             .lambda       = lambda,
                             .C            = 1.0 / (lambda * total_weight),
                             .rows         = rows,
                             .total_weight = total_weight };
}

sdca_objective sdca_objective_with_C(const sdca_loss *loss, double parameter, double C,
                                     int64_t rows, double total_weight)
{
    return (sdca_objective){ .loss         = loss,
                             .parameter    = parameter,
                             .lambda       = 1.0 / (C * total_weight),
                             .C            = C,
                             .rows         = rows,
                             .total_weight = total_weight };
}

sdca_interval sdca_objective_feasible(const sdca_objective *objective, double y)
{
    return objective->loss->feasible(objective->parameter, y);
}
