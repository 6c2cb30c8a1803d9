/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dual_file.h - the dual variables of a model in its file, from which anyone can
 * compute its certificate again.
 *
 * The array dual has one number per row of the training data, in their order; for more
 * than two classes it is rows x classes. */
#ifndef SDCA_MODEL_DUAL_FILE_H
#define SDCA_MODEL_DUAL_FILE_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/model.h"
#include "objective/iterate.h"

/* What else is needed to compute the certificate: how the data were read, and what w is.
 * Texts are empty where an option was not given. */
typedef struct sdca_dual_settings {
    bool w_of_alpha; /* w is w(alpha) */
    char label_column[SDCA_MODEL_OPTIONS_SIZE];
    char weight_column[SDCA_MODEL_OPTIONS_SIZE];
    char class_weight[SDCA_MODEL_OPTIONS_SIZE];
    char positive[SDCA_MODEL_OPTIONS_SIZE];
} sdca_dual_settings;

/* Allocate space for the dual variables of my rows in a model that is to be trained on
 * data: model->dual. Local. */
sdca_status sdca_model_create_dual(sdca_model *model, const sdca_dataset *data);

/* Keep the dual variables of an iterate as those of part k, if model->dual has room.
 * Local. */
void sdca_model_keep_dual(sdca_model *model, const sdca_dataset *data, int k,
                          const sdca_iterate *iterate);

/* Write a model, which rank 0 has, with the dual variables that all ranks have.
 * Collective. */
sdca_status sdca_model_write_with_dual(MPI_Comm comm, const sdca_model *model,
                                       const sdca_dataset       *data,
                                       const sdca_dual_settings *settings,
                                       const char               *path);

/* Read the settings of a model's dual variables. Fails if it has none. Collective. */
sdca_status sdca_dual_settings_read(MPI_Comm comm, const char *path,
                                    sdca_dual_settings *out);

/* Read the dual variables of my rows into model->dual, for which there is room, where
 * data are not shuffled. Local. */
sdca_status sdca_model_file_read_dual(sdca_hdf5_file *hdf5, const sdca_dataset *data,
                                      sdca_model *model);

#endif
