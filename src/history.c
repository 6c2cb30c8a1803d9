/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.c - what each evaluation of a run has found, and how its rounds went. */
#include "sdca/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sdca/memory.h"
#include "sdca/output.h"

#define NAME(field) #field,
static const char *const names[] = { SDCA_RECORD_LIST(NAME) };
#undef NAME

_Static_assert(sizeof(sdca_record) == SDCA_RECORD_FIELDS * sizeof(double),
               "doubles alone");

const sdca_record_schema sdca_record_columns = { "history", SDCA_RECORD_FIELDS, names };

/* The records as columns.h has them. */
static const double *numbers_of(const sdca_history *history)
{
    return (const double *)history->record;
}

static sdca_status grow(sdca_history *history, int64_t room)
{
    sdca_record *record =
        sdca_alloc_resize(history->record, (size_t)room, sizeof *record);

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
    sdca_rounds_free(&history->rounds);
    *history = (sdca_history){ 0 };
}

sdca_status sdca_history_write_csv(const sdca_history *history, const char *path)
{
    const double *number = numbers_of(history);
    int   used = sdca_record_schema_used(&sdca_record_columns, number, history->count);
    FILE *file = NULL;
    sdca_status status = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    for (int c = 0; c < used; c++) {
        fprintf(file, "%s%s", c > 0 ? "," : "", names[c]);
    }
    fputc('\n', file);
    for (int64_t k = 0; k < history->count; k++) {
        for (int c = 0; c < used; c++) {
            double value = number[k * SDCA_RECORD_FIELDS + c];

            fputs(c > 0 ? "," : "", file);
            if (isfinite(value)) {
                fprintf(file, "%.17g", value);
            }
        }
        fputc('\n', file);
    }
    return sdca_atomic_file_commit(file, path);
}

sdca_status sdca_history_write(const sdca_history *history, sdca_hdf5_file *store)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_write_records(&sdca_record_columns, numbers_of(history),
                                     history->count, store));
    SDCA_TRY(sdca_rounds_write(&history->rounds, store));

done:
    return status;
}

sdca_status sdca_history_read(sdca_hdf5_file *store, sdca_history *out)
{
    sdca_status  status  = SDCA_OK;
    sdca_history history = { 0 };
    double      *number  = NULL;

    SDCA_TRY(
        sdca_hdf5_read_records(&sdca_record_columns, store, &number, &history.count));
    history.room   = history.count;
    history.record = (sdca_record *)number;
    SDCA_TRY(sdca_rounds_read(store, &history.rounds));
    *out    = history;
    history = (sdca_history){ 0 }; /* now the caller's */

done:
    sdca_history_free(&history);
    return status;
}
