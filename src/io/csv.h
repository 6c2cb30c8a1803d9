/* SPDX-License-Identifier: BSD-3-Clause
 *
 * csv.h - records from CSV text, as it streams by.
 *
 * RFC 4180: fields between separators, records between ends of line, which are LF
 * or CR LF; a field that begins with a double quote goes to the next lone one, with
 * any separators and ends of line in between, and two double quotes stand for one.
 * A double quote elsewhere is itself. A byte order mark in front and blank lines
 * are skipped. */
#ifndef SDCA_IO_CSV_H
#define SDCA_IO_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The longest record: behind a quote that is never closed, all is one field. */
enum { SDCA_CSV_MAX_RECORD_BYTES = 1 << 26, SDCA_CSV_MAX_FIELDS = 1 << 22 };

/* What stands between two separators, without its quotes. A zero follows it. */
typedef struct sdca_csv_field {
    const char *text;
    size_t      length;
    bool        quoted;
} sdca_csv_field;

/* A record and the line that it begins on, from 1. */
typedef struct sdca_csv_record {
    int64_t               line;
    int64_t               count; /* at least 1 */
    const sdca_csv_field *field;
} sdca_csv_record;

/* Takes one record, which is valid during the call only. A failure ends the
 * parsing. */
typedef sdca_status sdca_csv_callback(void *context, const sdca_csv_record *record);

/* A text that is being parsed. Opaque. Its memory grows with the longest record
 * and with nothing else. */
typedef struct sdca_csv sdca_csv;

/* Begin a text whose fields are parted by separator; name, which is kept, is what
 * errors call it. Local. On success *out is the caller's, to be freed with
 * sdca_csv_free(). */
sdca_status sdca_csv_create(const char *name, char separator, sdca_csv_callback *callback,
                            void *context, sdca_csv **out);

/* Parse the next length bytes of the text, cut anywhere, and hand over the records
 * that end in them. Fails with SDCA_DATA and a sentence that names the text and the
 * line, or with what the taker returned; the parser is then of no further use.
 * Local. */
sdca_status sdca_csv_feed(sdca_csv *parser, const char *text, size_t length);

/* The text ends here: hand over a last record without an end of line. Fails as
 * sdca_csv_feed() does. Local. */
sdca_status sdca_csv_finish(sdca_csv *parser);

/* Free the parser. NULL is fine. Local. */
void sdca_csv_free(sdca_csv *parser);

#endif
