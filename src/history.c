/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.c - what each evaluation of a run has found. */
#include "sdca/history.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "sdca/output.h"

static const struct {
    const char *name;
    size_t      offset;
} columns[SDCA_RECORD_FIELDS] = {
#define COLUMN(field) { #field, offsetof(sdca_record, field) },
    SDCA_RECORD_LIST(COLUMN)
#undef COLUMN
};

const char *sdca_record_name(int column)
{
    return columns[column].name;
}

double *sdca_record_field(sdca_record *record, int column)
{
    return (double *)((char *)record + columns[column].offset);
}

static double *field(const sdca_history *history, int64_t k, int column)
{
    return sdca_record_field(&history->record[k], column);
}

/* How many columns have values: the last may have none. */
static int columns_used(const sdca_history *history)
{
    int used = SDCA_RECORD_FIELDS - 1;

    for (int64_t k = 0; k < history->count; k++) {
        used =
            isnan(*field(history, k, SDCA_RECORD_FIELDS - 1)) ? used : SDCA_RECORD_FIELDS;
    }
    return used;
}

static sdca_status grow(sdca_history *history, int64_t room)
{
    sdca_record *record = realloc(history->record, (size_t)room * sizeof *record);

    if (record == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a history of %lld rows",
                         (long long)room);
    }
    history->record = record;
    history->room   = room;
    return SDCA_OK;
}

sdca_status sdca_history_add(sdca_history *history, const sdca_record *record)
{
    sdca_status status = SDCA_OK;

    if (history->count == history->room) {
        status = grow(history, history->room * 2 + 64);
    }
    if (status == SDCA_OK) {
        history->record[history->count++] = *record;
    }
    return status;
}

void sdca_history_free(sdca_history *history)
{
    free(history->record);
    *history = (sdca_history){ 0 };
}

sdca_status sdca_history_write_csv(const sdca_history *history, const char *path)
{
    FILE       *file   = NULL;
    int         used   = columns_used(history);
    sdca_status status = sdca_output_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    for (int c = 0; c < used; c++) {
        fprintf(file, "%s%s", c > 0 ? "," : "", columns[c].name);
    }
    fputc('\n', file);
    for (int64_t k = 0; k < history->count; k++) {
        for (int c = 0; c < used; c++) {
            double value = *field(history, k, c);

            fputs(c > 0 ? "," : "", file);
            if (isfinite(value)) {
                fprintf(file, "%.17g", value);
            }
        }
        fputc('\n', file);
    }
    return sdca_output_close(file, path);
}

/* One column, between the records and an array called history/NAME. */
static sdca_status write_column(const sdca_history *history, sdca_store *store,
                                int column, double *values, const char *name)
{
    for (int64_t k = 0; k < history->count; k++) {
        values[k] = *field(history, k, column);
    }
    return sdca_store_write(store, name, SDCA_FLOAT64, history->count, values);
}

static sdca_status read_column(sdca_history *history, sdca_store *store, int column,
                               double *values, const char *name)
{
    sdca_range all = { 0, history->count };
    bool there     = column < SDCA_RECORD_FIELDS - 1 || sdca_store_has_array(store, name);
    sdca_status status =
        there ? sdca_store_read(store, name, all, SDCA_FLOAT64, values) : SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < history->count; k++) {
        *field(history, k, column) = there ? values[k] : NAN;
    }
    return status;
}

sdca_status sdca_history_write(const sdca_history *history, sdca_store *store)
{
    sdca_status status = sdca_store_group(store, "history");
    double     *values = malloc(((size_t)history->count + 1) * sizeof *values);

    if (values == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to write the history");
    }
    for (int c = 0; status == SDCA_OK && c < columns_used(history); c++) {
        char name[64];

        snprintf(name, sizeof name, "history/%s", columns[c].name);
        status = write_column(history, store, c, values, name);
    }
    free(values);
    return status;
}

sdca_status sdca_history_read(sdca_store *store, sdca_history *out)
{
    sdca_status  status  = SDCA_OK;
    sdca_history history = { 0 };
    double      *values  = NULL;
    sdca_shape   shape;

    SDCA_TRY(sdca_store_shape(store, "history/round", &shape));
    SDCA_TRY(grow(&history, shape.extent[0] + 1));
    history.count = shape.extent[0];
    values        = malloc(((size_t)history.count + 1) * sizeof *values);
    if (values == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to read the history");
        goto done;
    }
    for (int c = 0; c < SDCA_RECORD_FIELDS; c++) {
        char name[64];

        snprintf(name, sizeof name, "history/%s", columns[c].name);
        SDCA_TRY(read_column(&history, store, c, values, name));
    }
    *out    = history;
    history = (sdca_history){ 0 }; /* now the caller's */

done:
    free(values);
    sdca_history_free(&history);
    return status;
}
