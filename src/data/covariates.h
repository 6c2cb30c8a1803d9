/* SPDX-License-Identifier: BSD-3-Clause
 *
 * covariates.h - columns of AnnData's obs as further columns of X: numbers as they are,
 * one per category of others. */
#ifndef SDCA_DATA_COVARIATES_H
#define SDCA_DATA_COVARIATES_H

#include <stdint.h>

#include "base/string_list.h"
#include "data/obs_column.h"
#include "io/hdf5_file.h"

/* All zero: none. */
typedef struct sdca_covariates {
    const char      *path;   /* of the file, in messages; borrowed */
    int              count;  /* columns of obs */
    sdca_obs_column *column; /* by column of obs */
    sdca_string_list obs_names;
    sdca_string_list names; /* of the columns of X: COLUMN, or COLUMN=CATEGORY */
    int64_t         *first; /* the first of its columns of X, by column of obs */
} sdca_covariates;

/* Open the columns of a list that is separated by commas; NULL: none. Local. What out
 * holds is freed with sdca_covariates_close() before the file is closed, also after a
 * failure. */
sdca_status sdca_covariates_open(sdca_hdf5_file *h5, const char *list, int64_t rows,
                                 sdca_covariates *out);
void        sdca_covariates_close(sdca_covariates *covariates);

/* Fail unless x, the value of column k of obs in a row of the file, is one. Local. */
sdca_status sdca_covariates_check(const sdca_covariates *covariates, int k, int64_t row,
                                  double x);

#endif
