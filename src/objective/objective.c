/* SPDX-License-Identifier: BSD-3-Clause
 *
 * objective.c - the objective function. */
#include "objective/objective.h"

sdca_objective sdca_objective_with_lambda(const sdca_loss *loss, double parameter,
                                          double lambda, int64_t rows,
                                          double total_weight)
{
    return (sdca_objective){ loss, parameter,    lambda, 1.0 / (lambda * total_weight),
                             rows, total_weight, 0 };
}

sdca_objective sdca_objective_with_C(const sdca_loss *loss, double parameter, double C,
                                     int64_t rows, double total_weight)
{
    return (sdca_objective){ loss,         parameter, 1.0 / (C * total_weight), C, rows,
                             total_weight, 0 };
}

sdca_interval sdca_objective_feasible(const sdca_objective *objective, double y)
{
    return objective->loss->feasible(objective->parameter, y);
}
