/* SPDX-License-Identifier: BSD-3-Clause
 *
 * info_data.c - the description of a data set by sdca info. */
#include "cli/info/info_data.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "cli/ui/label_list.h"
#include "cli/ui/plural.h"
#include "data/table_schema.h"

static void show_type(sdca_array_shape values)
{
    if (!values.is_float && values.element_size < sizeof(int32_t)) {
        printf("  values       small integers\n");
    } else {
        printf("  values       %s%zu\n", values.is_float ? "float" : "int",
               8 * values.element_size);
    }
}

/* The normalisation by convert, which only newer files record. */
static sdca_status show_normalize(sdca_hdf5_file *store)
{
    sdca_status status   = SDCA_OK;
    char        text[32] = "";

    if (sdca_hdf5_has_attribute(store, "/", "normalize")) {
        SDCA_TRY(
            sdca_hdf5_read_string_attribute(store, "/", "normalize", text, sizeof text));
        sdca_printable_sanitize(text);
        printf("  normalize    %s\n", text);
    }

done:
    return status;
}

enum {
    LABEL_CHUNK      = 4096, /* labels that are read at a time */
    MAX_LABEL_VALUES = 8     /* numbers that are listed, where they may be no classes */
};

/* Count the labels as stored, in chunks; at least until they are too many for classes. */
static sdca_status count_labels(sdca_hdf5_file *store, int64_t rows,
                                sdca_label_counts *counts)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    double           y[LABEL_CHUNK];

    SDCA_TRY(sdca_hdf5_open_array(store, "y", SDCA_FLOAT64, &array));
    for (int64_t at = 0; at < rows && !sdca_label_counts_are_too_many(counts);
         at += LABEL_CHUNK) {
        int64_t here = rows - at < LABEL_CHUNK ? rows - at : LABEL_CHUNK;

        SDCA_TRY(sdca_hdf5_read_array(array, (sdca_range){ at, here }, y));
        for (int64_t k = 0; k < here; k++) {
            SDCA_TRY(sdca_label_counts_add(counts, y[k]));
        }
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* Labels without the attribute that says what they mean: classes, or numbers of a
 * regression. */
static sdca_status show_plain_labels(sdca_hdf5_file *store, int64_t rows,
                                     const sdca_string_list  *names,
                                     const sdca_label_counts *counts)
{
    sdca_status status   = SDCA_OK;
    char        task[32] = "";
    bool        too_many = sdca_label_counts_are_too_many(counts);

    if (sdca_hdf5_has_attribute(store, "y", "task")) {
        SDCA_TRY(sdca_hdf5_read_string_attribute(store, "y", "task", task, sizeof task));
    }
    too_many = too_many || (counts->count > MAX_LABEL_VALUES &&
                            (counts->has_fractions || strcmp(task, "regression") == 0));
    printf("  labels       %lld", (long long)rows);
    if (too_many) {
        printf(" of more than %d different numbers\n", MAX_LABEL_VALUES);
        goto done;
    }
    printf(counts->count > 2 ? " of %d classes: " : ": ", counts->count);
    label_list_print(counts, names);
    printf("\n");

done:
    return status;
}

/* Labels that are stored as -1 and +1. */
static sdca_status show_signs(sdca_hdf5_file *store, int64_t rows,
                              const sdca_string_list  *names,
                              const sdca_label_counts *counts)
{
    sdca_status status     = SDCA_OK;
    double      label[2]   = { 0.0, 0.0 };
    int64_t     labels     = 0;
    int         at[2]      = { sdca_label_counts_find(counts, -1.0),
                               sdca_label_counts_find(counts, 1.0) };
    int64_t     rows_of[2] = { 0, 0 };
    char        shown[2][LABEL_LIST_TEXT_SIZE];

    SDCA_TRY(sdca_hdf5_attribute_length(store, "y", "labels", &labels));
    SDCA_TRY(sdca_hdf5_read_attribute(store, "y", "labels", SDCA_FLOAT64,
                                      labels < 2 ? 1 : 2, label));
    for (int k = 0; k < 2; k++) {
        label_list_format(label[k], names, shown[k]);
        rows_of[k] = at[k] >= 0 ? counts->rows[at[k]] : 0;
    }
    printf("  labels       ");
    if (labels < 2) {
        printf("only %s\n", shown[0]);
    } else {
        printf("%s as -1 (%lld row%s), %s as +1 (%lld row%s)\n", shown[0],
               (long long)rows_of[0], plural((double)rows_of[0]), shown[1],
               (long long)rows_of[1], plural((double)rows_of[1]));
    }
    rows -= rows_of[0] + rows_of[1];
    if (rows > 0) {
        printf("  rejected     by train: y is neither -1 nor +1 in %lld row%s\n",
               (long long)rows, plural((double)rows));
    }

done:
    return status;
}

/* The classes and their rows. */
static sdca_status show_labels(sdca_hdf5_file *store)
{
    sdca_status       status = SDCA_OK;
    sdca_string_list  names  = { 0 };
    sdca_label_counts counts = { 0 };
    sdca_array_shape  shape;

    SDCA_TRY(sdca_hdf5_check_shape(store, "y", 1, &shape));
    if (sdca_hdf5_has_strings(store, "label_names")) {
        SDCA_TRY(sdca_hdf5_read_strings(store, "label_names", &names));
    }
    SDCA_TRY(count_labels(store, shape.extent[0], &counts));
    SDCA_TRY(sdca_hdf5_has_attribute(store, "y", "labels")
                 ? show_signs(store, shape.extent[0], &names, &counts)
                 : show_plain_labels(store, shape.extent[0], &names, &counts));

done:
    sdca_string_list_free(&names);
    sdca_label_counts_free(&counts);
    return status;
}

/* The first names of columns, and the numbers of both kinds. */
static void show_features(const sdca_table_schema *features)
{
    enum { SHOWN = 6 };
    int64_t count = features->name.count, numbers = 0;

    for (int64_t j = 0; j < count; j++) {
        numbers += sdca_table_schema_kind(features, j) == SDCA_FEATURE_NUMBER;
    }
    printf("  columns      %lld numeric, %lld one-hot:", (long long)numbers,
           (long long)(count - numbers));
    for (int64_t j = 0; j < count && j < SHOWN; j++) {
        const char *name = features->name.text[j];

        printf("%s %s", j > 0 ? "," : "", sdca_string_escape(name, strlen(name)).text);
    }
    printf("%s\n", count > SHOWN ? ", ..." : "");
}

/* Is it an array with one number per row? */
static bool is_row_array(sdca_hdf5_file *store, const char *name, int64_t rows)
{
    sdca_array_shape shape;

    return sdca_hdf5_has_array(store, name) &&
           sdca_hdf5_get_shape(store, name, &shape) == SDCA_OK && shape.dimensions == 1 &&
           shape.extent[0] == rows;
}

/* The columns of AnnData's obs that can be labels: numbers or categories. */
static sdca_status show_label_columns(sdca_hdf5_file *store, int64_t rows)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list names  = { 0 };
    int              shown  = 0;

    SDCA_TRY(sdca_hdf5_list_group(store, "obs", &names));
    for (int64_t k = 0; k < names.count; k++) {
        char path[512];
        bool numbers, categories;

        snprintf(path, sizeof path, "obs/%s", names.text[k]);
        numbers = is_row_array(store, path, rows);
        snprintf(path, sizeof path, "obs/%s/codes", names.text[k]);
        categories = is_row_array(store, path, rows);
        snprintf(path, sizeof path, "obs/__categories/%s", names.text[k]);
        categories = categories || (numbers && sdca_hdf5_has_array(store, path));
        if (numbers || categories) {
            sdca_printable_sanitize(names.text[k]);
            printf("%s %s (%s)", shown++ > 0 ? "," : "  for --label ", names.text[k],
                   categories ? "categories" : "numbers");
        }
    }
    printf("%s", shown > 0 ? "\n" : "");

done:
    sdca_string_list_free(&names);
    return status;
}

