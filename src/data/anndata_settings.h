/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_settings.h - which parts of an AnnData file a model was trained on. */
#ifndef SDCA_DATA_ANNDATA_SETTINGS_H
#define SDCA_DATA_ANNDATA_SETTINGS_H

#include "data/dataset.h"
#include "io/hdf5_file.h"

enum { SDCA_CELL_SETTINGS = 4 };

/* The texts of options that were read. */
typedef struct sdca_anndata_settings {
    char                 text[SDCA_CELL_SETTINGS][1024];
    sdca_anndata_options options; /* refers to text; where is NULL */
    const char *label; /* the column of obs that had the labels, in text; or NULL */
} sdca_anndata_settings;

/* Write x, names and covariates and the column of the labels to a new model, if any is
 * set. Local. */
sdca_status sdca_anndata_settings_write(const sdca_anndata_options *cells,
                                        const char *label, sdca_hdf5_file *store);

/* Read them from a model; NULL if it has none. Local. */
sdca_status sdca_anndata_settings_read(sdca_hdf5_file *store, sdca_anndata_settings *out);

#endif
