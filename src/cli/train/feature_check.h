/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_check.h - do two files have the same columns?
 *
 * Columns are matched by position. If two files have names of columns, different names in
 * the same position are a mistake that no number would reveal. */
#ifndef SDCA_CLI_TRAIN_FEATURE_CHECK_H
#define SDCA_CLI_TRAIN_FEATURE_CHECK_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "data/dataset.h"

/* Fail if the data file has other names of columns than the model, or than the training
 * data. The first rank reads them, and follows external links if links is true. cells
 * applies to data files. Collective. */
sdca_status feature_check_names(MPI_Comm comm, const char *data, const char *model,
                                const sdca_anndata_options *cells, bool links);

#endif
