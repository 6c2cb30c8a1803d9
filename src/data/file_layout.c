/* SPDX-License-Identifier: BSD-3-Clause
 *
 * file_layout.c - what a data file contains and where, before any row is read. */
#include "data/file_layout.h"

#include <stdio.h>
#include <string.h>

/* Only files that sdca has written have a version; others may use the attribute format
 * for something else. */
static sdca_status check_version(sdca_hdf5_file *h5)
{
    const int64_t known      = 1;
    int64_t       version    = known;
    sdca_status   status     = SDCA_OK;
    char          format[32] = "";

    if (sdca_hdf5_has_attribute(h5, "/", "format")) {
        status =
            sdca_hdf5_read_string_attribute(h5, "/", "format", format, sizeof format);
        SDCA_TRY(status == SDCA_DATA ? SDCA_OK
                                     : status); /* the attribute may be a number */
    }
    if (strcmp(format, "sdca-data") == 0) {
        SDCA_TRY(
            sdca_hdf5_read_attribute(h5, "/", "format-version", SDCA_INT64, 1, &version));
    }
    if (version != known) {
        status = SDCA_FAIL(
            SDCA_DATA,
            "'%s' is data of format %lld; this version of sdca knows format %lld",
            sdca_hdf5_path(h5), (long long)version, (long long)known);
    }

done:
    return status;
}

static sdca_status read_dense(sdca_hdf5_file *h5, sdca_file_layout *out)
{
    sdca_array_shape shape;
    sdca_status      status = sdca_hdf5_check_shape(h5, out->x_path, 2, &shape);

    if (status == SDCA_OK) {
        out->matrix.dense   = true;
        out->matrix.float64 = !shape.is_float || shape.element_size > sizeof(float);
        out->matrix.rows    = shape.extent[0];
        out->matrix.columns = shape.extent[1];
    }
    return status;
}

/* The shape of an array of a sparse matrix. */
static sdca_status read_shape(sdca_hdf5_file *h5, const char *x, const char *array,
                              sdca_array_shape *shape)
{
    char path[SDCA_SCHEMA_PATH_SIZE + 16];

    snprintf(path, sizeof path, "%s/%s", x, array);
    return sdca_hdf5_check_shape(h5, path, 1, shape);
}

/* Whether a sparse matrix is one by columns. */
static sdca_status read_order(sdca_hdf5_file *h5, const char *x, bool *by_column)
{
    sdca_status status       = SDCA_OK;
    char        encoding[32] = "csr_matrix";

    if (sdca_hdf5_has_attribute(h5, x, "encoding-type")) {
        SDCA_TRY(sdca_hdf5_read_string_attribute(h5, x, "encoding-type", encoding,
                                                 sizeof encoding));
    }
    *by_column = strcmp(encoding, "csc_matrix") == 0;
    if (!*by_column && strcmp(encoding, "csr_matrix") != 0) {
        status = SDCA_FAIL(
            SDCA_DATA, "%s in '%s' is a %s where a csr_matrix or a csc_matrix is needed",
            x, sdca_hdf5_path(h5), encoding);
    }

done:
    return status;
}

static sdca_status read_sparse(sdca_hdf5_file *h5, sdca_file_layout *out)
{
    const char      *path = sdca_hdf5_path(h5), *x = out->x_path;
    sdca_status      status = SDCA_OK;
    int64_t          size[2];
    sdca_array_shape values, indices, offsets;

    SDCA_TRY(read_order(h5, x, &out->by_column));
    SDCA_TRY(sdca_hdf5_read_attribute(h5, x, "shape", SDCA_INT64, 2, size));
    SDCA_TRY(read_shape(h5, x, "data", &values));
    SDCA_TRY(read_shape(h5, x, "indices", &indices));
    SDCA_TRY(read_shape(h5, x, "indptr", &offsets));
    if (indices.is_float || offsets.is_float) {
        status = SDCA_FAIL(SDCA_DATA, "%s/indices and %s/indptr in '%s' must be integers",
                           x, x, path);
    } else if (values.extent[0] != indices.extent[0]) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld values but %lld %s indices", path,
                           (long long)values.extent[0], (long long)indices.extent[0],
                           out->by_column ? "row" : "column");
    } else if (offsets.extent[0] - 1 != size[out->by_column]) {
        status = SDCA_FAIL(
            SDCA_DATA, "'%s' has %lld %s offsets for %lld %ss; one more is needed", path,
            (long long)offsets.extent[0], out->by_column ? "column" : "row",
            (long long)size[out->by_column], out->by_column ? "column" : "row");
    }
    out->matrix.dense    = false;
    out->matrix.float64  = !values.is_float || values.element_size > sizeof(float);
    out->matrix.rows     = size[0];
    out->matrix.columns  = size[1];
    out->matrix.nonzeros = values.extent[0];

