/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_reader.h - a data set from parts of an AnnData file, for dataset_reader. */
#ifndef SDCA_DATA_ANNDATA_READER_H
#define SDCA_DATA_ANNDATA_READER_H

#include <mpi.h>

#include "data/anndata_row_selection.h"
#include "data/covariates.h"
#include "data/dataset_builder.h"
#include "data/file_layout.h"

/* Which parts of a file are read. All zero: empty. */
typedef struct sdca_anndata_plan {
    sdca_anndata_row_selection selection;
    sdca_covariates            covariates;
    int32_t                   *column_map; /* by name; NULL: as they are */
    int64_t                    missing_columns;
    int64_t                    columns; /* of the data set */
} sdca_anndata_plan;

/* Find the parts that options choose. Local. What plan holds is freed with
 * sdca_anndata_plan_free() before the file is closed, also after a failure. */
sdca_status sdca_anndata_plan_read(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                   const sdca_dataset_options *options,
                                   sdca_anndata_plan          *plan);
void        sdca_anndata_plan_free(sdca_anndata_plan *plan);

/* Whether that is not just all of the file, row by row. Local. */
bool sdca_anndata_plan_is_needed(const sdca_anndata_plan *plan,
                                 const sdca_file_layout  *layout);

/* Read the data set. Collective. On success *out is the caller's. */
sdca_status sdca_anndata_reader_read(MPI_Comm comm, sdca_hdf5_file *h5,
                                     const sdca_file_layout     *layout,
                                     const sdca_dataset_options *options,
                                     sdca_anndata_plan *plan, sdca_dataset **out);

#endif
