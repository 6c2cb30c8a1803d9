/* SPDX-License-Identifier: BSD-3-Clause
 *
 * html_escape.h - escaping of text in an HTML page. */
#ifndef SDCA_CLI_REPORT_HTML_ESCAPE_H
#define SDCA_CLI_REPORT_HTML_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* The number of bytes of the UTF-8 character at text; 0 if it is invalid, or not allowed
 * in XML. Local. */
size_t html_character_length(const char *text);

/* Write text, escaped for element content and quoted attributes of HTML and XML. Invalid
 * UTF-8 and control characters become U+FFFD. Local. */
void html_write_text(FILE *page, const char *text);

#endif
