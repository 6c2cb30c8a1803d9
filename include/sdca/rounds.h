/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rounds.h - how the rounds of a run went: a log that is never too long.
 *
 * It has room for a few thousand rounds. Of longer runs it keeps every second one, every
 * fourth, and so on, and always the last: a round's number alone decides, so that a run
 * that was stopped has the log of one that was not. */
#ifndef SDCA_ROUNDS_H
#define SDCA_ROUNDS_H

#include <stdint.h>

#include "sdca/columns.h"
#include "sdca/status.h"
#include "sdca/store.h"

enum { SDCA_ROUNDS_ROOM = 4096 };

/* The columns, by their names in files: of a round that is over, its sigma and its step;
 * and the local steps of the next one. sigma_along is that of the mean row, if it has one
 * of its own. */
#define SDCA_ROUND_LIST(X) \
    X(round)               \
    X(epoch)               \
    X(seconds)             \
    X(eta) X(sigma) X(local_steps) X(sigma_along)

#define SDCA_ROUND_FIELD(name) double name;
typedef struct sdca_round_entry {
    SDCA_ROUND_LIST(SDCA_ROUND_FIELD)
} sdca_round_entry;
#undef SDCA_ROUND_FIELD

extern const sdca_record_schema sdca_round_columns;

typedef struct sdca_rounds {
    int64_t           count;
    sdca_round_entry *entry; /* by ascending rounds; room for SDCA_ROUNDS_ROOM */
} sdca_rounds;

/* An empty log, with all the memory that it will ever need. Local. What out holds is the
 * caller's, to be freed with sdca_rounds_free(). */
sdca_status sdca_rounds_create(sdca_rounds *out);
void        sdca_rounds_free(sdca_rounds *rounds);

/* Note a round, which comes after all that are there; any other is passed over. Local. */
void sdca_rounds_add(sdca_rounds *rounds, const sdca_round_entry *entry);

/* Write to the group "rounds" of an open file, unless there are none; or read from it: an
 * empty log if the file has no such group. Local. */
sdca_status sdca_rounds_write(const sdca_rounds *rounds, sdca_hdf5_file *store);
sdca_status sdca_rounds_read(sdca_hdf5_file *store, sdca_rounds *out);

#endif
