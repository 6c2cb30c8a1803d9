/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_schema.c - how the columns of a table become columns of X.
 *
 * In a data file the columns of X are described by var, a data frame as AnnData writes it
 * (encoding dataframe 0.2.0): an index and columns, all of them arrays of strings. The
 * rest is in the group table, which in a model has the columns of var as well. */
#include "data/table_schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const sdca_table_missing_names[] = {
    [SDCA_MISSING_ERROR] = "error",       [SDCA_MISSING_DROP] = "drop",
    [SDCA_MISSING_MEAN] = "mean",         [SDCA_MISSING_MEDIAN] = "median",
    [SDCA_MISSING_CATEGORY] = "category", NULL,
};

static const char *const kind_names[] = {
    [SDCA_FEATURE_NUMBER]   = "number",
    [SDCA_FEATURE_CATEGORY] = "category",
    [SDCA_FEATURE_HASH]     = "hash",
    [SDCA_FEATURE_MISSING]  = "missing",
    NULL,
};

static const char index_path[]       = "var/_index";
static const char class_names_path[] = "label_names";
static const char table_group[]      = "table";
static const char model_names_path[] = "column_names";
static const char model_classes[]    = "table/label_names";

enum { PATH_SIZE = 64 };

/* The group with the columns of var. */
static const char *column_group(sdca_hdf5_file *store)
{
    return sdca_hdf5_has_strings(store, index_path) ? "var" : table_group;
}

/* The path of one of them. */
static const char *column_path(const char *group, const char *column,
                               char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", group, column);
    return path;
}

bool sdca_table_schema_exists(sdca_hdf5_file *store)
{
    const char *group = column_group(store);
    char        path[2][PATH_SIZE];

    return sdca_hdf5_has_strings(store, column_path(group, "column", path[0])) &&
           sdca_hdf5_has_strings(store, column_path(group, "category", path[1]));
}

/* Read strings, if they are there. */
static sdca_status read_optional(sdca_hdf5_file *store, const char *name,
                                 sdca_string_list *out)
{
    return sdca_hdf5_has_strings(store, name) ? sdca_hdf5_read_strings(store, name, out)
                                              : SDCA_OK;
}

/* Whether an attribute of object has that value. */
static sdca_status read_flag(sdca_hdf5_file *store, const char *object, const char *name,
                             const char *value, bool *out)
{
    sdca_status status   = SDCA_OK;
    char        text[32] = "";

    if (sdca_hdf5_has_attribute(store, object, name)) {
        status = sdca_hdf5_read_string_attribute(store, object, name, text, sizeof text);
    }
    *out = strcmp(text, value) == 0;
    return status;
}

/* The index of a text in a list that ends in NULL, or -1. */
static int find_word(const char *const *words, const char *text)
{
    for (int k = 0; words[k] != NULL; k++) {
        if (strcmp(words[k], text) == 0) {
            return k;
        }
    }
    return -1;
}

sdca_feature_kind sdca_table_schema_kind(const sdca_table_schema *schema, int64_t j)
{
    if (schema->kind.count == 0) {
        return schema->category.text[j][0] == '\0' ? SDCA_FEATURE_NUMBER
                                                   : SDCA_FEATURE_CATEGORY;
    }
    return (sdca_feature_kind)find_word(kind_names, schema->kind.text[j]);
}

/* Allocate space for the fill of one more column of X. */
static sdca_status reserve_fill(sdca_table_schema *schema)
{
    int64_t count = schema->name.count;
    double *fill  = schema->fill;

    if (schema->missing < SDCA_MISSING_MEAN ||
        (count > 0 && (count & (count - 1)) != 0)) {
        return SDCA_OK; /* the capacity is a power of two */
    }
    fill = sdca_alloc_resize(fill, (size_t)(count > 0 ? 2 * count : 1), sizeof *fill);
    if (fill == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
    }
    schema->fill = fill;
    return SDCA_OK;
}

sdca_status sdca_table_schema_append(sdca_table_schema *schema, const char *name,
                                     const char *column, const char *category,
                                     sdca_feature_kind kind, double fill)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(reserve_fill(schema));
    if (schema->fill != NULL) {
        schema->fill[schema->name.count] = fill;
    }
    SDCA_TRY(sdca_string_list_append(&schema->name, name, strlen(name)));
    SDCA_TRY(sdca_string_list_append(&schema->column, column, strlen(column)));
    SDCA_TRY(sdca_string_list_append(&schema->category, category, strlen(category)));
    SDCA_TRY(sdca_string_list_append(&schema->kind, kind_names[kind],
                                     strlen(kind_names[kind])));

done:
    return status;
}

