/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_report.c - what was found in a table: its columns, and their missing values. */
#include "data/table_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a message for the names of columns. */
enum { LIST_SIZE = 560, SHORT_LIST_SIZE = 200 };

/* From this share of different values on, and with that many rows, categories are nearly
 * unique. */
static const double nearly_all = 0.8;
enum { FEWEST_CATEGORIES = 20 };

/* Names of columns in a message. */
typedef struct column_list {
    char    text[LIST_SIZE + sizeof(sdca_escaped_string) + 64];
    size_t  length;
    size_t  limit; /* from this length on, further names are left out */
    int64_t count;
} column_list;

static void add_column(column_list *list, const char *format, ...)
    SDCA_PRINTF_FORMAT(2, 3);

/* Add a column, unless the list is full. */
static void add_column(column_list *list, const char *format, ...)
{
    va_list arguments;

    if (list->count++ > 0 && list->length < list->limit) {
        list->length += (size_t)snprintf(list->text + list->length,
                                         sizeof list->text - list->length, ", ");
    }
    va_start(arguments, format);
    if (list->length < list->limit) {
        list->length +=
            (size_t)vsnprintf(list->text + list->length, sizeof list->text - list->length,
                              format, arguments);
    }
    va_end(arguments);
}

static const char *plural_s(const column_list *list)
{
    return list->count == 1 ? "" : "s";
}

/* What follows the names: others, if there are. */
static const char *rest_of(const column_list *list)
{
    return list->length >= list->limit ? ", ..." : "";
}

static column_list list_missing(const sdca_table_encoder *table, size_t limit)
{
    column_list list = { .limit = limit };

    for (int64_t k = 0; k < table->columns; k++) {
        const sdca_table_profile *p = &table->column[k].profile;

        if (p->missing > 0 && table->options.missing == SDCA_MISSING_ERROR) {
            add_column(&list, "'%s' (%lld, %s %lld)",
                       sdca_table_printable_name(table, k).text, (long long)p->missing,
                       p->missing > 1 ? "first in line" : "in line",
                       (long long)p->first_missing);
        }
    }
    return list;
}

static column_list list_too_many(const sdca_table_encoder *table)
{
    column_list list = { .limit = SHORT_LIST_SIZE };

    for (int64_t k = 0; k < table->columns; k++) {
        const sdca_table_column *c = &table->column[k];

        if (c->too_many) {
            add_column(&list, "'%s'%s", sdca_table_printable_name(table, k).text,
                       sdca_table_profile_is_dates(&c->profile) ? " (dates)"
                       : c->all_differ ? " (another in every row)"
                                       : "");
        }
    }
    return list;
}

sdca_status sdca_table_check_columns(const sdca_table_encoder *table)
{
    static const char remedies[] =
        "--missing mean, median or category encodes them, --missing drop leaves out "
        "their rows, --drop leaves out columns";
    column_list many = list_too_many(table);
    column_list missing =
        list_missing(table, many.count > 0 ? SHORT_LIST_SIZE : LIST_SIZE);
    char gaps[SDCA_MESSAGE_SIZE] = "";

    if (many.count == 0) {
        return missing.count == 0
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_DATA,
                               "%s: values are missing in %lld column%s: %s%s; %s",
                               table->name, (long long)missing.count, plural_s(&missing),
                               missing.text, rest_of(&missing), remedies);
    }
    if (missing.count > 0) {
        snprintf(gaps, sizeof gaps, "; values are missing in %lld column%s: %s%s; %s",
                 (long long)missing.count, plural_s(&missing), missing.text,
                 rest_of(&missing), remedies);
    }
    return SDCA_FAIL(SDCA_DATA,
                     "%s: %lld column%s more than %lld categor%s: %s%s; --drop leaves "
                     "out columns, --hash N shares N columns among their categories, "
                     "--categories N allows more%s",
                     table->name, (long long)many.count,
                     many.count == 1 ? " has" : "s have",
                     (long long)table->options.max_categories,
                     table->options.max_categories == 1 ? "y" : "ies", many.text,
                     rest_of(&many), gaps);
}

int64_t sdca_table_encoder_column_count(const sdca_table_encoder *table)
{
    return table->columns;
}

static sdca_table_role find_role(const sdca_table_encoder *table, int64_t k)
{
    const sdca_table_column *c = &table->column[k];

    return k == table->label                              ? SDCA_ROLE_LABEL
           : k == table->weight                           ? SDCA_ROLE_WEIGHT
           : k == table->group                            ? SDCA_ROLE_GROUP
           : c->dropped || c->kind == SDCA_COLUMN_UNKNOWN ? SDCA_ROLE_DROPPED
           : c->kind == SDCA_COLUMN_NUMERIC               ? SDCA_ROLE_NUMBER
           : c->hashed                                    ? SDCA_ROLE_HASHED
                                                          : SDCA_ROLE_CATEGORIES;
}

sdca_table_column_info sdca_table_encoder_describe(const sdca_table_encoder *table,
                                                   int64_t                   k)
{
    const sdca_table_column  *c    = &table->column[k];
    const sdca_table_profile *p    = &c->profile;
    sdca_table_column_info    info = { .name       = table->column_names.text[k],
                                       .values     = p->values,
                                       .missing    = p->missing,
                                       .min        = p->min,
                                       .max        = p->max,
                                       .fill       = c->fill,
                                       .categories = &c->categories,
                                       .features   = c->features };
    bool                      text;

    info.role = find_role(table, k);
    text      = info.role == SDCA_ROLE_CATEGORIES || info.role == SDCA_ROLE_HASHED;
    info.row_numbers =
        info.role == SDCA_ROLE_NUMBER && sdca_table_profile_is_row_numbers(p);
    info.dates         = text && sdca_table_profile_is_dates(p);
    info.number_commas = text && sdca_table_profile_is_number_commas(p);
    info.nearly_unique = info.role == SDCA_ROLE_CATEGORIES &&
                         table->options.like == NULL && p->values >= FEWEST_CATEGORIES &&
                         (double)c->categories.count >= nearly_all * (double)p->values;
    return info;
}

sdca_table_encoder_stats sdca_table_encoder_get_stats(const sdca_table_encoder *table)
{
    sdca_table_encoder_stats stats = { .header = table->header };

    stats.label =
        table->label != SDCA_NO_COLUMN ? table->column_names.text[table->label] : NULL;
    stats.weight =
        table->weight != SDCA_NO_COLUMN ? table->column_names.text[table->weight] : NULL;
    for (int64_t j = 0; j < table->feature_columns; j++) {
        stats.numeric +=
            table->column[table->feature_column[j]].kind == SDCA_COLUMN_NUMERIC;
    }
    stats.categorical = table->feature_columns - stats.numeric;
    stats.unknown     = table->unknown;
    stats.absent      = table->absent;
    stats.left_out    = table->left_out;
    stats.new_missing = table->new_missing;
    stats.unknown_column =
        table->unknown > 0 ? table->column_names.text[table->unknown_column] : NULL;
    return stats;
}
