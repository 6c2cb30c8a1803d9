/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_names.c - the names of the columns of a data file or a model. */
#include "data/feature_names.h"

#include <stdio.h>
#include <string.h>

#include "data/covariates.h"
#include "data/obs_column.h"
#include "data/table_schema.h"

static const char model_names_path[] = "column_names"; /* in models */

enum { PATH_SIZE = 512 };

/* The array of var with the names: the one that the attribute _index names, as AnnData
 * does, or else _index. */
static sdca_status find_index(sdca_hdf5_file *store, const char *var,
                              char path[PATH_SIZE])
{
    char        column[PATH_SIZE / 2] = "_index";
    sdca_status status                = SDCA_OK;

    if (sdca_hdf5_has_attribute(store, var, "_index")) {
        status =
            sdca_hdf5_read_string_attribute(store, var, "_index", column, sizeof column);
    }
    snprintf(path, PATH_SIZE, "%s/%s", var, column);
    if (!sdca_hdf5_has_strings(store, path)) {
        snprintf(path, PATH_SIZE, "%s/_index", var);
    }
    return status == SDCA_MEMORY ? status : SDCA_OK;
}

/* The rows and columns of a matrix; -1 if unknown. */
static void find_size(sdca_hdf5_file *store, const char *x, int64_t size[2])
{
    sdca_array_shape shape;

    size[0] = size[1] = -1;
    if (sdca_hdf5_has_array(store, x) &&
        sdca_hdf5_check_shape(store, x, 2, &shape) == SDCA_OK) {
        memcpy(size, shape.extent, sizeof shape.extent);
    } else if (!sdca_hdf5_has_array(store, x) &&
               sdca_hdf5_read_attribute(store, x, "shape", SDCA_INT64, 2, size) !=
                   SDCA_OK) {
        size[0] = size[1] = -1;
    }
}

/* The names in a column of var, which is text, categories or numbers. */
static sdca_status read_column(sdca_hdf5_file *store, const char *var, const char *name,
                               int64_t columns, sdca_string_list *out)
{
    sdca_status     status = SDCA_OK;
    sdca_obs_column column = { 0 };
    double          x      = 0.0;

    SDCA_TRY(sdca_obs_column_open(store, var, name, columns, &column));
    for (int64_t j = 0; j < columns; j++) {
        char        number[32];
        const char *text = number;

        SDCA_TRY(sdca_obs_column_read(&column, (sdca_range){ j, 1 }, &x));
        if (!(x >= 0.0 && x < (double)column.categories.count) && column.categorical) {
            status = SDCA_FAIL(SDCA_DATA, "%s/%s in '%s' has no name for column %lld",
                               var, name, sdca_hdf5_path(store), (long long)j);
            goto done;
        }
        snprintf(number, sizeof number, "%.15g", x);
        text = column.categorical ? column.categories.text[(int64_t)x] : number;
        SDCA_TRY(sdca_string_list_append(out, text, strlen(text)));
    }

done:
    sdca_obs_column_close(&column);
    return status;
}

/* Names for a matrix without any: X_pca_0, X_pca_1, ... */
static sdca_status number_columns(const char *x, int64_t columns, sdca_string_list *out)
{
    const char *slash  = strrchr(x, '/');
    sdca_status status = SDCA_OK;
    char        text[PATH_SIZE];

    for (int64_t j = 0; status == SDCA_OK && j < columns; j++) {
        snprintf(text, sizeof text, "%.256s_%lld", slash != NULL ? slash + 1 : x,
                 (long long)j);
        status = sdca_string_list_append(out, text, strlen(text));
    }
    return status;
}