done:
    return status;
}

/* Find the matrix that the options choose. */
static sdca_status find_matrix(sdca_hdf5_file *h5, const char *x, sdca_file_layout *out)
{
    x = x != NULL ? x : "X";
    if ((strcmp(x, "X") != 0 && strcmp(x, "raw/X") != 0 &&
         strncmp(x, "layers/", 7) != 0 && strncmp(x, "obsm/", 5) != 0) ||
        strlen(x) >= SDCA_SCHEMA_PATH_SIZE) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--x is X, raw/X, layers/NAME or obsm/NAME, not '%s'", x);
    }
    snprintf(out->x_path, sizeof out->x_path, "%s", x);
    if (sdca_hdf5_has_group(h5, x)) {
        return read_sparse(h5, out);
    }
    if (sdca_hdf5_has_array(h5, x)) {
        return read_dense(h5, out);
    }
    return strcmp(x, "X") == 0
               ? SDCA_FAIL(SDCA_DATA, "'%s' is not a data set: it has no X",
                           sdca_hdf5_path(h5))
               : SDCA_FAIL(SDCA_DATA, "'%s' has no %s", sdca_hdf5_path(h5), x);
}

/* Find a column of obs: numbers are an array; categories are a group or, before AnnData
 * 0.8, an array of codes and another one of categories. */
