/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_start.h - begin with what an earlier run has found, be its problem another. */
#ifndef SDCA_TRAIN_WARM_START_H
#define SDCA_TRAIN_WARM_START_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"

/* Make a state of the checkpoint or model in a file. alpha is the checkpoint's where it
 * is of the same data, as near to it as this loss allows. Else alpha_i is what this loss
 * makes of w.x_i, all of them shrunk alike until the dual is greatest. w becomes
 * w(alpha). Collective. */
sdca_status sdca_warm_start(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, const char *path,
                            sdca_iterate *iterate);

#endif
