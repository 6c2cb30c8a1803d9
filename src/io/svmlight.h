/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svmlight.h - a streaming parser of LIBSVM/svmlight text.
 *
 * A line is a row: LABEL INDEX:VALUE INDEX:VALUE ... with ascending indices from 1 to
 * SDCA_SVMLIGHT_MAX_INDEX, or from 0 to one less, separated by spaces or tabs. A #
 * begins a comment; lines without words are skipped; a line ends in LF or CR LF, the
 * last one may have neither. The word qid:N after a label, which is the query of a row
 * in ranking, is checked and otherwise ignored. A leading byte order mark is skipped. */
#ifndef SDCA_IO_SVMLIGHT_H
#define SDCA_IO_SVMLIGHT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The largest index from 1: the number of columns must fit an int32_t with space for a
 * bias. */
enum { SDCA_SVMLIGHT_MAX_INDEX = 2147483646 };

/* A row and its line, counted from 1. Columns ascend from 0; values are finite and not
 * 0: explicit zeros are left out. */
typedef struct sdca_svmlight_row {
    int64_t        line;
    double         label;
    double         weight; /* 1, unless it is a row of a table with weights */
    double         group;  /* its number, if it is a row of a table with groups */
    int64_t        count;
    const int32_t *column;
    const double  *value;
} sdca_svmlight_row;

/* Called with one row, whose arrays are valid during the call only. A failure ends the
 * parsing. */
typedef sdca_status sdca_svmlight_callback(void *context, const sdca_svmlight_row *row);

/* A parser. Opaque. Its memory depends on the longest line only. */
typedef struct sdca_svmlight sdca_svmlight;

/* Begin a text whose first column has the index first, 1 or 0. Messages call it name,
 * which is borrowed. Local. On success the caller frees *out with
 * sdca_svmlight_free(). */
sdca_status sdca_svmlight_create(const char *name, int index_base,
                                 sdca_svmlight_callback *callback, void *context,
                                 sdca_svmlight **out);

/* Parse the next length bytes of the text, split anywhere, and pass on the rows that end
 * in them. Fails with SDCA_DATA and a message that names the text, the line, the
 * character of the line (from 1) and the wrong word, or with the status of the callback;
 * the parser must not be used afterwards. Local. */
sdca_status sdca_svmlight_feed(sdca_svmlight *parser, const char *text, size_t length);

/* End the text: pass on a last row without a line end. Fails as sdca_svmlight_feed()
 * does. Local. */
sdca_status sdca_svmlight_finish(sdca_svmlight *parser);

/* Free the parser. NULL is fine. Local. */
void sdca_svmlight_free(sdca_svmlight *parser);

#endif