static sdca_status find_obs_column(sdca_hdf5_file *h5, const char *column,
                                   sdca_file_layout *out)
{
    const char *path = sdca_hdf5_path(h5);

    snprintf(out->label_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s", column);
    if (sdca_hdf5_has_group(h5, out->label_path)) {
        snprintf(out->label_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s/codes", column);
        snprintf(out->category_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s/categories", column);
        if (!sdca_hdf5_has_array(h5, out->label_path) ||
            !sdca_hdf5_has_array(h5, out->category_path)) {
            return SDCA_FAIL(SDCA_DATA,
                             "obs/%s in '%s' has no codes and categories, nor "
                             "is it an array of numbers",
                             column, path);
        }
        return SDCA_OK;
    }
    if (!sdca_hdf5_has_array(h5, out->label_path)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no column '%s' in obs", path, column);
    }
    if (sdca_hdf5_has_strings(h5, out->label_path)) {
        return SDCA_FAIL(SDCA_DATA,
                         "obs/%s in '%s' is text: write it as categories, as "
                         "astype('category') makes them, or as numbers",
                         column, path);
    }
    snprintf(out->category_path, SDCA_SCHEMA_PATH_SIZE, "obs/__categories/%s", column);
    if (!sdca_hdf5_has_array(h5, out->category_path)) {
        out->category_path[0] = '\0';
    }
    return SDCA_OK;
}

/* Find the labels, if there are any. */
static sdca_status find_labels(sdca_hdf5_file *h5, const char *label_column,
                               bool require_labels, sdca_file_layout *out)
{
    if (label_column != NULL) {
        out->has_labels = true;
        return find_obs_column(h5, label_column, out);
    }
    out->has_labels = sdca_hdf5_has_array(h5, "y");
    strcpy(out->label_path, "y");
    if (sdca_hdf5_has_strings(h5, "y")) {
        return SDCA_FAIL(SDCA_DATA,
                         "y in '%s' is text: make y numbers from 0 on, and label_names "
                         "the words that they stand for",
                         sdca_hdf5_path(h5));
    }
    if (require_labels && !out->has_labels) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no labels y%s", sdca_hdf5_path(h5),
                         sdca_hdf5_has_group(h5, "obs")
                             ? "; --label names the column of obs that has them"
                             : "");
    }
    return SDCA_OK;
}

/* Find the weights: an array, or a column of obs whose missing values are masked. */
static sdca_status find_weights(sdca_hdf5_file *h5, const char *column,
                                sdca_file_layout *out)
{
    char categories[SDCA_SCHEMA_PATH_SIZE];

    if (column == NULL) {
        strcpy(out->weight_path, "weight");
        out->has_weights = sdca_hdf5_has_array(h5, "weight");
        return SDCA_OK;
    }
    out->has_weights = true;
    snprintf(out->weight_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s", column);
    snprintf(categories, sizeof categories, "obs/__categories/%s", column);
    if (sdca_hdf5_has_group(h5, out->weight_path)) {
        snprintf(out->weight_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s/values", column);
        snprintf(out->weight_mask_path, SDCA_SCHEMA_PATH_SIZE, "obs/%s/mask", column);
    } else if (!sdca_hdf5_has_array(h5, out->weight_path)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no column '%s' in obs", sdca_hdf5_path(h5),
                         column);
    }
    if (!sdca_hdf5_has_array(h5, out->weight_path) ||
        sdca_hdf5_has_strings(h5, out->weight_path) ||
        sdca_hdf5_has_array(h5, categories)) {
        return SDCA_FAIL(SDCA_DATA, "obs/%s in '%s' is not a column of numbers", column,
                         sdca_hdf5_path(h5));
    }
    return SDCA_OK;
}

/* Fail unless there is one weight per row. */
static sdca_status check_weights(sdca_hdf5_file *h5, const sdca_file_layout *layout)
{
    const char      *array[2] = { layout->weight_path, layout->weight_mask_path };
    sdca_status      status   = SDCA_OK;
    sdca_array_shape shape;

    for (int k = 0; k < 2 && array[k][0] != '\0'; k++) {
        SDCA_TRY(sdca_hdf5_check_shape(h5, array[k], 1, &shape));
        if (shape.extent[0] != layout->matrix.rows) {
            return SDCA_FAIL(SDCA_DATA, "'%s' has %lld weights for %lld rows",
                             sdca_hdf5_path(h5), (long long)shape.extent[0],
                             (long long)layout->matrix.rows);
        }
    }

done:
    return status;
}

static sdca_status read_layout(sdca_hdf5_file *h5, const sdca_dataset_options *options,
                               sdca_file_layout *out)
{
    const char      *path   = sdca_hdf5_path(h5);
    sdca_status      status = SDCA_OK;
    sdca_array_shape y;

    SDCA_TRY(check_version(h5));
    SDCA_TRY(find_matrix(h5, options->cells.x, out));
    if (!options->ignore_labels) {
        SDCA_TRY(find_labels(h5, options->label_column, options->require_labels, out));
    }
    out->may_lack_labels =
        options->label_column != NULL && options->unlabelled_rows != SDCA_UNLABELLED_FAIL;
    if (out->has_labels && !options->unweighted) {
        SDCA_TRY(find_weights(h5, options->weight_column, out));
    }
    if (out->has_labels) {
        SDCA_TRY(sdca_hdf5_check_shape(h5, out->label_path, 1, &y));
    }
    if (out->matrix.rows < 1) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has no rows", path);
    } else if (out->matrix.columns < 0 || out->matrix.columns >= INT32_MAX) {
        status =
            SDCA_FAIL(SDCA_DATA, "'%s' has %lld columns; at most 2147483646 are possible",
                      path, (long long)out->matrix.columns);
    } else if (out->has_labels && y.extent[0] != out->matrix.rows) {
        status = SDCA_FAIL(SDCA_DATA, "'%s' has %lld labels for %lld rows", path,
                           (long long)y.extent[0], (long long)out->matrix.rows);
    } else if (out->has_weights) {
        status = check_weights(h5, out);
    }

done:
    return status;
}

/* A link that could not be followed looks like a missing object: report the link. */
sdca_status sdca_file_layout_read(sdca_hdf5_file *h5, const sdca_dataset_options *options,
                                  sdca_file_layout *out)
{
    sdca_status status = read_layout(h5, options, out);
    sdca_status links  = sdca_hdf5_deferred_error(h5);

    return links != SDCA_OK ? links : status;
}
