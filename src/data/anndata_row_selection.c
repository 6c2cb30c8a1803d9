/* SPDX-License-Identifier: BSD-3-Clause
 *
 * anndata_row_selection.c - which rows of an AnnData file are used. */
#include "data/anndata_row_selection.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/parse_number.h"
#include "data/obs_column.h"

enum { WINDOW = 2048, NAME_SIZE = 256 };

/* COLUMN=VALUE,... or COLUMN!=VALUE,... */
typedef struct condition {
    char        column[NAME_SIZE];
    bool        unequal;
    const char *values;
} condition;

static sdca_status parse_condition(const char *text, condition *out)
{
    const char *equals = strchr(text, '=');
    size_t      length = equals != NULL ? (size_t)(equals - text) : 0;

    out->unequal = length > 0 && text[length - 1] == '!';
    length -= out->unequal;
    if (length == 0 || length >= NAME_SIZE || equals[1] == '\0') {
        return SDCA_FAIL(SDCA_USAGE,
                         "--where is COLUMN=VALUE,... or COLUMN!=VALUE,..., not '%s'",
                         text);
    }
    memcpy(out->column, text, length);
    out->column[length] = '\0';
    out->values         = equals + 1;
    return SDCA_OK;
}

static bool same_text(const char *a, const char *text, size_t length)
{
    return strlen(a) == length && memcmp(a, text, length) == 0;
}

/* Whether two texts are the same, or the same number. */
static bool same_value(const char *a, const char *text, size_t length)
{
    size_t size = strlen(a);
    double x = 0.0, y = 0.0;

    return same_text(a, text, length) ||
           (size > 0 && length > 0 && sdca_parse_double(a, a + size, &x) == a + size &&
            sdca_parse_double(text, text + length, &y) == text + length && x == y);
}

/* The number of a value of the condition: that of a category, or itself; True and False
 * are 1 and 0. 1 means the category 01 only if there is none that is written 1. */
static sdca_status find_value(const sdca_obs_column *column, const condition *c,
                              const char *path, const char *text, size_t length,
                              double *out)
{
    for (int64_t k = 0; k < column->categories.count; k++) {
        if (same_text(column->categories.text[k], text, length)) {
            *out = (double)k;
            return SDCA_OK;
        }
    }
    for (int64_t k = 0; k < column->categories.count; k++) {
        if (same_value(column->categories.text[k], text, length)) {
            *out = (double)k;
            return SDCA_OK;
        }
    }
    if (!column->categorical &&
        (same_value("True", text, length) || same_value("False", text, length))) {
        *out = text[0] == 'T';
        return SDCA_OK;
    }
    if (column->categorical || length == 0 ||
        sdca_parse_double(text, text + length, out) != text + length) {
        return SDCA_FAIL(SDCA_DATA,
                         "obs/%s in '%s' does not have the value '%s' of --where",
                         c->column, path, sdca_string_escape(text, length).text);
    }
    return SDCA_OK;
}

/* Clear the marks of rows of a window that the condition does not choose. */
static void apply_values(const condition *c, const double *x, int64_t count,
                         const double *value, int64_t values, char *keep)
{
    for (int64_t k = 0; k < count; k++) {
        bool equal = false;

        for (int64_t j = 0; j < values; j++) {
            equal = equal || x[k] == value[j];
        }
        keep[k] = (char)(keep[k] && equal != c->unequal);
    }
}

