/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_log.c - a log of the rounds of a run, of bounded length. */
#include "model/round_log.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

#define FIELD_NAME(field) #field,
static const char *const field_names[] = { SDCA_ROUND_LOG_FIELD_LIST(FIELD_NAME) };
#undef FIELD_NAME

enum { FIELD_COUNT = sizeof field_names / sizeof field_names[0] };
_Static_assert(sizeof(sdca_round_log_entry) == FIELD_COUNT * sizeof(double),
               "an entry has doubles only");

const sdca_record_schema sdca_round_log_schema = { "rounds", FIELD_COUNT, field_names };

sdca_status sdca_round_log_create(sdca_round_log *out)
{
    sdca_round_log_entry *entry =
        sdca_alloc_array(SDCA_ROUND_LOG_CAPACITY, sizeof *entry);

    if (entry == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a log of %d rounds",
                         (int)SDCA_ROUND_LOG_CAPACITY);
    }
    *out = (sdca_round_log){ 0, entry };
    return SDCA_OK;
}

void sdca_round_log_free(sdca_round_log *log)
{
    free(log->entries);
    *log = (sdca_round_log){ 0 };
}

/* After this round, the log keeps multiples of the stride: the smallest power of two
 * that leaves space for one more entry. */
static double stride_at(double round)
{
    double stride = 1.0;

    while (round / stride >= SDCA_ROUND_LOG_CAPACITY) {
        stride *= 2.0;
    }
    return stride;
}

/* From the entry first on, keep only multiples of stride. */
static void thin(sdca_round_log *log, int64_t first, double stride)
{
    int64_t kept = first;

    for (int64_t k = first; k < log->count; k++) {
        if (fmod(log->entries[k].round, stride) == 0.0) {
            log->entries[kept++] = log->entries[k];
        }
    }
    log->count = kept;
}

void sdca_round_log_append(sdca_round_log *log, const sdca_round_log_entry *entry)
{
    int64_t count  = log->count;
    double  last   = count > 0 ? log->entries[count - 1].round : 0.0;
    double  stride = stride_at(entry->round);

    if (!(entry->round > last)) {
        return;
    }
    if (count > 0) { /* it may have been kept only as the last one */
        thin(log, stride > stride_at(last) ? 0 : count - 1, stride);
    }
    log->entries[log->count++] = *entry;
}

sdca_status sdca_round_log_write(const sdca_round_log *log, sdca_hdf5_file *hdf5)
{
    return log->count > 0
               ? sdca_hdf5_write_records(&sdca_round_log_schema,
                                         (const double *)log->entries, log->count, hdf5)
               : SDCA_OK;
}

/* Entries are appended one by one, so that no file can exceed the capacity. */
sdca_status sdca_round_log_read(sdca_hdf5_file *hdf5, sdca_round_log *out)
{
    sdca_status    status = SDCA_OK;
    sdca_round_log log    = { 0 };
    double        *number = NULL;
    int64_t        count  = 0;

    SDCA_TRY(sdca_round_log_create(&log));
    if (sdca_hdf5_has_group(hdf5, sdca_round_log_schema.group)) {
        SDCA_TRY(sdca_hdf5_read_records(&sdca_round_log_schema, hdf5, &number, &count));
    }
    for (int64_t k = 0; k < count; k++) {
        sdca_round_log_append(&log, &((const sdca_round_log_entry *)number)[k]);
    }
    *out = log;
    log  = (sdca_round_log){ 0 }; /* now the caller's */

done:
    free(number);
    sdca_round_log_free(&log);
    return status;
}
