/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.h - text of others that is shown to people: characters of UTF-8, and none that a
 * terminal acts on or that would end a line. */
#ifndef SDCA_PLAIN_H
#define SDCA_PLAIN_H

#include <stddef.h>

/* The bytes of the character of UTF-8 (RFC 3629) that text begins with, of which left
 * bytes are there; 0 if there is none, or a zero. Local. */
size_t sdca_plain_character(const char *text, size_t left);

/* The same, and 0 for a control character (C0, C1 and delete). Local. */
size_t sdca_plain_visible(const char *text, size_t left);

/* Replace by question marks the bytes that belong to no visible character. Local. */
void sdca_plain_clean(char *text);

#endif
