/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.h - checkpoints: when a run is saved, and how another goes on from there.
 *
 * A checkpoint is taken between a round and the evaluation that may follow it, and
 * changes nothing: a run on as many ranks with the same settings goes on bit by bit.
 * Otherwise alpha, w and all that is kept go on, and what steers the rounds begins
 * anew. */
#ifndef SDCA_TRAIN_CHECKPOINT_H
#define SDCA_TRAIN_CHECKPOINT_H

#include "train/training_run.h"

/* After a round: save the run if it is time, or if it is to stop. It may fail and the run
 * go on, unless it is to stop. Collective. */
sdca_status sdca_checkpoint_write_if_due(sdca_training_run *r);

/* After the last round, for whoever wants to go on with other budgets. Collective. */
void sdca_checkpoint_write_last(sdca_training_run *r);

/* Go on from plan->saving.from, in place of the start. Collective. */
sdca_status sdca_checkpoint_resume(sdca_training_run *r);

#endif
