/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_check.h - do two files mean the same columns?
 *
 * Weights go with columns by their places. Where two files have names for them, other
 * names in the same places are a mistake that no number would show. */
#ifndef SDCA_CLI_FEATURE_CHECK_H
#define SDCA_CLI_FEATURE_CHECK_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"

/* Fail where the data file has other names than the model, or than the data of training.
 * The first rank reads them, and follows links to other files on request. Collective. */
sdca_status feature_check_names(MPI_Comm comm, const char *data, const char *model,
                                bool links);

#endif
