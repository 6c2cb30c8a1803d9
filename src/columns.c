/* SPDX-License-Identifier: BSD-3-Clause
 *
 * columns.c - records of numbers, of which a file has one array per field. */
#include "sdca/columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

enum { NAME = 64 };

static void name_array(const sdca_columns *columns, int column, char name[NAME])
{
    snprintf(name, NAME, "%s/%s", columns->group, columns->name[column]);
}

int sdca_columns_find(const sdca_columns *columns, const char *name, size_t length)
{
    for (int c = 0; c < columns->count; c++) {
        if (strlen(columns->name[c]) == length &&
            memcmp(columns->name[c], name, length) == 0) {
            return c;
        }
    }
    return -1;
}

int sdca_columns_used(const sdca_columns *columns, const double *record, int64_t count)
{
    for (int64_t k = 1; k <= count; k++) {
        if (!isnan(record[k * columns->count - 1])) {
            return columns->count;
        }
    }
    return columns->count - 1;
}

sdca_status sdca_columns_write(const sdca_columns *columns, const double *record,
                               int64_t count, sdca_store *store)
{
    sdca_status status = SDCA_OK;
    double     *values = sdca_memory_allocate((size_t)count, sizeof *values);

    if (values == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to write %lld records",
                         (long long)count);
    }
    SDCA_TRY(sdca_store_group(store, columns->group));
    for (int c = 0; c < sdca_columns_used(columns, record, count); c++) {
        char name[NAME];

        name_array(columns, c, name);
        for (int64_t k = 0; k < count; k++) {
            values[k] = record[k * columns->count + c];
        }
        SDCA_TRY(sdca_store_write(store, name, SDCA_FLOAT64, count, values));
    }

done:
    free(values);
    return status;
}

/* One column of count records; values has room for it. */
static sdca_status read_column(const sdca_columns *columns, int column, sdca_store *store,
                               double *values, double *record, int64_t count)
{
    sdca_status status = SDCA_OK;
    bool        there;
    char        name[NAME];

    name_array(columns, column, name);
    there = column < columns->count - 1 || sdca_store_has_array(store, name);
    if (there) {
        SDCA_TRY(
            sdca_store_read(store, name, (sdca_range){ 0, count }, SDCA_FLOAT64, values));
    }
    for (int64_t k = 0; k < count; k++) {
        record[k * columns->count + column] = there ? values[k] : NAN;
    }

done:
    return status;
}

sdca_status sdca_columns_read(const sdca_columns *columns, sdca_store *store,
                              double **record, int64_t *count)
{
    sdca_status status = SDCA_OK;
    double     *values = NULL, *out = NULL;
    sdca_shape  shape;
    char        name[NAME];
    size_t      room;

    name_array(columns, 0, name);
    SDCA_TRY(sdca_store_shape(store, name, &shape));
    room   = (size_t)shape.extent[0];
    values = sdca_memory_allocate(room, sizeof *values);
    out    = sdca_memory_allocate(room, (size_t)columns->count * sizeof *out);
    if (values == NULL || out == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to read %lld records",
                           (long long)shape.extent[0]);
        goto done;
    }
    for (int c = 0; c < columns->count; c++) {
        SDCA_TRY(read_column(columns, c, store, values, out, shape.extent[0]));
    }
    *count  = shape.extent[0];
    *record = out;
    out     = NULL; /* now the caller's */

done:
    free(values);
    free(out);
    return status;
}
