/* SPDX-License-Identifier: BSD-3-Clause
 *
 * printable.c - making text from files safe to print. */
#include "base/printable.h"

#include <stdbool.h>
#include <string.h>

/* The length of a character from its first byte; 0 if that is invalid. */
static size_t sequence_length(unsigned char c)
{
    return c == 0                  ? 0
           : c < 0x80              ? 1
           : c >= 0xc2 && c < 0xe0 ? 2
           : c >= 0xe0 && c < 0xf0 ? 3
           : c >= 0xf0 && c < 0xf5 ? 4
                                   : 0;
}

/* Overlong forms, surrogates and code points beyond U+10FFFF are detected by the second
 * byte. */
static bool is_valid_second_byte(unsigned char first, unsigned char c)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most  = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

    return c >= least && c <= most;
}

size_t sdca_printable_utf8_length(const char *text, size_t size)
{
    const unsigned char *c      = (const unsigned char *)text;
    size_t               length = size > 0 ? sequence_length(c[0]) : 0;

    if (length > size || (length > 1 && !is_valid_second_byte(c[0], c[1]))) {
        return 0;
    }
    for (size_t k = 2; k < length; k++) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

size_t sdca_printable_length(const char *text, size_t size)
{
    const unsigned char *c      = (const unsigned char *)text;
    size_t               length = sdca_printable_utf8_length(text, size);
    bool                 low    = length == 1 && (c[0] < ' ' || c[0] == 0x7f);
    bool                 high   = length == 2 && c[0] == 0xc2 && c[1] < 0xa0;

    return low || high ? 0 : length;
}

void sdca_printable_sanitize(char *text)
{
    size_t size = strlen(text);

    while (size > 0) {
        size_t length = sdca_printable_length(text, size);

        if (length == 0) {
            *text  = '?';
            length = 1;
        }
        text += length;
        size -= length;
    }
}
