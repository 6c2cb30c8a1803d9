/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trainer.h - the training loop: rounds of a method until the gap is small enough. */
#ifndef SDCA_TRAIN_TRAINER_H
#define SDCA_TRAIN_TRAINER_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "train/train_options.h"

/* Train from iterate, or continue from a checkpoint. description is what checkpoints say
 * about the model, apart from w, certificate and history; NULL if none are written.
 * iterate ends as the one that is kept, with w rebuilt from alpha and certified (under
 * SGD and NEWTON, alpha is what certifies w). Collective. Returns SDCA_OK when the target
 * is reached, SDCA_BUDGET when a budget ran out first, or when rounding leaves nothing to
 * gain before the target; iterate and result are then complete, too. Where runs are
 * saved, a request to stop and the end of the budget of seconds give SDCA_INTERRUPTED and
 * a checkpoint; result is then that of the last evaluation. */
sdca_status sdca_trainer_run(const sdca_train_setup *setup,
                             const sdca_objective   *objective,
                             const sdca_model *description, sdca_iterate *iterate,
                             sdca_train_result *result);

/* The same for several models side by side, at most SDCA_MAX_LANES, by SDCA with the
 * automatic order of rows: objective, iterate and result have one element for each. The
 * status is that of the worst model. Collective. */
sdca_status sdca_trainer_run_models(const sdca_train_setup *setup, int models,
                                    const sdca_objective *objective,
                                    const sdca_model *description, sdca_iterate *iterate,
                                    sdca_train_result *result);

#endif
