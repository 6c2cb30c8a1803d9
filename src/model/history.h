/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.h - what each evaluation of a run has found, and how its rounds went. */
#ifndef SDCA_MODEL_HISTORY_H
#define SDCA_MODEL_HISTORY_H

#include <stdint.h>

#include "base/status.h"
#include "io/hdf5_file.h"
#include "io/hdf5_records.h"
#include "model/round_log.h"

/* The columns, by their names in files. All are numbers; NaN stands for no value;
 * what is not finite is an empty field in CSV. The last, what the theorems promise for
 * the gap, is left out of files where it has no value at all. */
#define SDCA_HISTORY_FIELD_LIST(X) \
    X(round)                       \
    X(epoch)                       \
    X(seconds)                     \
    X(primal)                      \
    X(dual) X(gap) X(test_error) X(eta) X(sigma) X(local_steps) X(bytes) X(bound)

#define SDCA_HISTORY_FIELD(name) double name;
typedef struct sdca_history_record {
    SDCA_HISTORY_FIELD_LIST(SDCA_HISTORY_FIELD)
} sdca_history_record;
#undef SDCA_HISTORY_FIELD

#define SDCA_HISTORY_COUNT_FIELD(name) +1
enum { SDCA_HISTORY_FIELD_COUNT = SDCA_HISTORY_FIELD_LIST(SDCA_HISTORY_COUNT_FIELD) };
#undef SDCA_HISTORY_COUNT_FIELD

extern const sdca_record_schema sdca_history_schema;

typedef struct sdca_history {
    int64_t              count; /* of evaluations */
    int64_t              capacity;
    sdca_history_record *records;
    sdca_round_log       round_log;
} sdca_history;

/* Append a record to a history, which begins as { 0 }: then it has no log of rounds, and
 * no room for one. Local. */
sdca_status sdca_history_append(sdca_history *history, const sdca_history_record *record);
void        sdca_history_free(sdca_history *history);

/* Write the evaluations as a CSV file with a header line, whole or not at all. Local. */
sdca_status sdca_history_write_csv(const sdca_history *history, const char *path);

/* Write to, or read from, the groups "history" and "rounds" of an open file: one array
 * per column. Local. */
sdca_status sdca_history_write(const sdca_history *history, sdca_hdf5_file *hdf5);
sdca_status sdca_history_read(sdca_hdf5_file *hdf5, sdca_history *out);

#endif
