/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obs_column.h - a column of AnnData's obs or var: numbers, categories or text.
 *
 * Categories and text are read as indices of their different values. */
#ifndef SDCA_DATA_OBS_COLUMN_H
#define SDCA_DATA_OBS_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/string_list.h"
#include "io/hdf5_file.h"

/* All zero: closed. */
typedef struct sdca_obs_column {
    sdca_hdf5_array *array;
    sdca_hdf5_array *mask;        /* not 0 where the value is missing, or NULL */
    bool             categorical; /* values are indices of categories */
    sdca_string_list categories;  /* as text; numbers in their shortest form */
    double          *code;        /* of a column of text, by row; or NULL */
} sdca_obs_column;

/* Open a column of a data frame, obs or var, that has that many rows, in the encoding of
 * any version of AnnData. Local. What out holds is closed with sdca_obs_column_close()
 * before the file is, also after a failure. */
sdca_status sdca_obs_column_open(sdca_hdf5_file *h5, const char *frame, const char *name,
                                 int64_t rows, sdca_obs_column *out);
void        sdca_obs_column_close(sdca_obs_column *column);

/* Read the values of a range of rows; NaN where they are missing. Codes of categories are
 * not checked. Local. */
sdca_status sdca_obs_column_read(const sdca_obs_column *column, sdca_range rows,
                                 double *x);

#endif
