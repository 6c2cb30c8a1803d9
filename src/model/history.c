/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.c - the evaluations and rounds of a run: appending, and files. */
#include "model/history.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "io/atomic_file.h"

#define FIELD_NAME(field) #field,
static const char *const field_names[] = { SDCA_HISTORY_FIELD_LIST(FIELD_NAME) };
#undef FIELD_NAME

_Static_assert(sizeof(sdca_history_record) == SDCA_HISTORY_FIELD_COUNT * sizeof(double),
               "a record has doubles only");

const sdca_record_schema sdca_history_schema = { "history", SDCA_HISTORY_FIELD_COUNT,
                                                 field_names };

/* The records as hdf5_records.h has them. */
static const double *as_doubles(const sdca_history *history)
{
    return (const double *)history->records;
}

static sdca_status reserve(sdca_history *history, int64_t capacity)
{
    sdca_history_record *record =
        sdca_alloc_resize(history->records, (size_t)capacity, sizeof *record);

    if (record == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a history of %lld rows",
                         (long long)capacity);
    }
    history->records  = record;
    history->capacity = capacity;
    return SDCA_OK;
}

sdca_status sdca_history_append(sdca_history *history, const sdca_history_record *record)
{
    sdca_status status = SDCA_OK;

    if (history->count == history->capacity) {
        status = reserve(history, history->capacity * 2 + 64);
    }
    if (status == SDCA_OK) {
        history->records[history->count++] = *record;
    }
    return status;
}

void sdca_history_free(sdca_history *history)
{
    free(history->records);
    sdca_round_log_free(&history->round_log);
    *history = (sdca_history){ 0 };
}

int sdca_history_fields_used(const sdca_history *history)
{
    return sdca_record_schema_used(&sdca_history_schema, as_doubles(history),
                                   history->count);
}

void sdca_history_print_names(FILE *file, int fields)
{
    for (int c = 0; c < fields; c++) {
        fprintf(file, "%s%s", c > 0 ? "," : "", field_names[c]);
    }
}

void sdca_history_print_record(FILE *file, const sdca_history_record *record, int fields)
{
    const double *number = (const double *)record;

    for (int c = 0; c < fields; c++) {
        fputs(c > 0 ? "," : "", file);
        if (isfinite(number[c])) {
            fprintf(file, "%.17g", number[c]);
        }
    }
}

sdca_status sdca_history_write_csv(const sdca_history *history, const char *path)
{
    int         fields = sdca_history_fields_used(history);
    FILE       *file   = NULL;
    sdca_status status = sdca_atomic_file_open(path, &file);

    if (status != SDCA_OK) {
        return status;
    }
    sdca_history_print_names(file, fields);
    fputc('\n', file);
    for (int64_t k = 0; k < history->count; k++) {
        sdca_history_print_record(file, &history->records[k], fields);
        fputc('\n', file);
    }
    return sdca_atomic_file_commit(file, path);
}

sdca_status sdca_history_write(const sdca_history *history, sdca_hdf5_file *hdf5)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(sdca_hdf5_write_records(&sdca_history_schema, as_doubles(history),
                                     history->count, hdf5));
    SDCA_TRY(sdca_round_log_write(&history->round_log, hdf5));

done:
    return status;
}

sdca_status sdca_history_read(sdca_hdf5_file *hdf5, sdca_history *out)
{
    sdca_status  status  = SDCA_OK;
    sdca_history history = { 0 };
    double      *number  = NULL;

    SDCA_TRY(sdca_hdf5_read_records(&sdca_history_schema, hdf5, &number, &history.count));
    history.capacity = history.count;
    history.records  = (sdca_history_record *)number;
    SDCA_TRY(sdca_round_log_read(hdf5, &history.round_log));
    *out    = history;
    history = (sdca_history){ 0 }; /* now the caller's */

done:
    sdca_history_free(&history);
    return status;
}
