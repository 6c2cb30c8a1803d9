/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_from_memory.h - a data set from CSR or dense arrays in memory.
 *
 * Each rank gives its own rows, in rank order: the rows of rank 0 are the first of the
 * data set. A rank may have no rows. Values are checked and stored as if they came from
 * a file; the same rows on the same ranks give the same data set, bit for bit. */
#ifndef SDCA_DATA_DATASET_FROM_MEMORY_H
#define SDCA_DATA_DATASET_FROM_MEMORY_H

#include <stdint.h>

#include "data/dataset.h"
#include "sdca/dataset.h"

/* Make a data set of this rank's rows and their labels, which are NULL if there are
 * none. Without weights (NULL), all rows have weight 1. Fails with SDCA_DATA on values
 * and labels that are not finite, weights that are not finite or negative, columns out
 * of range or twice in a row, offsets that do not ascend from 0, more than two labels
 * for classification, and where ranks differ in the number of columns or in having
 * labels or weights. Collective. On success the caller frees *out with
 * sdca_dataset_free(). */
sdca_status sdca_dataset_from_memory_csr(MPI_Comm comm, const sdca_csr_view *x,
                                         const double *labels, const double *weights,
                                         const sdca_dataset_options *options,
                                         sdca_dataset              **out);
sdca_status sdca_dataset_from_memory_dense(MPI_Comm comm, const sdca_dense_view *x,
                                           const double *labels, const double *weights,
                                           const sdca_dataset_options *options,
                                           sdca_dataset              **out);

#endif
