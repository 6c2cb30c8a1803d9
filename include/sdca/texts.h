/* SPDX-License-Identifier: BSD-3-Clause
 *
 * texts.h - a list of texts: names of columns, categories, labels. */
#ifndef SDCA_TEXTS_H
#define SDCA_TEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sdca/status.h"

/* Empty if all of it is zero. Each text ends in a zero and has none inside. */
typedef struct sdca_texts {
    int64_t count;
    int64_t room;
    char  **text;
} sdca_texts;

/* Put a copy of text[0 .. length - 1] before the one that stands at place now, or
 * behind all of them. Local. */
sdca_status sdca_texts_insert(sdca_texts *texts, int64_t place, const char *text,
                              size_t length);
sdca_status sdca_texts_append(sdca_texts *texts, const char *text, size_t length);

/* Is text[0 .. length - 1] among texts that ascend, byte by byte? *place is where it
 * stands, or where it belongs. Local. */
bool sdca_texts_find(const sdca_texts *texts, const char *text, size_t length,
                     int64_t *place);

/* Free the texts, leaving an empty list. Local. */
void sdca_texts_free(sdca_texts *texts);

/* Is this UTF-8 without a zero in it (RFC 3629), as text in our files has to be?
 * Local. */
bool sdca_texts_is_utf8(const char *text, size_t length);

/* A text for a sentence: not too long, and no bytes that a terminal minds. Local. */
enum { SDCA_SHOWN = 40 };
typedef struct sdca_shown {
    char text[4 * SDCA_SHOWN + 4];
} sdca_shown;
sdca_shown sdca_texts_show(const char *text, size_t length);

#endif
