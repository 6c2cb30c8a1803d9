/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dataset_view.c - a data set of several classes, seen as one class against the rest. */
#include "data/dataset_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

sdca_status sdca_dataset_view_create(const sdca_dataset *data, sdca_dataset **out)
{
    size_t        rows = (size_t)data->x.count + 1;
    sdca_dataset *view = malloc(sizeof *view);
    sdca_row     *row  = sdca_alloc_array(rows, sizeof *row);

    if (view == NULL || row == NULL) {
        free(view);
        free(row);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the labels of %lu rows",
                         (unsigned long)data->x.count);
    }
    memcpy(row, data->x.row, rows * sizeof *row);
    *view       = *data;
    view->x.row = row;
    *out        = view;
    return SDCA_OK;
}

void sdca_dataset_view_free(sdca_dataset *view)
{
    if (view != NULL) {
        free(view->x.row);
        free(view);
    }
}

void sdca_dataset_view_select(const sdca_dataset *data, int k, sdca_dataset *view)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        view->x.row[i].y = data->x.row[i].y == (double)k ? 1.0 : -1.0;
    }
}
