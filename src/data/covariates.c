/* SPDX-License-Identifier: BSD-3-Clause
 *
 * covariates.c - columns of AnnData's obs as further columns of X. */
#include "data/covariates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Add the names of the columns of X for a column of obs. */
static sdca_status append_names(sdca_covariates *c, int k)
{
    const char            *name   = c->obs_names.text[k];
    const sdca_obs_column *column = &c->column[k];
    sdca_status            status = SDCA_OK;

    c->first[k] = c->names.count;
    if (!column->categorical) {
        return sdca_string_list_append(&c->names, name, strlen(name));
    }
    for (int64_t j = 0; status == SDCA_OK && j < column->categories.count; j++) {
        size_t size = strlen(name) + strlen(column->categories.text[j]) + 2;
        char  *text = sdca_alloc_array(size, 1);

        if (text == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
        }
        snprintf(text, size, "%s=%s", name, column->categories.text[j]);
        status = sdca_string_list_append(&c->names, text, strlen(text));
        free(text);
    }
    return status;
}

sdca_status sdca_covariates_open(sdca_hdf5_file *h5, const char *list, int64_t rows,
                                 sdca_covariates *out)
{
    sdca_status status = SDCA_OK;

    out->path = sdca_hdf5_path(h5);
    while (list != NULL) {
        size_t length = strcspn(list, ",");

        SDCA_TRY(sdca_string_list_append(&out->obs_names, list, length));
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    out->column = sdca_alloc_zeroed((size_t)out->obs_names.count, sizeof *out->column);
    out->first  = sdca_alloc_array((size_t)out->obs_names.count, sizeof *out->first);
    if (out->column == NULL || out->first == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %lld columns of obs",
                           (long long)out->obs_names.count);
        goto done;
    }
    for (int k = 0; k < (int)out->obs_names.count; k++) {
        out->count = k + 1;
        SDCA_TRY(sdca_obs_column_open(h5, "obs", out->obs_names.text[k], rows,
                                      &out->column[k]));
        SDCA_TRY(append_names(out, k));
    }

done:
    return status;
}

void sdca_covariates_close(sdca_covariates *c)
{
    for (int k = 0; k < c->count; k++) {
        sdca_obs_column_close(&c->column[k]);
    }
    free(c->column);
    free(c->first);
    sdca_string_list_free(&c->obs_names);
    sdca_string_list_free(&c->names);
    *c = (sdca_covariates){ 0 };
}

sdca_status sdca_covariates_check(const sdca_covariates *c, int k, int64_t row, double x)
{
    const sdca_obs_column *column = &c->column[k];
    bool                   known  = column->categorical
                                        ? x >= 0.0 && x < (double)column->categories.count && x == floor(x)
                                        : isfinite(x);

    return known ? SDCA_OK
                 : SDCA_FAIL(SDCA_DATA,
                             "'%s', row %lld: the value of obs/%s is missing, or not one "
                             "of its categories",
                             c->path, (long long)row, c->obs_names.text[k]);
}
