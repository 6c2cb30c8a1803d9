/* SPDX-License-Identifier: BSD-3-Clause
 *
 * solver_choice.h - the solver of --solver auto: SDCA, or Newton's method where that is
 * faster. */
#ifndef SDCA_TRAIN_SOLVER_CHOICE_H
#define SDCA_TRAIN_SOLVER_CHOICE_H

#include "train/train_options.h"

/* The solver that options choose for all classes of the data, never AUTO, the same on
 * every rank. Local. */
sdca_solver sdca_solver_choice_for_fit(const sdca_train_options *options,
                                       const sdca_objective     *objective,
                                       const sdca_dataset *data, int ranks);

/* The same for a path of several lambda, whose smallest lambda objective has: SDCA gains
 * from the fit before, Newton's method hardly does where it has to smooth corners of the
 * loss. Local. */
sdca_solver sdca_solver_choice_for_path(const sdca_train_options *options,
                                        const sdca_objective     *objective,
                                        const sdca_dataset *data, int ranks);

#endif