/* The names of the columns of the matrix, without covariates. */
static sdca_status read_matrix_names(sdca_hdf5_file *store, const char *x,
                                     const char *names, int64_t columns,
                                     sdca_string_list *out)
{
    const char *var             = strncmp(x, "raw/", 4) == 0 ? "raw/var" : "var";
    sdca_status status          = SDCA_OK;
    char        path[PATH_SIZE] = "";

    if (strncmp(x, "obsm/", 5) == 0) {
        return number_columns(x, columns, out);
    }
    if (names != NULL) {
        return read_column(store, var, names, columns, out);
    }
    SDCA_TRY(find_index(store, var, path));
    if (sdca_hdf5_has_strings(store, path)) {
        SDCA_TRY(sdca_hdf5_read_strings(store, path, out));
    }
    if (out->count != columns) {
        sdca_string_list_free(out);
    }

done:
    return status;
}

sdca_status sdca_feature_names_read_cells(sdca_hdf5_file             *store,
                                          const sdca_anndata_options *cells,
                                          sdca_string_list           *out)
{
    sdca_status     status     = SDCA_OK;
    const char     *x          = cells->x != NULL ? cells->x : "X";
    sdca_covariates covariates = { 0 };
    int64_t         size[2];

    find_size(store, x, size);
    SDCA_TRY(read_matrix_names(store, x, cells->names, size[1], out));
    if (cells->covariates != NULL) {
        SDCA_TRY(out->count == 0 ? number_columns(x, size[1], out) : SDCA_OK);
        SDCA_TRY(sdca_covariates_open(store, cells->covariates, size[0], &covariates));
        for (int64_t j = 0; j < covariates.names.count; j++) {
            SDCA_TRY(sdca_string_list_append(out, covariates.names.text[j],
                                             strlen(covariates.names.text[j])));
        }
    }
    status =
        sdca_hdf5_deferred_error(store); /* an unreadable link is not a missing name */

done:
    sdca_covariates_close(&covariates);
    return status;
}

sdca_status sdca_feature_names_read_names(sdca_hdf5_file *store, sdca_string_list *out)
{
    return sdca_hdf5_has_strings(store, model_names_path)
               ? sdca_hdf5_read_strings(store, model_names_path, out)
               : sdca_feature_names_read_cells(store, &(sdca_anndata_options){ 0 }, out);
}

/* Report the first column with different names in two files. */
static sdca_status fail_different_name(sdca_hdf5_file *store, const char *name,
                                       sdca_hdf5_file *other, const char *expected,
                                       int64_t column)
{
    sdca_escaped_string found = sdca_string_escape(name, strlen(name));
    sdca_escaped_string known = sdca_string_escape(expected, strlen(expected));
    const char         *path = sdca_hdf5_path(store), *model = sdca_hdf5_path(other);

    return sdca_table_schema_exists(store)
               ? SDCA_FAIL(SDCA_DATA,
                           "column %lld of '%s' is '%s', where '%s' has '%s': convert "
                           "its table again with --like TRAIN.h5, the data that the "
                           "model is trained on",
                           (long long)column, path, found.text, model, known.text)
               : SDCA_FAIL(SDCA_DATA,
                           "column %lld of '%s' is '%s', where '%s' has '%s': give it "
                           "the same columns in the same order",
                           (long long)column, path, found.text, model, known.text);
}

/* The names of a model, or of a data file. */
static sdca_status read_either(sdca_hdf5_file *store, const sdca_anndata_options *cells,
                               sdca_string_list *out)
{
    return sdca_hdf5_has_strings(store, model_names_path)
               ? sdca_hdf5_read_strings(store, model_names_path, out)
               : sdca_feature_names_read_cells(store, cells, out);
}

sdca_status sdca_feature_names_compare(sdca_hdf5_file *store, sdca_hdf5_file *other,
                                       const sdca_anndata_options *cells)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list found = { 0 }, known = { 0 };

    SDCA_TRY(read_either(store, cells, &found));
    SDCA_TRY(read_either(other, cells, &known));
    for (int64_t j = 0; j < found.count && j < known.count; j++) {
        if (strcmp(found.text[j], known.text[j]) != 0) {
            status = fail_different_name(store, found.text[j], other, known.text[j], j);
            goto done;
        }
    }

done:
    sdca_string_list_free(&found);
    sdca_string_list_free(&known);
    return status;
}
