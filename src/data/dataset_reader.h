/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_reader.h - a data set from an HDF5 file, each rank reading its own rows.
 *
 * X is a group in the AnnData/SciPy CSR convention or a dense two-dimensional array. The
 * labels are y or a column of AnnData's obs. */
#ifndef SDCA_DATA_DATASET_READER_H
#define SDCA_DATA_DATASET_READER_H

#include "data/dataset.h"

/* Read a data set, distributed over the ranks by non-zeros. Collective. On success the
 * caller frees *out with sdca_dataset_free(). */
sdca_status sdca_dataset_reader_read(MPI_Comm comm, const char *path,
                                     const sdca_dataset_options *options,
                                     sdca_dataset              **out);

#endif
