/* SPDX-License-Identifier: BSD-3-Clause
 *
 * string_list.h - a list of texts: names of columns, categories, labels. */
#ifndef SDCA_BASE_STRING_LIST_H
#define SDCA_BASE_STRING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Empty if all of it is zero. Each text ends in a zero and has none inside. */
typedef struct sdca_string_list {
    int64_t count;
    int64_t capacity;
    char  **text;
} sdca_string_list;

/* Put a copy of text[0 .. length - 1] before the one that stands at place now, or
 * behind all of them. Local. */
sdca_status sdca_string_list_insert(sdca_string_list *list, int64_t position,
                                    const char *text, size_t length);
sdca_status sdca_string_list_append(sdca_string_list *list, const char *text,
                                    size_t length);

/* Is text[0 .. length - 1] among texts that ascend, byte by byte? *place is where it
 * stands, or where it belongs. Local. */
bool sdca_string_list_find(const sdca_string_list *list, const char *text, size_t length,
                           int64_t *position);

/* Free the texts, leaving an empty list. Local. */
void sdca_string_list_free(sdca_string_list *list);

/* Is this UTF-8 without a zero in it (RFC 3629), as text in our files has to be?
 * Local. */
bool sdca_string_is_utf8(const char *text, size_t length);

/* A text for a sentence: not too long, and no bytes that a terminal minds. Local. */
enum { SDCA_ESCAPED_LENGTH = 40 };
typedef struct sdca_escaped_string {
    char text[4 * SDCA_ESCAPED_LENGTH + 4];
} sdca_escaped_string;
sdca_escaped_string sdca_string_escape(const char *text, size_t length);

#endif
