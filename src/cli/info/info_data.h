/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_data.h - the description of a data set by sdca info. */
#ifndef SDCA_CLI_INFO_INFO_DATA_H
#define SDCA_CLI_INFO_INFO_DATA_H

#include "base/status.h"
#include "io/hdf5_file.h"

/* Print size, columns and labels of a data set, and what train would reject. Local. */
sdca_status info_data_print(sdca_hdf5_file *store);

#endif
