/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_fields.h - the fields of a checkpoint: what of a run is written, and read
 * again.
 *
 * Each function lists the fields of one part of a run, once for both ways (image.h). */
#ifndef SDCA_TRAIN_CHECKPOINT_FIELDS_H
#define SDCA_TRAIN_CHECKPOINT_FIELDS_H

#include "train/field_io.h"
#include "train/training_run.h"

/* Where the run is; solver: the one at work. Collective. */
void sdca_checkpoint_fields_iterate(sdca_training_run *r, sdca_field_io *io,
                                    int64_t *solver);

/* What only these solvers have. Collective. */
void sdca_checkpoint_fields_sgd(sdca_training_run *r, sdca_field_io *io);
void sdca_checkpoint_fields_newton(sdca_training_run *r, sdca_field_io *io);

/* What is kept, if it was and is to be the same; says whether. Collective. */
bool sdca_checkpoint_fields_output(sdca_training_run *r, sdca_field_io *io);

/* What steers rounds and evaluations, the same on every rank. Collective. */
void sdca_checkpoint_fields_controllers(sdca_training_run *r, sdca_field_io *io);

/* Where each rank is in its order, and what it knows of its rows: for each, the streak of
 * small terms, and whether it is in the present sweep. mark has room for both.
 * Collective. */
void sdca_checkpoint_fields_row_order(sdca_training_run *r, sdca_field_io *io,
                                      uint8_t *row_flags);

#endif
