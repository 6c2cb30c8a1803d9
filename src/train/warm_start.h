/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_start.h - start from the result of an earlier run, also of another problem. */
#ifndef SDCA_TRAIN_WARM_START_H
#define SDCA_TRAIN_WARM_START_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* Set the alpha of an iterate, which is the start, from a checkpoint or model. A
 * checkpoint of the same data gives its alpha, projected on the feasible intervals of
 * this loss. Otherwise alpha_i is the dual maximiser at w.x_i, all scaled by the factor
 * that maximises the dual. w becomes w(alpha), but for an iterate with several lanes,
 * where the caller must recompute it for all of them. With several classes, k is the
 * one that is trained against the rest, and w that of the class with the same label;
 * without such a class the iterate stays as it is. Otherwise k is 0. Collective. */
sdca_status sdca_warm_start(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, int k, const char *path,
                            sdca_iterate *iterate);

/* Make iterates, of which the first was trained with C_before, the start for a smaller
 * lambda, that of objective. w_of_alpha: the method keeps w = w(alpha), which grows with
 * 1/lambda, and alpha is scaled by the factor, one of a few, that gives the largest dual
 * by a sample of rows: 1 where most rows have a loss, less where w should stay as it is.
 * Otherwise alpha and w stay. Collective. */
void sdca_warm_start_next_lambda(MPI_Comm comm, const sdca_objective *objective,
                                 const sdca_dataset *data, int models, double C_before,
                                 bool w_of_alpha, sdca_iterate *iterate);

#endif
