/* SPDX-License-Identifier: BSD-3-Clause
 *
 * class_history_file.h - the evaluations of several classes, in files.
 *
 * The classes follow each other, each with its evaluations. A file has one more column
 * than the history of one model: class, the number of the class from 0 in HDF5, and its
 * label in CSV. */
#ifndef SDCA_MODEL_CLASS_HISTORY_FILE_H
#define SDCA_MODEL_CLASS_HISTORY_FILE_H

#include "base/status.h"
#include "io/hdf5_file.h"
#include "model/model.h"

/* Write the evaluations of a model of several classes to an open file, or read them into
 * one whose histories are empty. Local. */
sdca_status sdca_class_history_write(const sdca_model *model, sdca_hdf5_file *hdf5);
sdca_status sdca_class_history_read(sdca_hdf5_file *hdf5, sdca_model *model);

/* Write the evaluations of all classes as CSV. Local. */
sdca_status sdca_class_history_write_csv(const sdca_model *model, const char *path);

#endif
