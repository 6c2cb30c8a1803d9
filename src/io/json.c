/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.c - numbers and strings in JSON. */
#include "io/json.h"

#include <math.h>
#include <stdlib.h>

sdca_json_text sdca_json_number(double value)
{
    sdca_json_text out = { "null" };

    if (isfinite(value)) {
        snprintf(out.text, sizeof out.text, "%.15g", value);
        if (strtod(out.text, NULL) != value) {
            snprintf(out.text, sizeof out.text, "%.17g", value);
        }
    }
    return out;
}

void sdca_json_print_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', file);
        }
        if ((unsigned char)*text < ' ') {
            fprintf(file, "\\u%04x", (unsigned)*text);
        } else {
            fputc(*text, file);
        }
    }
    fputc('"', file);
}
