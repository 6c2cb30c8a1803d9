/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_value.c - classifying the values of a table. */
#include "data/table_value.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/parse_number.h"
#include "base/string_list.h"

static bool is_one_of(const sdca_table_value *value, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strlen(*list) == value->length &&
            strncasecmp(*list, value->text, value->length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

sdca_table_value sdca_table_value_parse(const sdca_csv_record *record, int64_t column)
{
    static const char *const missing[]  = { "",    "NA",   "N/A",  "#N/A", "<NA>",
                                            "NaN", "null", "None", "?",    NULL };
    static const char *const infinite[] = { "inf",       "-inf",      "+inf", "infinity",
                                            "-infinity", "+infinity", NULL };
    const sdca_csv_field    *field      = &record->field[column];
    sdca_table_value         value      = { .type   = SDCA_VALUE_TEXT,
                                            .text   = field->text,
                                            .length = field->length,
                                            .line   = record->line,
                                            .column = column };
    const char              *end;

    while (!field->quoted && value.length > 0 && is_blank(*value.text)) {
        value.text++;
        value.length--;
    }
    while (!field->quoted && value.length > 0 && is_blank(value.text[value.length - 1])) {
        value.length--;
    }
    end = value.text + value.length;
    if (value.length > 0 && sdca_parse_double(value.text, end, &value.number) == end) {
        value.type = isfinite(value.number) ? SDCA_VALUE_NUMBER : SDCA_VALUE_INFINITE;
    } else if (value.length == 0 || (!field->quoted && is_one_of(&value, missing))) {
        value.type = SDCA_VALUE_MISSING;
    } else if (!field->quoted && is_one_of(&value, infinite)) {
        value.type = SDCA_VALUE_INFINITE;
    }
    return value;
}

uint64_t sdca_table_value_hash(const sdca_table_value *value)
{
    uint64_t hash = 14695981039346656037U;

    for (size_t k = 0; k < value->length; k++) {
        hash = (hash ^ (unsigned char)value->text[k]) * 1099511628211U;
    }
    return hash;
}

sdca_status sdca_table_value_check_utf8(const sdca_table_value *value, const char *table)
{
    return sdca_string_is_utf8(value->text, value->length)
               ? SDCA_OK
               : SDCA_FAIL(
                     SDCA_DATA,
                     "%s, line %lld: '%s' is not UTF-8; iconv can make it so, as in "
                     "iconv -f latin1 -t utf8",
                     table, (long long)value->line,
                     sdca_string_escape(value->text, value->length).text);
}
