/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_names.c - the names of the columns and labels of a data file.
 *
 * var is a data frame as AnnData writes it (encoding dataframe 0.2.0): an index and
 * columns, all of them arrays of strings. */
#include "data/feature_names.h"

#include <stdio.h>
#include <string.h>

static const char index_path[]       = "var/_index";
static const char column_path[]      = "var/column";
static const char category_path[]    = "var/category";
static const char class_names_path[] = "label_names";
static const char model_names_path[] = "column_names"; /* in models */

enum { PATH_SIZE = 512 };

bool sdca_feature_names_exist(sdca_hdf5_file *store)
{
    return sdca_hdf5_has_strings(store, index_path) &&
           sdca_hdf5_has_strings(store, column_path) &&
           sdca_hdf5_has_strings(store, category_path);
}

sdca_status sdca_feature_names_read(sdca_hdf5_file *store, sdca_feature_names *out)
{
    sdca_status        status   = SDCA_OK;
    sdca_feature_names features = { 0 };

    SDCA_TRY(sdca_hdf5_read_strings(store, index_path, &features.name));
    SDCA_TRY(sdca_hdf5_read_strings(store, column_path, &features.column));
    SDCA_TRY(sdca_hdf5_read_strings(store, category_path, &features.category));
    if (sdca_hdf5_has_array(store, class_names_path)) {
        SDCA_TRY(sdca_hdf5_read_strings(store, class_names_path, &features.class_names));
    }
    if (features.column.count != features.name.count ||
        features.category.count != features.name.count) {
        status = SDCA_FAIL(SDCA_DATA, "the arrays in var of '%s' differ in length",
                           sdca_hdf5_path(store));
        goto done;
    }
    *out     = features;
    features = (sdca_feature_names){ 0 }; /* now the caller's */

done:
    sdca_feature_names_free(&features);
    return status;
}

/* The array of var with the names: the one that the attribute _index names, as AnnData
 * does, or else _index. */
static sdca_status find_index(sdca_hdf5_file *store, char path[PATH_SIZE])
{
    char        column[PATH_SIZE / 2] = "_index";
    sdca_status status                = SDCA_OK;

    if (sdca_hdf5_has_attribute(store, "var", "_index")) {
        status = sdca_hdf5_read_string_attribute(store, "var", "_index", column,
                                                 sizeof column);
    }
    snprintf(path, PATH_SIZE, "var/%s", column);
    if (!sdca_hdf5_has_strings(store, path)) {
        snprintf(path, PATH_SIZE, "%s", index_path);
    }
    return status == SDCA_MEMORY ? status : SDCA_OK;
}

/* The number of columns of X; -1 if unknown. */
static int64_t count_columns(sdca_hdf5_file *store)
{
    sdca_array_shape shape;
    int64_t          size[2];

    if (sdca_hdf5_has_array(store, "X")) {
        return sdca_hdf5_check_shape(store, "X", 2, &shape) == SDCA_OK ? shape.extent[1]
                                                                       : -1;
    }
    return sdca_hdf5_read_attribute(store, "X", "shape", SDCA_INT64, 2, size) == SDCA_OK
               ? size[1]
               : -1;
}

sdca_status sdca_feature_names_read_names(sdca_hdf5_file *store, sdca_string_list *out)
{
    sdca_status status          = SDCA_OK;
    char        path[PATH_SIZE] = "";

    if (sdca_hdf5_has_strings(store, model_names_path)) {
        return sdca_hdf5_read_strings(store, model_names_path, out);
    }
    SDCA_TRY(find_index(store, path));
    if (sdca_hdf5_has_strings(store, path)) {
        SDCA_TRY(sdca_hdf5_read_strings(store, path, out));
    }
    if (out->count != count_columns(store)) {
        sdca_string_list_free(out);
    }
    status =
        sdca_hdf5_deferred_error(store); /* an unreadable link is not a missing name */

done:
    return status;
}

/* Report the first column with different names in two files. */
static sdca_status fail_different_name(sdca_hdf5_file *store, const char *name,
                                       sdca_hdf5_file *other, const char *expected,
                                       int64_t column)
{
    sdca_escaped_string found = sdca_string_escape(name, strlen(name));
    sdca_escaped_string known = sdca_string_escape(expected, strlen(expected));
    const char         *path = sdca_hdf5_path(store), *model = sdca_hdf5_path(other);

    return sdca_feature_names_exist(store)
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

sdca_status sdca_feature_names_compare(sdca_hdf5_file *store, sdca_hdf5_file *other)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list found = { 0 }, known = { 0 };

    SDCA_TRY(sdca_feature_names_read_names(store, &found));
    SDCA_TRY(sdca_feature_names_read_names(other, &known));
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

static sdca_status write_strings(sdca_hdf5_file *store, const char *name,
                                 const sdca_string_list *texts)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_write_strings(store, name, texts));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(store, name, "encoding-type", "string-array"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, name, "encoding-version", "0.2.0"));

done:
    return status;
}

sdca_status sdca_feature_names_write(const sdca_feature_names *features,
                                     sdca_hdf5_file           *store)
{
    char                  *columns[] = { "column", "category" };
    const sdca_string_list order     = { 2, 2, columns };
    sdca_status            status    = SDCA_OK;

    SDCA_TRY(sdca_hdf5_create_group(store, "var"));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(store, "var", "encoding-type", "dataframe"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "var", "encoding-version", "0.2.0"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "var", "_index", "_index"));
    SDCA_TRY(sdca_hdf5_write_string_list_attribute(store, "var", "column-order", &order));
    SDCA_TRY(write_strings(store, index_path, &features->name));
    SDCA_TRY(write_strings(store, column_path, &features->column));
    SDCA_TRY(write_strings(store, category_path, &features->category));
    if (features->class_names.count > 0) {
        SDCA_TRY(write_strings(store, class_names_path, &features->class_names));
    }

done:
    return status;
}

void sdca_feature_names_free(sdca_feature_names *features)
{
    sdca_string_list_free(&features->name);
    sdca_string_list_free(&features->column);
    sdca_string_list_free(&features->category);
    sdca_string_list_free(&features->class_names);
}
