/* SPDX-License-Identifier: BSD-3-Clause
 *
 * targets.c - the labels of a file as people gave them, some rows at a time. */
#include "targets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

/* What categories are: words, which labels then are numbers of, or numbers, which are
 * the labels. */
static sdca_status read_categories(sdca_targets *t, const char *name,
                                   sdca_string_list *words)
{
    sdca_status      status = SDCA_OK;
    sdca_array_shape shape;

    if (sdca_hdf5_has_strings(t->store, name)) {
        SDCA_TRY(sdca_hdf5_read_strings(t->store, name, words));
        t->categories = words->count;
        goto done;
    }
    SDCA_TRY(sdca_hdf5_check_shape(t->store, name, 1, &shape));
    t->categories = shape.extent[0];
    t->numbers    = sdca_alloc_array((size_t)shape.extent[0], sizeof *t->numbers);
    if (t->numbers == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %s", name);
        goto done;
    }
    SDCA_TRY(sdca_hdf5_read_range(t->store, name, (sdca_range){ 0, shape.extent[0] },
                                  SDCA_FLOAT64, t->numbers));

done:
    return status;
}

/* -1 and +1 in y may stand for other labels. */
static sdca_status read_signs(sdca_targets *t)
{
    int64_t     count  = 0;
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_attribute_length(t->store, "y", "labels", &count));
    count = count < 2 ? 1 : 2;
    SDCA_TRY(
        sdca_hdf5_read_attribute(t->store, "y", "labels", SDCA_FLOAT64, count, t->sign));
    t->sign[1] = t->sign[count - 1];
    t->signs   = true;

done:
    return status;
}

sdca_status sdca_targets_open(sdca_hdf5_file *store, const sdca_outline *file,
                              sdca_string_list *words, sdca_targets **out)
{
    sdca_status   status   = SDCA_OK;
    bool          ours     = strcmp(file->label, "y") == 0;
    const char   *category = file->category;
    sdca_targets *t        = calloc(1, sizeof *t);

    if (t == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of '%s'",
                           sdca_hdf5_path(store));
        goto done;
    }
    t->store = store;
    t->rows  = file->rows;
    SDCA_TRY(sdca_hdf5_open_array(store, file->label, SDCA_FLOAT64, &t->array));
    if (ours && sdca_hdf5_has_attribute(store, "y", "labels")) {
        SDCA_TRY(read_signs(t));
    }
    if (ours && sdca_hdf5_has_strings(store, "label_names")) {
        category = "label_names";
        t->named = true;
    }
    t->category = category[0] != '\0';
    if (t->category) {
        SDCA_TRY(read_categories(t, category, words));
    }
    *out = t;
    t    = NULL; /* now the caller's */

done:
    sdca_targets_close(t);
    return status;
}

void sdca_targets_close(sdca_targets *t)
{
    if (t != NULL) {
        sdca_hdf5_close_array(t->array);
        free(t->numbers);
        free(t);
    }
}

/* What the file has, -1 or +1, is one of two labels. */
static sdca_status take_sign(const sdca_targets *t, int64_t row, double *y)
{
    if (*y != -1.0 && *y != 1.0) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where the attribute labels says that "
                         "it is -1 or +1",
                         sdca_hdf5_path(t->store), (long long)row, *y);
    }
    *y = t->sign[*y > 0.0];
    return SDCA_OK;
}

/* From what the file has to what it stands for. Categories count from 0; -1 is none. */
static sdca_status take_category(const sdca_targets *t, int64_t row, double *y)
{
    bool known = *y >= 0.0 && *y < (double)t->categories && *y == floor(*y);

    if (!known && t->named) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s', row %lld: y is %g, where label_names has names for 0 to "
                         "%lld",
                         sdca_hdf5_path(t->store), (long long)row, *y,
                         (long long)t->categories - 1);
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
                         (long long)t->categories - 1);
    }
    *y = t->numbers != NULL ? t->numbers[(int64_t)*y] : *y;
    return SDCA_OK;
}

/* As many rows as there is room for, from first on. */
static sdca_status fill_window(sdca_targets *t, int64_t first)
{
    int64_t     left   = t->rows - first;
    sdca_status status = SDCA_OK;

    t->window.first = first;
    t->window.count = left < SDCA_PIECE_ROWS ? left : SDCA_PIECE_ROWS;
    SDCA_TRY(sdca_hdf5_read_array(t->array, t->window, t->label));
    for (int64_t k = 0; t->signs && k < t->window.count; k++) {
        SDCA_TRY(take_sign(t, first + k, &t->label[k]));
    }
    for (int64_t k = 0; t->category && k < t->window.count; k++) {
        SDCA_TRY(take_category(t, first + k, &t->label[k]));
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

sdca_status sdca_targets_read(sdca_targets *t, sdca_range rows, const double **out)
{
    sdca_status status = SDCA_OK;

    if (rows.first < t->window.first ||
        rows.first + rows.count > t->window.first + t->window.count) {
        status = fill_window(t, rows.first);
    }
    *out = t->label + (rows.first - t->window.first);
    return status;
}
