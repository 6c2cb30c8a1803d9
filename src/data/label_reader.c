/* SPDX-License-Identifier: BSD-3-Clause
 *
 * label_reader.c - the labels of a file as people gave them, some rows at a time. */
#include "data/label_reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What categories are: words, which labels then are numbers of, or numbers, which are
 * the labels. */
static sdca_status read_categories(sdca_label_reader *t, const char *name,
                                   sdca_string_list *class_names)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;

    if (sdca_hdf5_has_strings(t->store, name)) {
        SDCA_TRY(sdca_hdf5_read_strings(t->store, name, class_names));
        t->category_count = class_names->count;
        goto done;
    }
    SDCA_TRY(sdca_hdf5_check_shape(t->store, name, 1, &shape));
    t->category_count = shape.extent[0];
    t->category_value =
        sdca_alloc_array((size_t)shape.extent[0], sizeof *t->category_value);
    if (t->category_value == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s", name);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(t->store, name, (sdca_range){ 0, shape.extent[0] },
                                  SDCA_FLOAT64, t->category_value));

done:
    return status;
}

/* -1 and +1 in y may stand for other labels. */
static sdca_status read_binary_labels(sdca_label_reader *t)
{
    int64_t     count  = 0;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_attribute_length(t->store, "y", "labels", &count));
    count = count < 2 ? 1 : 2;
    SDCA_TRY(sdca_hdf5_read_attribute(t->store, "y", "labels", SDCA_FLOAT64, count,
                                      t->binary_label));
    t->binary_label[1] = t->binary_label[count - 1];
    t->binary          = true;

done:
    return status;
}

sdca_status sdca_label_reader_open(sdca_hdf5_file *store, const sdca_file_schema *schema,
                                   sdca_string_list *class_names, sdca_label_reader **out)
{
    sdca_status        status        = SDCA_OK;
    bool               is_y          = strcmp(schema->label_path, "y") == 0;
    const char        *category_path = schema->category_path;
    sdca_label_reader *t             = calloc(1, sizeof *t);

    if (t == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'",
                           sdca_hdf5_path(store));
        goto done;
    }
    t->store = store;
    t->rows  = schema->rows;
    SDCA_TRY(sdca_hdf5_open_array(store, schema->label_path, SDCA_FLOAT64, &t->array));
    if (is_y && sdca_hdf5_has_attribute(store, "y", "labels")) {
        SDCA_TRY(read_binary_labels(t));
    }
    if (is_y && sdca_hdf5_has_strings(store, "label_names")) {
        category_path      = "label_names";
        t->has_class_names = true;
    }
    t->categorical = category_path[0] != '\0';
    if (t->categorical) {
        SDCA_TRY(read_categories(t, category_path, class_names));
    }
    *out = t;
    t    = NULL; /* now the caller's */

done:
    sdca_label_reader_close(t);
    return status;
}

void sdca_label_reader_close(sdca_label_reader *t)
{
    if (t != NULL) {
        sdca_hdf5_close_array(t->array);
        free(t->category_value);
        free(t);
    }
}

/* What the file has, -1 or +1, is one of two labels. */
static sdca_status decode_binary(const sdca_label_reader *t, int64_t row, double *y)
{
    if (*y != -1.0 && *y != 1.0) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where the attribute labels says that "
                         "it is -1 or +1",
                         sdca_hdf5_path(t->store), (long long)row, *y);
    }
    *y = t->binary_label[*y > 0.0];
    return SDCA_OK;
}

/* From what the file has to what it stands for. Categories count from 0; -1 is none. */
static sdca_status decode_category(const sdca_label_reader *t, int64_t row, double *y)
{
    bool known = *y >= 0.0 && *y < (double)t->category_count && *y == floor(*y);

    if (!known && t->has_class_names) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where label_names has names for 0 to "
                         "%lld",
                         sdca_hdf5_path(t->store), (long long)row, *y,
                         (long long)t->category_count - 1);
    }
    if (*y == -1.0) {
        return SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is missing",
                         sdca_hdf5_path(t->store), (long long)row);
    }
    if (!known) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: the code of the label is %g, where there are "
                         "categories from 0 to %lld",
                         sdca_hdf5_path(t->store), (long long)row, *y,
                         (long long)t->category_count - 1);
    }
    *y = t->category_value != NULL ? t->category_value[(int64_t)*y] : *y;
    return SDCA_OK;
}

/* As many rows as there is room for, from first on. */
static sdca_status read_window(sdca_label_reader *t, int64_t first)
{
    int64_t     remaining = t->rows - first;
    sdca_status status    = SDCA_OK;

    t->window.first = first;
    t->window.count = remaining < SDCA_CHUNK_ROWS ? remaining : SDCA_CHUNK_ROWS;
    SDCA_TRY(sdca_hdf5_read_array(t->array, t->window, t->label));
    for (int64_t k = 0; t->binary && k < t->window.count; k++) {
        SDCA_TRY(decode_binary(t, first + k, &t->label[k]));
    }
    for (int64_t k = 0; t->categorical && k < t->window.count; k++) {
        SDCA_TRY(decode_category(t, first + k, &t->label[k]));
    }
    for (int64_t k = 0; k < t->window.count; k++) {
        if (!isfinite(t->label[k])) {
            status =
                SDCA_FAIL(SDCA_DATA, "'%s', row %lld: the label is not a finite number",
                          sdca_hdf5_path(t->store), (long long)(first + k));
            goto done;
        }
    }

done:
    return status;
}

sdca_status sdca_label_reader_read(sdca_label_reader *t, sdca_range rows,
                                   const double **out)
{
    sdca_status status = SDCA_OK;

    if (rows.first < t->window.first ||
        rows.first + rows.count > t->window.first + t->window.count) {
        status = read_window(t, rows.first);
    }
    *out = t->label + (rows.first - t->window.first);
    return status;
}
