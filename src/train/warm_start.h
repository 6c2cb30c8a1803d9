/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_start.h - start from the result of an earlier run, also of another problem. */
#ifndef SDCA_TRAIN_WARM_START_H
#define SDCA_TRAIN_WARM_START_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* Set the alpha of an iterate, which is the start, from a checkpoint or model. A
 * checkpoint of the same data gives its alpha, projected on the feasible intervals of
 * this loss. Otherwise alpha_i is the dual maximiser at w.x_i, all scaled by the factor
 * that maximises the dual. w becomes w(alpha), but for an iterate with several lanes,
 * where the caller has to recompute it for all of them. Of several classes, k is the one
 * that is trained against the rest, and w that of the class with the same label; without
 * such a class the iterate stays as it is. Otherwise k is 0. Collective. */
sdca_status sdca_warm_start(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, int k, const char *path,
                            sdca_iterate *iterate);

#endif
