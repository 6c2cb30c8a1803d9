/* SPDX-License-Identifier: BSD-3-Clause
 *
 * html.h - text of others in a page of ours. */
#ifndef SDCA_CLI_REPORT_HTML_H
#define SDCA_CLI_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

/* How many bytes the character at text has, in UTF-8; 0 where there is none, or one
 * that XML does not know. Local. */
size_t html_character_length(const char *text);

/* Write text so that a browser shows it as it stands, between tags and in quoted
 * attributes alike, and so that the page is also well-formed XML: bytes that
 * are not UTF-8 and control characters become U+FFFD. Local. */
void html_write_text(FILE *page, const char *text);

#endif
