/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.h - numbers and strings in JSON. */
#ifndef SDCA_IO_JSON_H
#define SDCA_IO_JSON_H

#include <stdio.h>

typedef struct sdca_json_text {
    char text[32];
} sdca_json_text;

/* A number that reads back exactly, with 15 digits if these suffice; null if it is not
 * finite. Local. */
sdca_json_text sdca_json_number(double value);

/* Print a string with its quotes. It is UTF-8, as all text of our files. Local. */
void sdca_json_print_string(FILE *file, const char *text);

#endif
