/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_names.h - the names of the columns of a data file or a model. */
#ifndef SDCA_DATA_FEATURE_NAMES_H
#define SDCA_DATA_FEATURE_NAMES_H

#include "base/string_list.h"
#include "data/dataset.h"
#include "io/hdf5_file.h"

/* Read the names of columns, whether they are of a table, of AnnData or of a model; none
 * if not every column has one. *out is empty before and the caller's afterwards. Local.
 */
sdca_status sdca_feature_names_read_names(sdca_hdf5_file *store, sdca_string_list *out);

/* The same for a data file of which parts are used, covariates included. Local. */
sdca_status sdca_feature_names_read_cells(sdca_hdf5_file             *store,
                                          const sdca_anndata_options *cells,
                                          sdca_string_list           *out);

/* Fail if the two files, a data file and a model or the training data, have different
 * names for a column. One of them may have fewer columns, or no names. cells applies to
 * data files. Local. */
sdca_status sdca_feature_names_compare(sdca_hdf5_file *store, sdca_hdf5_file *other,
                                       const sdca_anndata_options *cells);

#endif
