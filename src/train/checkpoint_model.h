/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_model.h - the part of a checkpoint that is a model. */
#ifndef SDCA_TRAIN_CHECKPOINT_MODEL_H
#define SDCA_TRAIN_CHECKPOINT_MODEL_H

#include "data/standardization.h"
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

/* Is the iterate's w written apart from the model's, which has other units? Local. */
static inline bool sdca_checkpoint_has_own_w(const sdca_training_run *r)
{
    return !sdca_checkpoint_trains_classes(r) &&
           sdca_dataset_is_transformed(r->training.data);
}

/* Write the model, or the models of all classes so far. Called on rank 0. Local. */
sdca_status sdca_checkpoint_write_model(const sdca_training_run *r, sdca_hdf5_file *hdf5);

/* The weights of a model in the units of the source, with that of its bias, which is
 * behind the others in a checkpoint; *out is the caller's, to be freed. Local. */
sdca_status sdca_checkpoint_source_weights(const sdca_dataset *data, sdca_model *model,
                                           double **out);

/* Is this the model of a checkpoint of this version, this objective and these data?
 * Local. */
sdca_status sdca_checkpoint_check(sdca_hdf5_file *hdf5, const sdca_model *saved,
                                  const sdca_objective *objective,
                                  const sdca_dataset   *data);

/* Check that the model in a checkpoint is of this run, and take its history and times.
 * Local. */
sdca_status sdca_checkpoint_read_model(sdca_training_run *r, sdca_hdf5_file *hdf5);

#endif
