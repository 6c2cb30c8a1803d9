/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_options.h - options, callbacks and result of a run (the public header). */
#ifndef SDCA_TRAIN_TRAIN_OPTIONS_H
#define SDCA_TRAIN_TRAIN_OPTIONS_H

#include <mpi.h>

#include "data/dataset.h"
#include "model/model.h"
#include "objective/objective.h"
#include "sdca/train.h"

/* What a training is given besides the objective and what it changes. Borrowed. */
typedef struct sdca_train_setup {
    MPI_Comm                    comm;
    const sdca_dataset         *data;
    const sdca_train_options   *options;
    const sdca_train_callbacks *callbacks;
    sdca_phase_seconds          earlier; /* of the part of the run before this training */
} sdca_train_setup;

/* The models that can be trained side by side, if the solver can: one, if an option asks
 * for more than steps in the automatic order, or if w would have too many elements.
 * Local. */
int sdca_train_options_max_batch(const sdca_train_options *options,
                                 const sdca_dataset       *data);

#endif