/* Read the kinds of the columns of X and what becomes of missing values. */
static sdca_status read_kinds(sdca_hdf5_file *store, const char *group,
                              sdca_table_schema *out)
{
    sdca_status status = SDCA_OK;
    char        path[PATH_SIZE], text[32] = "error";
    int         missing;

    SDCA_TRY(read_optional(store, column_path(group, "kind", path), &out->kind));
    for (int64_t j = 0; j < out->kind.count; j++) {
        if (find_word(kind_names, out->kind.text[j]) < 0) {
            return SDCA_FAIL(
                SDCA_DATA, "%s in '%s' has '%s', which is no kind of column", path,
                sdca_hdf5_path(store),
                sdca_string_escape(out->kind.text[j], strlen(out->kind.text[j])).text);
        }
    }
    if (sdca_hdf5_has_attribute(store, table_group, "missing")) {
        SDCA_TRY(sdca_hdf5_read_string_attribute(store, table_group, "missing", text,
                                                 sizeof text));
    }
    missing = find_word(sdca_table_missing_names, text);
    if (missing < 0) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has missing values of a kind '%s', which this "
                         "version of sdca does not know",
                         sdca_hdf5_path(store),
                         sdca_string_escape(text, strlen(text)).text);
    }
    out->missing = (sdca_table_missing)missing;

done:
    return status;
}

/* Read the numbers that stand for missing ones. */
static sdca_status read_fill(sdca_hdf5_file *store, const char *group,
                             sdca_table_schema *out)
{
    sdca_status      status = SDCA_OK;
    int64_t          count  = out->name.count;
    sdca_array_shape shape;
    char             path[PATH_SIZE];

    if (!sdca_hdf5_has_array(store, column_path(group, "fill", path))) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_check_shape(store, path, 1, &shape));
    if (shape.extent[0] != count) {
        return SDCA_FAIL(SDCA_DATA, "the arrays in %s of '%s' differ in length", group,
                         sdca_hdf5_path(store));
    }
    out->fill = sdca_alloc_array((size_t)count, sizeof *out->fill);
    if (out->fill == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %s", path);
    }
    SDCA_TRY(sdca_hdf5_read_range(store, path, (sdca_range){ 0, count }, SDCA_FLOAT64,
                                  out->fill));
    for (int64_t j = 0; j < count; j++) {
        if (!isfinite(out->fill[j])) {
            return SDCA_FAIL(SDCA_DATA, "%s in '%s' has a number that is not finite",
                             path, sdca_hdf5_path(store));
        }
    }

done:
    return status;
}

/* How the values of a data file were stored, or a model says that they were. */
static sdca_status read_storage(sdca_hdf5_file *store, bool model, sdca_table_schema *out)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;

    SDCA_TRY(read_flag(store, model ? table_group : "/", "normalize", "rows",
                       &out->normalized));
    if (model) {
        SDCA_TRY(read_flag(store, table_group, "values", "float64", &out->float64));
    } else if (sdca_hdf5_has_array(store, "X/data")) {
        SDCA_TRY(sdca_hdf5_get_shape(store, "X/data", &shape));
        out->float64 = shape.element_size > sizeof(float);
    }

done:
    return status;
}

sdca_status sdca_table_schema_read(sdca_hdf5_file *store, sdca_table_schema *out)
{
    sdca_status       status = SDCA_OK;
    sdca_table_schema schema = { 0 };
    const char       *group  = column_group(store);
    bool              model  = strcmp(group, table_group) == 0;
    char              path[PATH_SIZE];

    SDCA_TRY(sdca_hdf5_read_strings(store, model ? model_names_path : index_path,
                                    &schema.name));
    SDCA_TRY(sdca_hdf5_read_strings(store, column_path(group, "column", path),
                                    &schema.column));
    SDCA_TRY(sdca_hdf5_read_strings(store, column_path(group, "category", path),
                                    &schema.category));
    SDCA_TRY(read_optional(store, model ? model_classes : class_names_path,
                           &schema.class_names));
    SDCA_TRY(read_optional(store, "table/label", &schema.label));
    SDCA_TRY(read_optional(store, "table/weight", &schema.weight));
    SDCA_TRY(read_optional(store, "table/dropped", &schema.dropped));
    SDCA_TRY(read_storage(store, model, &schema));
    SDCA_TRY(read_kinds(store, group, &schema));
    if (schema.column.count != schema.name.count ||
        schema.category.count != schema.name.count ||
        (schema.kind.count > 0 && schema.kind.count != schema.name.count)) {
        status = SDCA_FAIL(SDCA_DATA, "the arrays in %s of '%s' differ in length", group,
                           sdca_hdf5_path(store));
        goto done;
    }
    SDCA_TRY(read_fill(store, group, &schema));
    *out   = schema;
    schema = (sdca_table_schema){ 0 }; /* now the caller's */

done:
    sdca_table_schema_free(&schema);
    return status;
}

