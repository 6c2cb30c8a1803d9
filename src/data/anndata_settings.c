/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_settings.c - which parts of an AnnData file a model was trained on. */
#include "data/anndata_settings.h"

static const char group[] = "cells";

static const char *const names[SDCA_CELL_SETTINGS] = { "x", "names", "covariates",
                                                       "label" };

sdca_status sdca_anndata_settings_write(const sdca_anndata_options *cells,
                                        const char *label, sdca_hdf5_file *store)
{
    const char *value[SDCA_CELL_SETTINGS] = { cells->x, cells->names, cells->covariates,
                                              label };
    sdca_status status                    = SDCA_OK;
    bool        any                       = false;

    for (int k = 0; k < SDCA_CELL_SETTINGS; k++) {
        any = any || value[k] != NULL;
    }
    SDCA_TRY(any ? sdca_hdf5_create_group(store, group) : SDCA_OK);
    for (int k = 0; k < SDCA_CELL_SETTINGS; k++) {
        SDCA_TRY(value[k] != NULL
                     ? sdca_hdf5_write_string_attribute(store, group, names[k], value[k])
                     : SDCA_OK);
    }

done:
    return status;
}

sdca_status sdca_anndata_settings_read(sdca_hdf5_file *store, sdca_anndata_settings *out)
{
    const char **value[SDCA_CELL_SETTINGS] = { &out->options.x, &out->options.names,
                                               &out->options.covariates, &out->label };
    sdca_status  status                    = SDCA_OK;

    out->options = (sdca_anndata_options){ NULL, NULL, NULL, NULL };
    out->label   = NULL;
    for (int k = 0; k < SDCA_CELL_SETTINGS && sdca_hdf5_has_group(store, group); k++) {
        if (sdca_hdf5_has_attribute(store, group, names[k])) {
            SDCA_TRY(sdca_hdf5_read_string_attribute(store, group, names[k], out->text[k],
                                                     sizeof out->text[k]));
            *value[k] = out->text[k];
        }
    }

done:
    return status;
}
