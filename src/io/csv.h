/* SPDX-License-Identifier: BSD-3-Clause
 *
 * csv.h - a streaming parser of CSV text.
 *
 * RFC 4180: fields are separated by a separator, records by LF or CR LF. A field that
 * begins with a double quote extends to the next single double quote, including any
 * separators and line ends; two double quotes stand for one. A double quote elsewhere is
 * literal. A leading byte order mark and blank lines are skipped. */
#ifndef SDCA_IO_CSV_H
#define SDCA_IO_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* The longest record: after an unbalanced quote, the rest of the text is one field. */
enum { SDCA_CSV_MAX_RECORD_BYTES = 1 << 26, SDCA_CSV_MAX_FIELDS = 1 << 22 };

/* A field without its quotes, zero-terminated. */
typedef struct sdca_csv_field {
    const char *text;
    size_t      length;
    bool        quoted;
} sdca_csv_field;

/* A record and the line that it begins on, counted from 1. */
typedef struct sdca_csv_record {
    int64_t               line;
    int64_t               count; /* at least 1 */
    const sdca_csv_field *field;
} sdca_csv_record;

/* Called with one record, which is valid during the call only. A failure ends the
 * parsing. */
typedef sdca_status sdca_csv_callback(void *context, const sdca_csv_record *record);

/* A parser. Opaque. Its memory depends on the longest record only. */
typedef struct sdca_csv sdca_csv;

/* Begin a text with this separator. Messages call it name, which is borrowed. Local. On
 * success the caller frees *out with sdca_csv_free(). */
sdca_status sdca_csv_create(const char *name, char separator, sdca_csv_callback *callback,
                            void *context, sdca_csv **out);

/* Parse the next length bytes of the text, split anywhere, and pass on the records that
 * end in them. Fails with SDCA_DATA and a message that names the text and the line, or
 * with the status of the callback; the parser must not be used afterwards. Local. */
sdca_status sdca_csv_feed(sdca_csv *parser, const char *text, size_t length);

/* End the text: pass on a last record without a line end. Fails as sdca_csv_feed() does.
 * Local. */
sdca_status sdca_csv_finish(sdca_csv *parser);

/* Free the parser. NULL is fine. Local. */
void sdca_csv_free(sdca_csv *parser);

/* Print a field of a file with commas, prefix and text, in quotes if it needs them.
 * Local. */
void sdca_csv_print_field(FILE *file, const char *prefix, const char *text);

#endif
