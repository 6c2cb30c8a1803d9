/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fold_training.h - the models of cross-validation: for each fold, and each of several
 * classes, one that is trained on the rows of all other folds.
 *
 * Up to SDCA_MAX_LANES of them are trained side by side: a row that is held out is never
 * due in the lane of its fold. Methods for one model get a view of the data set where
 * such a row has weight 0. */
#ifndef SDCA_TRAIN_FOLD_TRAINING_H
#define SDCA_TRAIN_FOLD_TRAINING_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/field_io.h"
#include "objective/iterate.h"
#include "train/train_options.h"

/* The models, by fold and class: model f * classes + k. { 0 } is none. */
typedef struct sdca_fold_training {
    int               folds;
    int               classes; /* parts of a model: 1 for up to two classes */
    int               batch;   /* models side by side, the last ones may be fewer */
    double           *weight;  /* by fold: of the rows that are held out */
    sdca_iterate     *iterate; /* by model, like the next two */
    sdca_certificate *certificate;
    bool             *converged;
    double          **view;    /* by fold: weights of a view, or NULL */
    double            lambda;  /* for which they were trained; 0: not yet */
    bool              stopped; /* by request or for lack of time, before the end */
    double            epochs;  /* of all models, at the last lambda */

    /* Called with context before models of these folds are trained side by side, unless
     * NULL. Local. */
    void (*on_folds)(void *context, int first, int last);
    void *context;
} sdca_fold_training;

/* Prepare models of a data set with folds. options have a solver that is not AUTO.
 * Collective. The caller frees out with sdca_fold_training_free(), which is Collective
 * too. */
sdca_status sdca_fold_training_create(MPI_Comm comm, const sdca_dataset *data, int folds,
                                      int classes, const sdca_train_options *options,
                                      sdca_fold_training *out);
void        sdca_fold_training_free(sdca_fold_training *training);

/* Train all models with the lambda of objective, which is that of all rows, each to the
 * target, from where the last lambda left them. Budgets of epochs and rounds are for each
 * model, that of seconds is for all. Of the callbacks, on_progress and stop_requested are
 * called. Collective. Returns SDCA_BUDGET if a model has not reached the target; if
 * stopped, models are missing. */
sdca_status sdca_fold_training_run(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset         *data,
                                   const sdca_train_options   *options,
                                   const sdca_train_callbacks *callbacks,
                                   sdca_fold_training         *training);

/* The fields of the iterates in a checkpoint, from this number of a model on, for the
 * lambda that they were trained for. objective is that of all rows. Reading makes them.
 * Collective. */
void sdca_fold_training_fields(const sdca_objective *objective, int number,
                               sdca_fold_training *training, sdca_field_io *io);

/* The scores of each of my rows from the models that it was held out of: classes numbers
 * per row, 0 for a row of no fold. Local. */
void sdca_fold_training_score(const sdca_fold_training *training,
                              const sdca_dataset *data, double *score);

#endif
