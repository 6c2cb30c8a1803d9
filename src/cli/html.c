/* SPDX-License-Identifier: BSD-3-Clause
 *
 * html.c - text of others in a page of ours. */
#include "html.h"

#include <stdbool.h>
#include <string.h>

static bool is_within(unsigned char c, unsigned char low, unsigned char high)
{
    return c >= low && c <= high;
}

/* How many bytes the character of UTF-8 at s has; 0 where there is none. The
 * second byte has a narrower range behind some first ones: no character may be
 * longer than needed, a surrogate, or above U+10FFFF (RFC 3629, section 4). */
static size_t utf8_length(const unsigned char *s)
{
    unsigned char low    = s[0] == 0xe0 ? 0xa0 : s[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high   = s[0] == 0xed ? 0x9f : s[0] == 0xf4 ? 0x8f : 0xbf;
    size_t        length = is_within(s[0], 0xc2, 0xdf)   ? 2
                           : is_within(s[0], 0xe0, 0xef) ? 3
                           : is_within(s[0], 0xf0, 0xf4) ? 4
                                                         : 0;

    if (length > 1 && !is_within(s[1], low, high)) {
        return 0;
    }
    for (size_t k = 2; k < length; k++) {
        if (!is_within(s[k], 0x80, 0xbf)) {
            return 0;
        }
    }
    /* XML has no U+FFFE and U+FFFF. */
    return memcmp(s, "\xef\xbf", 2) == 0 && s[2] >= 0xbe ? 0 : length;
}

size_t html_character_length(const char *text)
{
    unsigned char c = (unsigned char)text[0];

    if (c >= 0x80) {
        return utf8_length((const unsigned char *)text);
    }
    return c >= ' ' || c == '\t' || c == '\n' ? 1 : 0;
}

/* What stands for a character that means something to a browser, or NULL. */
static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_write_text(FILE *page, const char *text)
{
    while (*text != '\0') {
        size_t      length = html_character_length(text);
        const char *entity = length == 0 ? "\xef\xbf\xbd" : entity_of(*text);

        if (entity != NULL) {
            fputs(entity, page);
        } else {
            fwrite(text, 1, length, page);
        }
        text += length > 0 ? length : 1;
    }
}
