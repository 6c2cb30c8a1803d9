/* SPDX-License-Identifier: BSD-3-Clause
 *
 * round_log.h - a log of the rounds of a run, of bounded length.
 *
 * The log holds a few thousand rounds. Of longer runs it keeps every second round, every
 * fourth, and so on, and always the last one. A round's number alone decides, so that a
 * resumed run has the log of an uninterrupted one. */
#ifndef SDCA_MODEL_ROUND_LOG_H
#define SDCA_MODEL_ROUND_LOG_H

#include <stdint.h>

#include "base/status.h"
#include "io/hdf5_file.h"
#include "io/hdf5_records.h"
#include "sdca/history.h"

enum { SDCA_ROUND_LOG_CAPACITY = 4096 };

extern const sdca_record_schema sdca_round_log_schema;

/* Make an empty log with memory for SDCA_ROUND_LOG_CAPACITY rounds. Local. The caller
 * frees out with sdca_round_log_free(). */
sdca_status sdca_round_log_create(sdca_round_log *out);
void        sdca_round_log_free(sdca_round_log *log);

/* Append a round that follows those in the log; an earlier one is ignored. Local. */
void sdca_round_log_append(sdca_round_log *log, const sdca_round_log_entry *entry);

/* Write a log to the group "rounds" of an open file, unless it is empty, or read it: an
 * empty log if the file has no such group. Local. */
sdca_status sdca_round_log_write(const sdca_round_log *log, sdca_hdf5_file *hdf5);
sdca_status sdca_round_log_read(sdca_hdf5_file *hdf5, sdca_round_log *out);

#endif
