/* SPDX-License-Identifier: BSD-3-Clause
 *
 * obs_column.c - a column of AnnData's obs: numbers, categories or text. */
#include "data/obs_column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { PATH_SIZE = 512, WINDOW = 2048 };

static sdca_status no_memory(const char *name)
{
    return SDCA_FAIL(SDCA_MEMORY, "no memory for the column '%s'", name);
}

/* Numbers as text. */
static sdca_status format_numbers(sdca_hdf5_file *h5, const char *path, const char *name,
                                  sdca_string_list *out)
{
    sdca_status      status = SDCA_OK;
    double          *number = NULL;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_check_shape(h5, path, 1, &shape));
    number = sdca_alloc_array((size_t)shape.extent[0], sizeof *number);
    if (number == NULL) {
        status = no_memory(name);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(h5, path, (sdca_range){ 0, shape.extent[0] },
                                  SDCA_FLOAT64, number));
    for (int64_t k = 0; k < shape.extent[0]; k++) {
        char text[32];

        snprintf(text, sizeof text, "%.15g", number[k]);
        SDCA_TRY(sdca_string_list_append(out, text, strlen(text)));
    }

done:
    free(number);
    return status;
}

/* The different values of a column of text in byte order, and the index of each row. */
static sdca_status read_text(sdca_hdf5_file *h5, const char *path, const char *name,
                             int64_t rows, sdca_obs_column *out)
{
    sdca_status      status = SDCA_OK;
    sdca_string_list text   = { 0 };
    int64_t          at     = 0;

    SDCA_TRY(sdca_hdf5_read_strings(h5, path, &text));
    if (text.count != rows) {
        status =
            SDCA_FAIL(SDCA_DATA, "the column '%s' of '%s' has %lld values for %lld rows",
                      name, sdca_hdf5_path(h5), (long long)text.count, (long long)rows);
        goto done;
    }
    out->code = sdca_alloc_array((size_t)rows, sizeof *out->code);
    if (out->code == NULL) {
        status = no_memory(name);
        goto done;
    }
    for (int64_t k = 0; k < rows; k++) {
        size_t length = strlen(text.text[k]);

        if (!sdca_string_list_find(&out->categories, text.text[k], length, &at)) {
            SDCA_TRY(sdca_string_list_insert(&out->categories, at, text.text[k], length));
        }
    }
    for (int64_t k = 0; k < rows; k++) {
        sdca_string_list_find(&out->categories, text.text[k], strlen(text.text[k]), &at);
        out->code[k] = (double)at;
    }
    out->categorical = true;

done:
    sdca_string_list_free(&text);
    return status;
}

/* Open an array of the column, which has one number per row. */
static sdca_status open_array(sdca_hdf5_file *h5, const char *path, const char *name,
                              int64_t rows, sdca_hdf5_array **out)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;

    SDCA_TRY(sdca_hdf5_check_shape(h5, path, 1, &shape));
    if (shape.extent[0] != rows) {
        return SDCA_FAIL(SDCA_DATA,
                         "the column '%s' of '%s' has %lld values for %lld rows", name,
                         sdca_hdf5_path(h5), (long long)shape.extent[0], (long long)rows);
    }
    SDCA_TRY(sdca_hdf5_open_array(h5, path, SDCA_FLOAT64, out));

done:
    return status;
}

static sdca_status open_categories(sdca_hdf5_file *h5, const char *codes,
                                   const char *categories, const char *name, int64_t rows,
                                   sdca_obs_column *out)
{
    sdca_status status = SDCA_OK;

    out->categorical = true;
    SDCA_TRY(sdca_hdf5_has_strings(h5, categories)
                 ? sdca_hdf5_read_strings(h5, categories, &out->categories)
                 : format_numbers(h5, categories, name, &out->categories));
    SDCA_TRY(open_array(h5, codes, name, rows, &out->array));

done:
    return status;
}

sdca_status sdca_obs_column_open(sdca_hdf5_file *h5, const char *frame, const char *name,
                                 int64_t rows, sdca_obs_column *out)
{
    sdca_status status = SDCA_OK;
    char        path[PATH_SIZE], other[PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", frame, name);
    snprintf(other, sizeof other, "%s/__categories/%s", frame, name);
    if (sdca_hdf5_has_array(h5, path)) {
        if (sdca_hdf5_has_strings(h5, path)) {
            return read_text(h5, path, name, rows, out);
        }
        return sdca_hdf5_has_array(h5, other)
                   ? open_categories(h5, path, other, name, rows, out)
                   : open_array(h5, path, name, rows, &out->array);
    }
    snprintf(path, sizeof path, "%s/%s/codes", frame, name);
    snprintf(other, sizeof other, "%s/%s/categories", frame, name);
    if (sdca_hdf5_has_array(h5, path) && sdca_hdf5_has_array(h5, other)) {
        return open_categories(h5, path, other, name, rows, out);
    }
    snprintf(path, sizeof path, "%s/%s/values", frame, name);
    snprintf(other, sizeof other, "%s/%s/mask", frame, name);
    if (!sdca_hdf5_has_array(h5, path) || !sdca_hdf5_has_array(h5, other)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no column '%s' in %s", sdca_hdf5_path(h5),
                         name, frame);
    }
    SDCA_TRY(open_array(h5, path, name, rows, &out->array));
    SDCA_TRY(open_array(h5, other, name, rows, &out->mask));

done:
    return status;
}

void sdca_obs_column_close(sdca_obs_column *column)
{
    sdca_hdf5_close_array(column->array);
    sdca_hdf5_close_array(column->mask);
    sdca_string_list_free(&column->categories);
    free(column->code);
    *column = (sdca_obs_column){ 0 };
}

/* Values of a window that the mask marks are missing. */
static sdca_status apply_mask(sdca_hdf5_array *mask, sdca_range rows, double *x)
{
    sdca_status status = SDCA_OK;
    double      masked[WINDOW];

    for (int64_t at = 0; at < rows.count; at += WINDOW) {
        int64_t count = rows.count - at < WINDOW ? rows.count - at : WINDOW;

        SDCA_TRY(
            sdca_hdf5_read_array(mask, (sdca_range){ rows.first + at, count }, masked));
        for (int64_t k = 0; k < count; k++) {
            x[at + k] = masked[k] != 0.0 ? NAN : x[at + k];
        }
    }

done:
    return status;
}

sdca_status sdca_obs_column_read(const sdca_obs_column *column, sdca_range rows,
                                 double *x)
{
    sdca_status status = SDCA_OK;

    if (column->code != NULL) {
        memcpy(x, column->code + rows.first, (size_t)rows.count * sizeof *x);
        return SDCA_OK;
    }
    SDCA_TRY(sdca_hdf5_read_array(column->array, rows, x));
    for (int64_t k = 0; column->categorical && k < rows.count; k++) {
        x[k] = x[k] == -1.0 ? NAN : x[k];
    }
    SDCA_TRY(column->mask != NULL ? apply_mask(column->mask, rows, x) : SDCA_OK);

done:
    return status;
}
