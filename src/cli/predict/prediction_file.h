/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_file.h - the predictions of a data set as a CSV file or an HDF5 file. */
#ifndef SDCA_CLI_PREDICT_PREDICTION_FILE_H
#define SDCA_CLI_PREDICT_PREDICTION_FILE_H

#include <mpi.h>

#include "cli/predict/predict_text.h"
#include "data/dataset.h"
#include "model/certain_labels.h"
#include "model/model.h"
#include "objective/scorer.h"

/* Score the rows of all ranks and send the scores to rank 0, which writes them, in the
 * order of the rows: HDF5 if path ends in .h5 or .hdf5, else CSV. text is what the rows
 * were read from, whose kept columns come first in a CSV file, or NULL. certain has the
 * threshold, and what is known about the optimum. Collective. */
sdca_status prediction_file_write(MPI_Comm comm, const sdca_model *model,
                                  const sdca_scorer *scorer, const sdca_dataset *data,
                                  const sdca_certain_labels *certain,
                                  const predict_text_rows *text, const char *path);

#endif
