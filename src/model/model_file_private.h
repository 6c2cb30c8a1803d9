/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_private.h - what the sources of model_file share. */
#ifndef SDCA_MODEL_MODEL_FILE_PRIVATE_H
#define SDCA_MODEL_MODEL_FILE_PRIVATE_H

#include "io/hdf5_file.h"
#include "model/model.h"

/* Write or read the labels and their names. Local. */
sdca_status sdca_model_file_write_labels(sdca_hdf5_file     *hdf5,
                                         const sdca_classes *labels);
sdca_status sdca_model_file_read_labels(sdca_hdf5_file *hdf5, sdca_classes *labels);

/* Write or read bias, certificate and history of each of several classes, whose labels
 * the model has. Local. */
sdca_status sdca_model_file_write_classes(const sdca_model *model, sdca_hdf5_file *hdf5);
sdca_status sdca_model_file_read_classes(sdca_hdf5_file *hdf5, sdca_model *model);

/* Write or read the group calibration, if there is one. Local. */
sdca_status sdca_model_file_write_calibration(const sdca_model *model,
                                              sdca_hdf5_file   *hdf5);
sdca_status sdca_model_file_read_calibration(sdca_hdf5_file *hdf5, sdca_model *model);

/* Write or read the bounds on the intercepts of the optima, if they are known. Local. */
sdca_status sdca_model_file_write_intercepts(const sdca_model *model,
                                             sdca_hdf5_file   *hdf5);
sdca_status sdca_model_file_read_intercepts(sdca_hdf5_file *hdf5, sdca_model *model);

/* Read an array with a finite number for each model. Local. */
sdca_status sdca_model_file_read_numbers(sdca_hdf5_file *hdf5, const char *name,
                                         int count, double *number);

#endif
