/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_log.h - how the rounds of a run went: a log that is never too long.
 *
 * It has room for a few thousand rounds. Of longer runs it keeps every second one, every
 * fourth, and so on, and always the last: a round's number alone decides, so that a run
 * that was stopped has the log of one that was not. */
#ifndef SDCA_MODEL_ROUND_LOG_H
#define SDCA_MODEL_ROUND_LOG_H

#include <stdint.h>

#include "base/status.h"
#include "io/hdf5_file.h"
#include "io/hdf5_records.h"

enum { SDCA_ROUND_LOG_CAPACITY = 4096 };

/* The columns, by their names in files: of a round that is over, its sigma and its step;
 * and the local steps of the next one. sigma_along is that of the mean row, if it has one
 * of its own. */
#define SDCA_ROUND_LOG_FIELD_LIST(X) \
    X(round)                         \
    X(epoch)                         \
    X(seconds)                       \
    X(eta) X(sigma) X(local_steps) X(sigma_along)

#define SDCA_ROUND_LOG_FIELD(name) double name;
typedef struct sdca_round_log_entry {
    SDCA_ROUND_LOG_FIELD_LIST(SDCA_ROUND_LOG_FIELD)
} sdca_round_log_entry;
#undef SDCA_ROUND_LOG_FIELD

extern const sdca_record_schema sdca_round_log_schema;

typedef struct sdca_round_log {
    int64_t count;
    sdca_round_log_entry
        *entries; /* by ascending rounds; room for SDCA_ROUND_LOG_CAPACITY */
} sdca_round_log;

/* An empty log, with all the memory that it will ever need. Local. What out holds is the
 * caller's, to be freed with sdca_round_log_free(). */
sdca_status sdca_round_log_create(sdca_round_log *out);
void        sdca_round_log_free(sdca_round_log *log);

/* Note a round, which comes after all that are there; any other is passed over. Local. */
void sdca_round_log_append(sdca_round_log *log, const sdca_round_log_entry *entry);

/* Write to the group "rounds" of an open file, unless there are none; or read from it: an
 * empty log if the file has no such group. Local. */
sdca_status sdca_round_log_write(const sdca_round_log *log, sdca_hdf5_file *hdf5);
sdca_status sdca_round_log_read(sdca_hdf5_file *hdf5, sdca_round_log *out);

#endif
