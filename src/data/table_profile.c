/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_profile.c - what the values of a column of a table have in common. */
#include "data/table_profile.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Fewer rows may count up by chance. */
enum { FEWEST_ROW_NUMBERS = 20 };

/* Read digits; returns how many there are. */
static size_t read_digits(const char *text, size_t length, int *number)
{
    size_t count = 0;

    *number = 0;
    while (count < length && count < 5 && text[count] >= '0' && text[count] <= '9') {
        *number = 10 * *number + (text[count++] - '0');
    }
    return count;
}

/* Whether a text begins with year, month and day in one of the usual orders, with a year
 * of four digits. A time may follow. */
static bool is_date(const char *text, size_t length)
{
    size_t at = 0, digits[3];
    int    part[3], year, day, month;

    for (int k = 0; k < 3; k++) {
        if (k > 0) {
            if (at >= length || (text[at] != '-' && text[at] != '/' && text[at] != '.')) {
                return false;
            }
            at++;
        }
        digits[k] = read_digits(text + at, length - at, &part[k]);
        at += digits[k];
    }
    if (at < length && text[at] != 'T' && text[at] != ' ') {
        return false;
    }
    if (digits[0] == 4 ? digits[2] == 0 || digits[2] > 2
                       : digits[0] > 2 || digits[2] != 4) {
        return false;
    }
    year  = digits[0] == 4 ? part[0] : part[2];
    day   = digits[0] == 4 ? part[2] : part[0];
    month = part[1];
    if (month > 12) { /* month first */
        int swapped = day;

        day   = month;
        month = swapped;
    }
    return year >= 1000 && year < 3000 && month >= 1 && month <= 12 && day >= 1 &&
           day <= 31;
}

/* Whether a text is digits with a decimal comma, or with commas between thousands. */
static bool has_number_commas(const char *text, size_t length)
{
    size_t at     = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t commas = 0, digits = 0;
    bool   thousands = true;

    for (; at < length; at++) {
        if (text[at] == ',' && digits > 0) {
            thousands = thousands && (commas == 0 || digits == 3);
            digits    = 0;
            commas++;
        } else if (text[at] >= '0' && text[at] <= '9') {
            digits++;
        } else {
            return false;
        }
    }
    return digits > 0 && (commas == 1 || (commas > 1 && thousands && digits == 3));
}

static sdca_status keep_number(sdca_table_profile *p, double number)
{
    if (p->values >= p->capacity) {
        int64_t capacity = p->capacity < 1024 ? 1024 : 2 * p->capacity;
        double *kept     = sdca_alloc_resize(p->kept, (size_t)capacity, sizeof *kept);

        if (kept == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for the median of %lld numbers",
                             (long long)p->values + 1);
        }
        p->kept     = kept;
        p->capacity = capacity;
    }
    p->kept[p->values] = number;
    return SDCA_OK;
}

static void add_number(sdca_table_profile *p, double number)
{
    double count = (double)(p->values + 1);

    p->min            = p->values == 0 || number < p->min ? number : p->min;
    p->max            = p->values == 0 || number > p->max ? number : p->max;
    p->no_row_numbers = p->no_row_numbers || (p->values > 0 && number != p->last + 1.0);
    p->last           = number;
    p->mean += isfinite(number - p->mean) ? (number - p->mean) / count
                                          : number / count - p->mean / count;
}

sdca_status sdca_table_profile_add(sdca_table_profile *p, const sdca_table_value *value,
                                   bool keep)
{
    sdca_status status = SDCA_OK;

    if (value->type == SDCA_VALUE_MISSING) {
        p->first_missing = p->missing++ == 0 ? value->line : p->first_missing;
        return SDCA_OK;
    }
    if (value->type == SDCA_VALUE_NUMBER) {
        SDCA_TRY(keep ? keep_number(p, value->number) : SDCA_OK);
        add_number(p, value->number);
    }
    p->no_dates = p->no_dates || !is_date(value->text, value->length);
    p->no_number_commas =
        p->no_number_commas || !has_number_commas(value->text, value->length);
    p->values++;

done:
    return status;
}

static int by_value(const void *a, const void *b)
{
    const double *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

double sdca_table_profile_median(sdca_table_profile *p)
{
    int64_t half = p->values / 2;

    if (p->kept == NULL || p->values == 0) {
        return 0.0;
    }
    qsort(p->kept, (size_t)p->values, sizeof *p->kept, by_value);
    return p->values % 2 == 1 ? p->kept[half]
                              : 0.5 * p->kept[half - 1] + 0.5 * p->kept[half];
}

bool sdca_table_profile_is_dates(const sdca_table_profile *p)
{
    return p->values > 0 && !p->no_dates;
}

bool sdca_table_profile_is_number_commas(const sdca_table_profile *p)
{
    return p->values > 0 && !p->no_number_commas;
}

bool sdca_table_profile_is_row_numbers(const sdca_table_profile *p)
{
    return p->values >= FEWEST_ROW_NUMBERS && p->missing == 0 && !p->no_row_numbers;
}

void sdca_table_profile_free(sdca_table_profile *p)
{
    free(p->kept);
    p->kept     = NULL;
    p->capacity = 0;
}
