/* SPDX-License-Identifier: BSD-3-Clause
 *
 * history.h - the evaluations and rounds of a run: appending, and files. */
#ifndef SDCA_MODEL_HISTORY_H
#define SDCA_MODEL_HISTORY_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "io/hdf5_file.h"
#include "io/hdf5_records.h"
#include "model/round_log.h"
#include "sdca/history.h"

#define SDCA_HISTORY_COUNT_FIELD(name) +1
enum { SDCA_HISTORY_FIELD_COUNT = SDCA_HISTORY_FIELD_LIST(SDCA_HISTORY_COUNT_FIELD) };
#undef SDCA_HISTORY_COUNT_FIELD

extern const sdca_record_schema sdca_history_schema;

/* Append a record to a history, which starts as { 0 }. Local. */
sdca_status sdca_history_append(sdca_history *history, const sdca_history_record *record);

/* Free what a history holds. Local. */
void sdca_history_free(sdca_history *history);

/* The parts of a CSV file: the number of columns that a history needs, and the first ones
 * of their names, and of the fields of a record, without the end of the line. Local. */
int  sdca_history_fields_used(const sdca_history *history);
void sdca_history_print_names(FILE *file, int fields);
void sdca_history_print_record(FILE *file, const sdca_history_record *record, int fields);

/* Write a history to the groups "history" and "rounds" of an open file, or read it: one
 * array per column. Local. */
sdca_status sdca_history_write(const sdca_history *history, sdca_hdf5_file *hdf5);
sdca_status sdca_history_read(sdca_hdf5_file *hdf5, sdca_history *out);

#endif
