/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_model.h - the part of a checkpoint that is a model. */
#ifndef SDCA_TRAIN_CHECKPOINT_MODEL_H
#define SDCA_TRAIN_CHECKPOINT_MODEL_H

#include "io/hdf5_file.h"
#include "train/training_run.h"

/* The layout of the fields of a checkpoint. Earlier versions had other fields. */
enum { SDCA_CHECKPOINT_VERSION = 3 };

/* Are the models of this run some of the classes of several? Local. */
static inline bool sdca_checkpoint_trains_classes(const sdca_training_run *r)
{
    return r->training.objective->one_against_rest > 0;
}

/* The class of model k. Local. */
static inline int sdca_checkpoint_class_of(const sdca_training_run *r, int k)
{
    return r->training.objective[k].one_against_rest - 1;
}

/* Write the model, or the models of all classes so far. Called on rank 0. Local. */
sdca_status sdca_checkpoint_write_model(const sdca_training_run *r, sdca_hdf5_file *hdf5);

/* Check that the model in a checkpoint is of this run, and take its history and times.
 * Local. */
sdca_status sdca_checkpoint_read_model(sdca_training_run *r, sdca_hdf5_file *hdf5);

#endif
