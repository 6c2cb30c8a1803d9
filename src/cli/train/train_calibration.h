/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_calibration.h - train --calibrate: sigmoids fitted to scores of rows that a model
 * was not trained on. */
#ifndef SDCA_CLI_TRAIN_TRAIN_CALIBRATION_H
#define SDCA_CLI_TRAIN_TRAIN_CALIBRATION_H

#include <mpi.h>

#include "cli/options/train_arguments.h"
#include "train/fold_training.h"

/* Fit to the scores of the held-out rows of folds: one per row and part of a model, as
 * sdca_fold_training_score() has them. Weights of rows count, class weights do not.
 * Collective. What out holds is freed by sdca_calibration_free(). */
sdca_status train_calibration_of_folds(MPI_Comm comm, const train_arguments *arguments,
                                       const sdca_dataset *data, const double *score,
                                       sdca_calibration *out);

/* Fit to the scores of a validation set, which has the columns of the data, by the
 * weights of a model. Collective. */
sdca_status train_calibration_of_validation(
    MPI_Comm comm, const train_arguments *arguments, const sdca_dataset *data,
    const sdca_dataset *validation, const sdca_model *model, sdca_calibration *out);

/* Of one lambda: divide the rows into folds, before training. Collective. What out holds
 * is freed by sdca_fold_training_free(). */
sdca_status train_calibration_prepare(MPI_Comm comm, const train_arguments *arguments,
                                      sdca_dataset *data, int parts,
                                      sdca_fold_training *out);

/* Train the models of these folds, from which the model, which is trained, gets its
 * calibration; it gets none if the run is stopped before. Collective. Returns SDCA_BUDGET
 * if a model of a fold has not reached the target. */
sdca_status train_calibration_run(MPI_Comm comm, const train_arguments *arguments,
                                  const sdca_dataset         *data,
                                  const sdca_train_options   *options,
                                  const sdca_train_callbacks *callbacks,
                                  sdca_fold_training *folds, sdca_model *model);

#endif
