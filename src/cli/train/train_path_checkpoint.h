/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_path_checkpoint.h - checkpoints of a run with several lambda.
 *
 * One is written when a lambda is finished: its fit, and its folds if one is chosen. It
 * has all that the next lambda starts from, so that a resumed run on as many ranks has
 * the bits of an undisturbed one; a lambda under way is begun again. */
#ifndef SDCA_CLI_TRAIN_TRAIN_PATH_CHECKPOINT_H
#define SDCA_CLI_TRAIN_TRAIN_PATH_CHECKPOINT_H

#include "cli/train/train_job.h"

/* Save the run after its last finished fit, and call the callback: a failure does not end
 * the run. Collective. */
void train_path_checkpoint_write(train_job *j);

/* Read the checkpoint to resume from. Fails with SDCA_USAGE if it is one of other
 * options. Collective. */
sdca_status train_path_checkpoint_read(train_job *j);

#endif
