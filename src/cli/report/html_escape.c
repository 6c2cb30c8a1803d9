/* SPDX-License-Identifier: BSD-3-Clause
 *
 * html_escape.c - escaping of text in an HTML page. */
#include "cli/report/html_escape.h"

#include <stdbool.h>
#include <string.h>

#include "base/printable.h"

/* XML excludes most control characters, U+FFFE and U+FFFF. */
size_t html_character_length(const char *text)
{
    enum { LONGEST = 4 };
    unsigned char c      = (unsigned char)text[0];
    size_t        length = sdca_printable_utf8_length(text, LONGEST);
    bool          none =
        length == 3 && memcmp(text, "\xef\xbf", 2) == 0 && (unsigned char)text[2] >= 0xbe;

    return none || (c < ' ' && c != '\t' && c != '\n') ? 0 : length;
}

/* The entity of a special character, or NULL. */
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
