/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lambda_list.c - the values of --lambda: one number, a list, or a logarithmic grid. */
#include "cli/options/lambda_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse_number.h"

static const double smallest = 1e-100, largest = 1e100;

static sdca_status wrong_text(const char *text)
{
    return SDCA_FAIL(SDCA_USAGE,
                     "--lambda expects a number above 0, a list such as 1e-2,1e-3 or a "
                     "grid FIRST:LAST:COUNT such as 1e-1:1e-6:20, not '%s'",
                     text);
}

/* Parse one number that ends at one of these characters, or at the end of the text. */
static const char *parse_value(const char *at, char separator, double *out)
{
    const char *end = sdca_parse_double(at, at + strlen(at), out);

    return end > at && *out > 0.0 && (*end == separator || *end == '\0') ? end : NULL;
}

/* Values from first to last, whose ratios are the same. */
static sdca_status parse_grid(const char *text, lambda_list *out)
{
    double      first = 0.0, last = 0.0;
    int64_t     count = 0;
    const char *at    = parse_value(text, ':', &first);
    const char *end;

    at = at != NULL && *at == ':' ? parse_value(at + 1, ':', &last) : NULL;
    if (at == NULL || *at != ':') {
        return wrong_text(text);
    }
    end = sdca_parse_int64(at + 1, at + strlen(at), &count);
    if (end == at + 1 || *end != '\0' || !isfinite(first) || !isfinite(last)) {
        return wrong_text(text);
    }
    if (count < 2 || count > LAMBDA_LIST_MAX || first == last) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--lambda %s: a grid has 2 to %d values between two different "
                         "ends",
                         text, (int)LAMBDA_LIST_MAX);
    }
    for (int k = 0; k < (int)count; k++) {
        double t = (double)k / (double)(count - 1);

        out->value[k] = k == 0                ? first
                        : k == (int)count - 1 ? last
                                              : first * pow(last / first, t);
    }
    out->count = (int)count;
    return SDCA_OK;
}

static sdca_status parse_values(const char *text, lambda_list *out)
{
    const char *at = text;

    out->count = 0;
    for (;;) {
        if (out->count == LAMBDA_LIST_MAX) {
            return SDCA_FAIL(SDCA_USAGE, "--lambda takes at most %d values",
                             (int)LAMBDA_LIST_MAX);
        }
        at = parse_value(at, ',', &out->value[out->count++]);
        if (at == NULL) {
            return wrong_text(text);
        }
        if (*at == '\0') {
            return SDCA_OK;
        }
        at++;
    }
}

static int compare_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

sdca_status lambda_list_parse(const char *text, lambda_list *out)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(strchr(text, ':') != NULL ? parse_grid(text, out) : parse_values(text, out));
    qsort(out->value, (size_t)out->count, sizeof out->value[0], compare_descending);
    if (out->value[0] > largest || out->value[out->count - 1] < smallest) {
        status =
            SDCA_FAIL(SDCA_USAGE, "--lambda and --C must be between 1e-100 and 1e100");
        goto done;
    }
    for (int k = 1; k < out->count; k++) {
        if (out->value[k] == out->value[k - 1]) {
            status =
                SDCA_FAIL(SDCA_USAGE, "--lambda has the value %g twice", out->value[k]);
            goto done;
        }
    }

done:
    return status;
}
