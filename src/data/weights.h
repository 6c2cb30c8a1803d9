/* SPDX-License-Identifier: BSD-3-Clause
 *
 * weights.h - the sample weights of a source, which is a file or memory.
 *
 * A weight is a finite number of 0 or more, one per row. A row of weight 0 stays in the
 * data set, but counts nowhere. */
#ifndef SDCA_DATA_WEIGHTS_H
#define SDCA_DATA_WEIGHTS_H

#include "data/dataset.h"
#include "data/file_layout.h"

/* Where weights come from: memory or array. All NULL: every row has weight 1. */
typedef struct sdca_weight_source {
    const double    *memory; /* the weights of this rank's rows, borrowed */
    sdca_hdf5_array *array;  /* the weights of all rows of a file */
    sdca_hdf5_array *mask;   /* not 0 where the array has no value, or NULL */
} sdca_weight_source;

/* Open the weights of a file that has some. Local. What source holds is closed with
 * sdca_weights_close() before the file is, also after a failure. */
sdca_status sdca_weights_open(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                              sdca_weight_source *source);
void        sdca_weights_close(sdca_weight_source *source);

/* Read and check the weights of rows of a file. Local. */
sdca_status sdca_weights_read(const sdca_weight_source *source, const char *name,
                              sdca_range rows, double *weight);

/* Check the weights of the rows from first_row on. Fails in a sentence that calls the
 * data set name. Local. */
sdca_status sdca_weights_check(const char *name, int64_t first_row, int64_t count,
                               const double *weight);

/* Fails if the sum of all weights is 0, or beyond what lambda may be. Local. */
sdca_status sdca_weights_check_total(const char *name, double total);

/* Read the weights of the rows in local_range of a draft, where row k of the range is
 * stored at position[k], and add them to its fingerprint. Allocates draft->weight.
 * Local. */
sdca_status sdca_weights_load(const sdca_weight_source *source, const char *name,
                              const uint32_t *position, sdca_dataset *draft);

#endif
