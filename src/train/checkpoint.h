/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.h - writing checkpoints of a run, and resuming one.
 *
 * A checkpoint is taken between a round and the evaluation that may follow it, and
 * changes nothing: a run on as many ranks with the same settings continues with the
 * same bits. Otherwise alpha, w and the output are kept, and the controllers of rounds
 * restart. */
#ifndef SDCA_TRAIN_CHECKPOINT_H
#define SDCA_TRAIN_CHECKPOINT_H

#include "train/training_run.h"

/* After a round: save the run if that is due, or if it is to stop. A failure to save ends
 * the run only if it was to stop. Collective. */
sdca_status sdca_checkpoint_write_if_due(sdca_training_run *r);

/* After the last round, so that another run can continue with other budgets. Collective.
 * */
void sdca_checkpoint_write_last(sdca_training_run *r);

/* Resume from options->checkpoint.resume_from, instead of the start. Collective. */
sdca_status sdca_checkpoint_resume(sdca_training_run *r);

/* Of several classes: read those that were trained before the ones whose training a
 * checkpoint resumes, and the number of them. model has space for its parts and
 * weights. Collective. */
sdca_status sdca_checkpoint_read_classes(MPI_Comm comm, const sdca_dataset *data,
                                         const char *path, sdca_model *model, int *first);

#endif
