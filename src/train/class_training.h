/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_training.h - several classes, each trained against the rest. */
#ifndef SDCA_TRAIN_CLASS_TRAINING_H
#define SDCA_TRAIN_CLASS_TRAINING_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/field_io.h"
#include "model/model.h"
#include "train/train_options.h"

/* The iterates of all classes, from which the next lambda starts; { 0 } before the
 * first. */
typedef struct sdca_class_iterates {
    int           classes; /* 0: none yet */
    int           batch;   /* classes side by side, the last ones may be fewer */
    sdca_iterate *iterate; /* by class */
    double        C;       /* for which they were trained */
} sdca_class_iterates;

/* Allocate the iterates of classes, of which this many are side by side. Local. Free
 * what they hold. Collective. */
sdca_status sdca_class_iterates_create(int classes, int batch, sdca_class_iterates *out);
void        sdca_class_iterates_free(sdca_class_iterates *iterates);

/* The fields of the iterates in a checkpoint; objective is that of all classes, but for
 * the class. Reading makes them. Collective. */
void sdca_class_iterates_fields(const sdca_objective     *objective,
                                const sdca_train_options *options, int classes,
                                sdca_class_iterates *iterates, sdca_field_io *io);

/* The number of classes that can be trained side by side: one at a time if the solver or
 * an option asks for more than steps of SDCA in the automatic order, or if w would have
 * too many elements. Local. */
int sdca_class_training_max_batch(const sdca_objective     *objective,
                                  const sdca_dataset       *data,
                                  const sdca_train_options *options, int ranks);

/* Train a model of more than two classes: rows of class k against all others, for every
 * k, each to the target. Budgets of epochs and rounds are per class, that of seconds is
 * for all of them. The labels of the model are set, and its columns in use: w gets the
 * columns of the data set, or all columns if there is none. Up to SDCA_MAX_LANES classes
 * are trained side by side; the model has the history of each class as it grows. At the
 * end, result is that of all classes, with the test error of all of them, and has no
 * history. If iterates is not NULL, the classes start from its iterates, if there are
 * any, and leave theirs in it. Collective. Returns SDCA_BUDGET if a class has not reached
 * the target. */
sdca_status sdca_class_training_run(const sdca_train_setup *setup,
                                    const sdca_objective   *objective,
                                    sdca_class_iterates *iterates, sdca_model *model,
                                    sdca_train_result *result);

#endif