/* Write strings as AnnData does, unless there are none. */
static sdca_status write_strings(sdca_hdf5_file *store, const char *name,
                                 const sdca_string_list *texts)
{
    sdca_status status = SDCA_OK;

    if (texts->count == 0) {
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_write_strings(store, name, texts));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(store, name, "encoding-type", "string-array"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, name, "encoding-version", "0.2.0"));

done:
    return status;
}

/* Whether columns of X are not just numbers and categories, which their categories tell
 * apart. */
static bool has_kinds(const sdca_table_schema *schema)
{
    for (int64_t j = 0; j < schema->name.count; j++) {
        sdca_feature_kind kind = sdca_table_schema_kind(schema, j);

        if (kind != SDCA_FEATURE_NUMBER && kind != SDCA_FEATURE_CATEGORY) {
            return true;
        }
    }
    return false;
}

/* The columns that describe those of X. */
static sdca_status write_columns(const sdca_table_schema *schema, const char *group,
                                 sdca_hdf5_file *store)
{
    sdca_status status = SDCA_OK;
    char        path[PATH_SIZE];

    SDCA_TRY(write_strings(store, column_path(group, "column", path), &schema->column));
    SDCA_TRY(
        write_strings(store, column_path(group, "category", path), &schema->category));
    if (has_kinds(schema)) {
        SDCA_TRY(write_strings(store, column_path(group, "kind", path), &schema->kind));
    }
    if (schema->fill != NULL) {
        SDCA_TRY(sdca_hdf5_write_array(store, column_path(group, "fill", path),
                                       SDCA_FLOAT64, schema->name.count, schema->fill));
        SDCA_TRY(sdca_hdf5_write_string_attribute(store, path, "encoding-type", "array"));
        SDCA_TRY(
            sdca_hdf5_write_string_attribute(store, path, "encoding-version", "0.2.0"));
    }

done:
    return status;
}

/* The columns of the table that are not in X. */
static sdca_status write_table(const sdca_table_schema *schema, sdca_hdf5_file *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_create_group(store, table_group));
    SDCA_TRY(write_strings(store, "table/label", &schema->label));
    SDCA_TRY(write_strings(store, "table/weight", &schema->weight));
    SDCA_TRY(write_strings(store, "table/dropped", &schema->dropped));
    if (schema->missing != SDCA_MISSING_ERROR) {
        SDCA_TRY(sdca_hdf5_write_string_attribute(
            store, table_group, "missing", sdca_table_missing_names[schema->missing]));
    }

done:
    return status;
}

sdca_status sdca_table_schema_write(const sdca_table_schema *schema,
                                    sdca_hdf5_file          *store)
{
    char            *columns[4] = { "column", "category" };
    sdca_string_list order      = { 2, 4, columns };
    sdca_status      status     = SDCA_OK;

    if (has_kinds(schema)) {
        columns[order.count++] = "kind";
    }
    if (schema->fill != NULL) {
        columns[order.count++] = "fill";
    }

    SDCA_TRY(sdca_hdf5_create_group(store, "var"));
    SDCA_TRY(
        sdca_hdf5_write_string_attribute(store, "var", "encoding-type", "dataframe"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "var", "encoding-version", "0.2.0"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, "var", "_index", "_index"));
    SDCA_TRY(sdca_hdf5_write_string_list_attribute(store, "var", "column-order", &order));
    SDCA_TRY(write_strings(store, index_path, &schema->name));
    SDCA_TRY(write_columns(schema, "var", store));
    SDCA_TRY(write_strings(store, class_names_path, &schema->class_names));
    SDCA_TRY(write_table(schema, store));

done:
    return status;
}

sdca_status sdca_table_schema_write_to_model(const sdca_table_schema *schema,
                                             sdca_hdf5_file          *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(write_table(schema, store));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, table_group, "normalize",
                                              schema->normalized ? "rows" : "none"));
    SDCA_TRY(sdca_hdf5_write_string_attribute(store, table_group, "values",
                                              schema->float64 ? "float64" : "float32"));
    SDCA_TRY(write_columns(schema, table_group, store));
    SDCA_TRY(write_strings(store, model_classes, &schema->class_names));

done:
    return status;
}

void sdca_table_schema_free(sdca_table_schema *schema)
{
    sdca_string_list_free(&schema->name);
    sdca_string_list_free(&schema->column);
    sdca_string_list_free(&schema->category);
    sdca_string_list_free(&schema->kind);
    free(schema->fill);
    schema->fill = NULL;
    sdca_string_list_free(&schema->class_names);
    sdca_string_list_free(&schema->label);
    sdca_string_list_free(&schema->weight);
    sdca_string_list_free(&schema->dropped);
}
