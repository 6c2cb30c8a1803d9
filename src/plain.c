/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plain.c - text of others that is shown to people. */
#include "sdca/plain.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the character that begins with this byte, or 0 if none does. */
static size_t width_of(unsigned char c)
{
    return c == 0                  ? 0
           : c < 0x80              ? 1
           : c >= 0xc2 && c < 0xe0 ? 2
           : c >= 0xe0 && c < 0xf0 ? 3
           : c >= 0xf0 && c < 0xf5 ? 4
                                   : 0;
}

/* Overlong forms, surrogates and what is beyond U+10FFFF show in the second byte. */
static bool is_second(unsigned char first, unsigned char c)
{
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most  = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;

    return c >= least && c <= most;
}

size_t sdca_plain_character(const char *text, size_t left)
{
    const unsigned char *c     = (const unsigned char *)text;
    size_t               width = left > 0 ? width_of(c[0]) : 0;

    if (width > left || (width > 1 && !is_second(c[0], c[1]))) {
        return 0;
    }
    for (size_t k = 2; k < width; k++) {
        if ((c[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return width;
}

size_t sdca_plain_visible(const char *text, size_t left)
{
    const unsigned char *c     = (const unsigned char *)text;
    size_t               width = sdca_plain_character(text, left);
    bool                 low   = width == 1 && (c[0] < ' ' || c[0] == 0x7f);
    bool                 high  = width == 2 && c[0] == 0xc2 && c[1] < 0xa0;

    return low || high ? 0 : width;
}

void sdca_plain_clean(char *text)
{
    size_t left = strlen(text);

    while (left > 0) {
        size_t width = sdca_plain_visible(text, left);

        if (width == 0) {
            *text = '?';
            width = 1;
        }
        text += width;
        left -= width;
    }
}