/* Print one more matrix for --x; obsm may have data frames as well. */
static void show_matrix(sdca_hdf5_file *store, const char *group, char *name, int *shown)
{
    char path[512], offsets[520];

    snprintf(path, sizeof path, "%s/%s", group, name);
    snprintf(offsets, sizeof offsets, "%s/indptr", path);
    if (sdca_hdf5_has_array(store, path) || sdca_hdf5_has_array(store, offsets)) {
        sdca_printable_sanitize(path);
        printf("%s %s", (*shown)++ > 0 ? "," : "  for --x     ", path);
    }
}

/* The matrices of an AnnData file besides X. */
static sdca_status show_matrices(sdca_hdf5_file *store)
{
    static const char *const groups[] = { "layers", "obsm" };
    sdca_status              status   = SDCA_OK;
    sdca_string_list         names    = { 0 };
    char                     x[]      = "X";
    int                      shown    = 0;

    for (int g = 0; g < 2; g++) {
        if (sdca_hdf5_has_group(store, groups[g])) {
            SDCA_TRY(sdca_hdf5_list_group(store, groups[g], &names));
        }
        for (int64_t k = 0; k < names.count; k++) {
            show_matrix(store, groups[g], names.text[k], &shown);
        }
        sdca_string_list_free(&names);
    }
    if (sdca_hdf5_has_group(store, "raw")) {
        show_matrix(store, "raw", x, &shown);
    }
    printf("%s", shown > 0 ? "\n" : "");

done:
    sdca_string_list_free(&names);
    return status;
}

