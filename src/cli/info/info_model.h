/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_model.h - the description of a model or checkpoint by sdca info. */
#ifndef SDCA_CLI_INFO_INFO_MODEL_H
#define SDCA_CLI_INFO_INFO_MODEL_H

#include "base/status.h"
#include "io/hdf5_file.h"

/* Print the settings, certificate and origin of a model. Local. */
sdca_status info_model_print(sdca_hdf5_file *store);

/* The same of a checkpoint, with its progress. Local. */
sdca_status info_model_print_checkpoint(sdca_hdf5_file *store);

#endif
