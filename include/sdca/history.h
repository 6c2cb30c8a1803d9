/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.h - the evaluations and the rounds of a training run. */
#ifndef SDCA_HISTORY_H
#define SDCA_HISTORY_H

#include <stdint.h>

#include "status.h"

/* The columns of an evaluation, by their names in files. NaN stands for no value. The
 * last one is the gap that the theorems bound; it is left out of files where no record
 * has it. */
#define SDCA_HISTORY_FIELD_LIST(X) \
    X(round)                       \
    X(epoch)                       \
    X(seconds)                     \
    X(primal)                      \
    X(dual) X(gap) X(test_error) X(eta) X(sigma) X(local_steps) X(bytes) X(bound)

/* The columns of a round, by their names in files: sigma and step size of this round,
 * local steps of the next one. sigma_along is the sigma of the mean row's direction,
 * where it has a sigma of its own. */
#define SDCA_ROUND_LOG_FIELD_LIST(X) \
    X(round)                         \
    X(epoch)                         \
    X(seconds)                       \
    X(eta) X(sigma) X(local_steps) X(sigma_along)

#define SDCA_RECORD_FIELD(name) double name;
typedef struct sdca_history_record {
    SDCA_HISTORY_FIELD_LIST(SDCA_RECORD_FIELD)
} sdca_history_record;

typedef struct sdca_round_log_entry {
    SDCA_ROUND_LOG_FIELD_LIST(SDCA_RECORD_FIELD)
} sdca_round_log_entry;
#undef SDCA_RECORD_FIELD

/* Rounds in ascending order: all of them, or every second, every fourth and so on, such
 * that there are at most a few thousand. */
typedef struct sdca_round_log {
    int64_t               count;
    sdca_round_log_entry *entries;
} sdca_round_log;

typedef struct sdca_history {
    int64_t              count; /* of evaluations */
    int64_t              capacity;
    sdca_history_record *records;
    sdca_round_log       round_log;
} sdca_history;

#ifdef __cplusplus
extern "C" {
#endif

/* Write the evaluations as a CSV file with a header line. The file appears complete or
 * not at all. Local: one rank calls it. */
SDCA_API sdca_status sdca_history_write_csv(const sdca_history *history,
                                            const char         *path);

#ifdef __cplusplus
}
#endif

#endif
