/* SPDX-License-Identifier: BSD-3-Clause
 *
 * string_list.h - a list of strings: names of columns, categories, labels. */
#ifndef SDCA_BASE_STRING_LIST_H
#define SDCA_BASE_STRING_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* All zero: empty. Strings are zero-terminated. */
typedef struct sdca_string_list {
    int64_t count;
    int64_t capacity;
    char  **text;
} sdca_string_list;

/* Insert a copy of text[0 .. length - 1] at a position, which may be the end. Local. */
sdca_status sdca_string_list_insert(sdca_string_list *list, int64_t position,
                                    const char *text, size_t length);
sdca_status sdca_string_list_append(sdca_string_list *list, const char *text,
                                    size_t length);

/* Find text[0 .. length - 1] in a sorted list (byte order). *position is where it is, or
 * where to insert it. Local. */
bool sdca_string_list_find(const sdca_string_list *list, const char *text, size_t length,
                           int64_t *position);

/* Free the strings, leaving an empty list. Local. */
void sdca_string_list_free(sdca_string_list *list);

/* Whether text is valid UTF-8 (RFC 3629) without zero bytes, as all text in our files
 * must be. Local. */
bool sdca_string_is_utf8(const char *text, size_t length);

/* A string for a message: truncated, with bytes that are not printable escaped. Local. */
enum { SDCA_ESCAPED_LENGTH = 40 };
typedef struct sdca_escaped_string {
    char text[4 * SDCA_ESCAPED_LENGTH + 4];
} sdca_escaped_string;
sdca_escaped_string sdca_string_escape(const char *text, size_t length);

#endif
