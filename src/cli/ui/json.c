/* SPDX-License-Identifier: BSD-3-Clause
 *
 * json.c - numbers in JSON. */
#include "cli/ui/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

json_text json_number(double value)
{
    json_text out = { "null" };

    if (isfinite(value)) {
        snprintf(out.text, sizeof out.text, "%.15g", value);
        if (strtod(out.text, NULL) != value) {
            snprintf(out.text, sizeof out.text, "%.17g", value);
        }
    }
    return out;
}
