/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_file.h - the predictions of a data set as a CSV file or an HDF5 file. */
#ifndef SDCA_CLI_PREDICT_PREDICTION_FILE_H
#define SDCA_CLI_PREDICT_PREDICTION_FILE_H

#include <mpi.h>
#include <stdbool.h>

#include "base/string_list.h"
#include "cli/predict/prediction_row.h"
#include "data/dataset.h"
#include "objective/scorer.h"

/* Whether predictions in a file of that name are arrays: .h5 and .hdf5. Others are CSV.
 * Local. */
bool prediction_file_is_hdf5(const char *path);

/* Columns of strings to copy into a CSV file: their names, and their values row by row.
 * All zero: none. */
typedef struct prediction_kept {
    sdca_string_list names;
    sdca_string_list text;
} prediction_kept;

/* Score the rows of all ranks and send the scores to rank 0, which writes them, in the
 * order of the rows, with the columns that it keeps. Collective. */
sdca_status prediction_file_write(MPI_Comm comm, const prediction_rule *rule,
                                  const sdca_scorer *scorer, const sdca_dataset *data,
                                  const prediction_kept *kept, const char *path);

#endif
