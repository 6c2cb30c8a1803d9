/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printable.h - making text from files safe to print: valid UTF-8 without control
 * characters, which would act on a terminal or end a line. */
#ifndef SDCA_BASE_PRINTABLE_H
#define SDCA_BASE_PRINTABLE_H

#include <stddef.h>

/* The length of the UTF-8 character (RFC 3629) at the beginning of text, which has size
 * bytes; 0 if it is invalid or a zero byte. Local. */
size_t sdca_printable_utf8_length(const char *text, size_t size);

/* The same, but 0 for control characters (C0, C1 and delete). Local. */
size_t sdca_printable_length(const char *text, size_t size);

/* Replace bytes that are not part of a printable character by question marks. Local. */
void sdca_printable_sanitize(char *text);

#endif