static sdca_status apply_condition(sdca_hdf5_file *h5, const char *text, int64_t rows,
                                   char *keep)
{
    sdca_status     status = SDCA_OK;
    condition       c      = { .unequal = false };
    sdca_obs_column column = { 0 };
    double         *value  = NULL, x[WINDOW];
    int64_t         values = 0;

    SDCA_TRY(parse_condition(text, &c));
    SDCA_TRY(sdca_obs_column_open(h5, "obs", c.column, rows, &column));
    value = sdca_alloc_array(strlen(c.values), sizeof *value);
    if (value == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the values of --where");
        goto done;
    }
    for (const char *list = c.values; list != NULL;) {
        size_t length = strcspn(list, ",");

        SDCA_TRY(
            find_value(&column, &c, sdca_hdf5_path(h5), list, length, &value[values++]));
        list = list[length] == ',' ? list + length + 1 : NULL;
    }
    for (int64_t at = 0; at < rows; at += WINDOW) {
        int64_t count = rows - at < WINDOW ? rows - at : WINDOW;

        SDCA_TRY(sdca_obs_column_read(&column, (sdca_range){ at, count }, x));
        apply_values(&c, x, count, value, values, keep + at);
    }

done:
    free(value);
    sdca_obs_column_close(&column);
    return status;
}

/* Count the rows without a label, and leave them out if options say so. */
static sdca_status find_unlabelled(sdca_hdf5_file *h5, const sdca_file_layout *layout,
                                   const sdca_dataset_options *options, char *keep,
                                   sdca_anndata_row_selection *out)
{
    sdca_status     status = SDCA_OK;
    sdca_obs_column column = { 0 };
    double          x[WINDOW];
    int64_t         rows = layout->matrix.rows;

    SDCA_TRY(sdca_obs_column_open(h5, "obs", options->label_column, rows, &column));
    for (int64_t at = 0; at < rows; at += WINDOW) {
        int64_t count = rows - at < WINDOW ? rows - at : WINDOW;

        SDCA_TRY(sdca_obs_column_read(&column, (sdca_range){ at, count }, x));
        for (int64_t k = 0; k < count; k++) {
            if (keep[at + k] && isnan(x[k])) {
                out->unlabelled++;
                keep[at + k] = options->unlabelled_rows == SDCA_UNLABELLED_KEEP;
            }
        }
    }

done:
    sdca_obs_column_close(&column);
    return status;
}

/* The numbers of the rows that are marked. */
static sdca_status list_rows(const char *path, int64_t rows, const char *keep,
                             sdca_anndata_row_selection *out)
{
    int64_t at = 0;

    for (int64_t k = 0; k < rows; k++) {
        out->count += keep[k] != 0;
    }
    if (out->count == 0) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has no rows with a label that --where chooses",
                         path);
    }
    if (out->count == rows) {
        return SDCA_OK;
    }
    out->row = sdca_alloc_array((size_t)out->count, sizeof *out->row);
    if (out->row == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to choose among %lld rows",
                         (long long)rows);
    }
    for (int64_t k = 0; k < rows; k++) {
        if (keep[k]) {
            out->row[at++] = k;
        }
    }
    return SDCA_OK;
}

sdca_status sdca_anndata_row_selection_read(sdca_hdf5_file             *h5,
                                            const sdca_file_layout     *layout,
                                            const sdca_dataset_options *options,
                                            sdca_anndata_row_selection *out)
{
    sdca_status status = SDCA_OK;
    int64_t     rows   = layout->matrix.rows;
    bool        labels = layout->has_labels && options->label_column != NULL &&
                  options->unlabelled_rows != SDCA_UNLABELLED_FAIL;
    char *keep = NULL;

    out->count = 0;
    if (options->cells.where == NULL && !labels) {
        out->count = rows;
        return SDCA_OK;
    }
    keep = sdca_alloc_array((size_t)rows, 1);
    if (keep == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to choose among %lld rows",
                         (long long)rows);
    }
    memset(keep, 1, (size_t)rows);
    if (options->cells.where != NULL) {
        SDCA_TRY(apply_condition(h5, options->cells.where, rows, keep));
    }
    if (labels) {
        SDCA_TRY(find_unlabelled(h5, layout, options, keep, out));
    }
    SDCA_TRY(list_rows(sdca_hdf5_path(h5), rows, keep, out));

done:
    free(keep);
    return status;
}

void sdca_anndata_row_selection_free(sdca_anndata_row_selection *selection)
{
    free(selection->row);
    *selection = (sdca_anndata_row_selection){ 0 };
}
