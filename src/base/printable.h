/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printable.h - text of others that is shown to people: characters of UTF-8, and none
 * that a terminal acts on or that would end a line. */
#ifndef SDCA_BASE_PRINTABLE_H
#define SDCA_BASE_PRINTABLE_H

#include <stddef.h>

/* The bytes of the character of UTF-8 (RFC 3629) that text begins with, of which left
 * bytes are there; 0 if there is none, or a zero. Local. */
size_t sdca_printable_utf8_length(const char *text, size_t size);

/* The same, and 0 for a control character (C0, C1 and delete). Local. */
size_t sdca_printable_length(const char *text, size_t size);

/* Replace by question marks the bytes that belong to no visible character. Local. */
void sdca_printable_sanitize(char *text);

#endif
