/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_row_selection.h - which rows of an AnnData file are used: those that a
 * condition on a column of obs chooses, and that have a label. */
#ifndef SDCA_DATA_ANNDATA_ROW_SELECTION_H
#define SDCA_DATA_ANNDATA_ROW_SELECTION_H

#include <stdint.h>

#include "data/dataset.h"
#include "data/file_layout.h"
#include "io/hdf5_file.h"

/* All zero: all rows. */
typedef struct sdca_anndata_row_selection {
    int64_t  count;
    int64_t *row;        /* their numbers, ascending; NULL: all rows of the file */
    int64_t  unlabelled; /* rows without a label, of those that the condition chooses */
} sdca_anndata_row_selection;

/* Find the rows of a file. Of options, cells.where, label_column and unlabelled_rows
 * apply. Fails if there are none. Local. What out holds is freed with
 * sdca_anndata_row_selection_free(). */
sdca_status sdca_anndata_row_selection_read(sdca_hdf5_file             *h5,
                                            const sdca_file_layout     *layout,
                                            const sdca_dataset_options *options,
                                            sdca_anndata_row_selection *out);
void        sdca_anndata_row_selection_free(sdca_anndata_row_selection *selection);

#endif
