/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_training.h - several classes, each trained against the rest. */
#ifndef SDCA_TRAIN_CLASS_TRAINING_H
#define SDCA_TRAIN_CLASS_TRAINING_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/model.h"
#include "train/train_options.h"

/* Train a model of more than two classes: rows of class k against all others, for every
 * k, each to the target. Budgets of epochs and rounds are per class, that of seconds is
 * for all of them. The labels of the model are set, and its column map: w gets the
 * columns of the data set, or all columns if there is none. Up to SDCA_MAX_LANES classes
 * are trained side by side; the model has the history of each class as it grows. At the
 * end, result is that of all classes, with the test error of all of them, and has no
 * history. Collective. Returns SDCA_BUDGET if a class has not reached the target. */
sdca_status sdca_class_training_run(MPI_Comm comm, const sdca_objective *objective,
                                    const sdca_dataset         *data,
                                    const sdca_train_options   *options,
                                    const sdca_train_callbacks *callbacks,
                                    sdca_model *model, sdca_train_result *result);

#endif
