/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.h - options, callbacks and result of a run (the public header). */
#ifndef SDCA_TRAIN_TRAIN_OPTIONS_H
#define SDCA_TRAIN_TRAIN_OPTIONS_H

#include "data/dataset.h"
#include "model/model.h"
#include "objective/objective.h"
#include "sdca/train.h"

/* The solver that options choose, never AUTO, the same on every rank. Local. */
sdca_solver sdca_train_options_resolve_solver(const sdca_train_options *options,
                                              const sdca_objective     *objective,
                                              const sdca_dataset *data, int ranks);

#endif
