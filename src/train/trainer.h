/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trainer.h - the method: rounds of local steps until the gap is small enough. */
#ifndef SDCA_TRAIN_TRAINER_H
#define SDCA_TRAIN_TRAINER_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "train/train_options.h"

/* Train from state, or continue from a checkpoint. description is what checkpoints say
 * about the model, apart from w, certificate and history; NULL if none are written.
 * state ends as the iterate that is kept, with w rebuilt from alpha and certified
 * (under SGD and NEWTON, alpha is what certifies w). Collective. Returns SDCA_OK when
 * the target is reached, SDCA_BUDGET when a budget ran out first, or when rounding
 * leaves nothing to gain before the target; state and result are then whole too. Where
 * runs are saved, being asked to stop and the budget of seconds end in
 * SDCA_INTERRUPTED, with a checkpoint; result is then that of the last evaluation. */
sdca_status sdca_trainer_run(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, const sdca_train_options *options,
                             const sdca_train_callbacks *callbacks,
                             const sdca_model *description, sdca_iterate *iterate,
                             sdca_train_result *result);

/* The same for several models side by side, at most SDCA_MAX_LANES, by SDCA with the
 * automatic order of rows: objective, iterate and result have one element for each. The
 * status is that of the worst model. Collective. */
sdca_status sdca_trainer_run_models(
    MPI_Comm comm, int models, const sdca_objective *objective, const sdca_dataset *data,
    const sdca_train_options *options, const sdca_train_callbacks *callbacks,
    const sdca_model *description, sdca_iterate *iterate, sdca_train_result *result);

#endif