/* Sum and range of the array weight, and what train rejects. */
static sdca_status show_weights(sdca_hdf5_file *store, int64_t rows)
{
    sdca_status      status = SDCA_OK;
    sdca_hdf5_array *array  = NULL;
    double           sum = 0.0, least = INFINITY, greatest = -INFINITY;
    int64_t          zeros = 0, wrong = 0;
    sdca_array_shape shape;
    double           weight[LABEL_CHUNK];

    SDCA_TRY(sdca_hdf5_check_shape(store, "weight", 1, &shape));
    SDCA_TRY(sdca_hdf5_open_array(store, "weight", SDCA_FLOAT64, &array));
    for (int64_t at = 0; at < shape.extent[0]; at += LABEL_CHUNK) {
        int64_t left = shape.extent[0] - at,
                here = left < LABEL_CHUNK ? left : LABEL_CHUNK;

        SDCA_TRY(sdca_hdf5_read_array(array, (sdca_range){ at, here }, weight));
        for (int64_t k = 0; k < here; k++) {
            sum += weight[k];
            least    = fmin(least, weight[k]);
            greatest = fmax(greatest, weight[k]);
            zeros += weight[k] == 0.0;
            wrong += !isfinite(weight[k]) || weight[k] < 0.0;
        }
    }
    printf("  weights      sum %.10g, from %g to %g, 0 in %lld row%s\n", sum, least,
           greatest, (long long)zeros, plural((double)zeros));
    if (shape.extent[0] != rows) {
        printf("  rejected     by train: %lld weight%s for %lld row%s\n",
               (long long)shape.extent[0], plural((double)shape.extent[0]),
               (long long)rows, plural((double)rows));
    }
    if (wrong > 0) {
        printf(
            "  rejected     by train: weight is negative or not finite in %lld row%s\n",
            (long long)wrong, plural((double)wrong));
    }
    if (zeros == shape.extent[0]) {
        printf("  rejected     by train: all weights are 0\n");
    }

done:
    sdca_hdf5_close_array(array);
    return status;
}

/* What train rejects, one line each. */
static sdca_status show_unsupported(sdca_hdf5_file *store, int64_t rows)
{
    sdca_status      status       = SDCA_OK;
    char             encoding[32] = "csr_matrix";
    sdca_array_shape y;

    if (sdca_hdf5_has_group(store, "X") &&
        sdca_hdf5_has_attribute(store, "X", "encoding-type")) {
        SDCA_TRY(sdca_hdf5_read_string_attribute(store, "X", "encoding-type", encoding,
                                                 sizeof encoding));
        sdca_printable_sanitize(encoding);
    }
    if (strcmp(encoding, "csr_matrix") != 0 && strcmp(encoding, "csc_matrix") != 0) {
        printf("  rejected     by train: X is a %s, not a csr_matrix or csc_matrix\n",
               encoding);
    }
    if (sdca_hdf5_has_array(store, "y")) {
        SDCA_TRY(sdca_hdf5_check_shape(store, "y", 1, &y));
        if (y.extent[0] != rows) {
            printf("  rejected     by train: y has %lld label%s for %lld row%s\n",
                   (long long)y.extent[0], plural((double)y.extent[0]), (long long)rows,
                   plural((double)rows));
        }
    }
    status = sdca_hdf5_deferred_error(store);

done:
    return status;
}

sdca_status info_data_print(sdca_hdf5_file *store)
{
    sdca_status       status   = SDCA_OK;
    const char       *path     = sdca_hdf5_path(store);
    sdca_table_schema features = { 0 };
    int64_t           size[2];
    sdca_array_shape  values;

    if (sdca_hdf5_has_array(store, "X")) {
        SDCA_TRY(sdca_hdf5_check_shape(store, "X", 2, &values));
        size[0] = values.extent[0];
        printf("%s: data set, dense\n", path);
        printf("  size         %lld row%s x %lld column%s\n", (long long)values.extent[0],
               plural((double)values.extent[0]), (long long)values.extent[1],
               plural((double)values.extent[1]));
    } else {
        SDCA_TRY(sdca_hdf5_read_attribute(store, "X", "shape", SDCA_INT64, 2, size));
        SDCA_TRY(sdca_hdf5_check_shape(store, "X/data", 1, &values));
        printf("%s: data set, sparse\n", path);
        printf(
            "  size         %lld row%s x %lld column%s, %lld non-zero%s (%.3g per row)\n",
            (long long)size[0], plural((double)size[0]), (long long)size[1],
            plural((double)size[1]), (long long)values.extent[0],
            plural((double)values.extent[0]),
            size[0] > 0 ? (double)values.extent[0] / (double)size[0] : 0.0);
    }
    show_type(values);
    SDCA_TRY(show_normalize(store));
    if (sdca_table_schema_exists(store)) {
        SDCA_TRY(sdca_table_schema_read(store, &features));
        show_features(&features);
    }
    if (sdca_hdf5_has_array(store, "y")) {
        SDCA_TRY(show_labels(store));
    } else {
        SDCA_TRY(sdca_hdf5_deferred_error(store));
        printf("  labels       none\n");
    }
    if (sdca_hdf5_has_group(store, "obs")) {
        SDCA_TRY(show_label_columns(store, size[0]));
        SDCA_TRY(show_matrices(store));
    }
    if (sdca_hdf5_has_array(store, "weight")) {
        SDCA_TRY(show_weights(store, size[0]));
    }
    SDCA_TRY(show_unsupported(store, size[0]));

done:
    sdca_table_schema_free(&features);
    return status;
}
