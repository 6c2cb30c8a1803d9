/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_arrays.h - predictions as the arrays of an HDF5 file. */
#ifndef SDCA_CLI_PREDICT_PREDICTION_ARRAYS_H
#define SDCA_CLI_PREDICT_PREDICTION_ARRAYS_H

#include <stdint.h>

#include "base/status.h"
#include "cli/predict/prediction_row.h"
#include "io/hdf5_file.h"

/* All zero: not open. */
typedef struct prediction_arrays {
    const prediction_rule *rule;
    int64_t                rows, written;
    sdca_hdf5_file        *file;
} prediction_arrays;

/* Open the file, which appears when it is committed, with arrays for a number of rows.
 * rule is kept. Local. What out holds is freed with prediction_arrays_close(), also after
 * a failure. */
sdca_status prediction_arrays_open(const char *path, const prediction_rule *rule,
                                   int64_t rows, prediction_arrays *out);

/* Write what the records of the next rows predict. Local. */
sdca_status prediction_arrays_write(prediction_arrays *arrays, const double *record,
                                    int64_t count);

/* Publish the file. Local. */
sdca_status prediction_arrays_commit(prediction_arrays *arrays);

/* Discard the file, unless it was committed. Local. */
void prediction_arrays_close(prediction_arrays *arrays);

#endif
