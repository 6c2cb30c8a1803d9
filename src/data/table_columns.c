/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_columns.c - the columns of a table, and the options that select them. */
#include "data/table_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/parse_number.h"

/* Bytes of a message for the names of columns. */
enum { LIST_SIZE = 400 };

/* A number of a column may have a second column of X that says whether it is missing. */
static sdca_status allocate_columns(sdca_table_encoder *table, int64_t count)
{
    table->columns = count;
    table->column  = sdca_alloc_zeroed((size_t)count, sizeof *table->column);
    table->feature_column =
        sdca_alloc_array((size_t)count, sizeof *table->feature_column);
    table->feature = sdca_alloc_array(2 * (size_t)count, sizeof *table->feature);
    table->value   = sdca_alloc_array(2 * (size_t)count, sizeof *table->value);
    for (int64_t k = 0; table->column != NULL && k < count; k++) {
        table->column[k].missing_feature = SDCA_NO_FEATURE;
    }
    return table->column != NULL && table->feature_column != NULL &&
                   table->feature != NULL && table->value != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld columns", (long long)count);
}

static bool has_number(const sdca_csv_record *record)
{
    for (int64_t k = 0; k < record->count; k++) {
        if (sdca_table_value_parse(record, k).type == SDCA_VALUE_NUMBER) {
            return true;
        }
    }
    return false;
}

/* The names in the first record; a column without a name is called by its number. */
static sdca_status read_column_names(sdca_table_encoder    *table,
                                     const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;
    char        number[32];

    for (int64_t k = 0; k < record->count; k++) {
        sdca_table_value value = sdca_table_value_parse(record, k);

        if (!table->header || value.length == 0) {
            snprintf(number, sizeof number, "%lld", (long long)k + 1);
            value.text   = number;
            value.length = strlen(number);
        }
        SDCA_TRY(sdca_table_value_check_utf8(&value, table->name));
        SDCA_TRY(sdca_string_list_append(&table->column_names, value.text, value.length));
    }

done:
    return status;
}

int64_t sdca_table_find_name(const sdca_table_encoder *table, const char *text,
                             size_t length)
{
    int64_t found = SDCA_NO_COLUMN;

    for (int64_t k = 0; k < table->columns; k++) {
        const char *name = table->column_names.text[k];

        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            found = found == SDCA_NO_COLUMN ? k : SDCA_AMBIGUOUS_COLUMN;
        }
    }
    return found;
}

/* The column of that name or else of that number. */
static int64_t find_column(const sdca_table_encoder *table, const char *text,
                           size_t length)
{
    int64_t found = sdca_table_find_name(table, text, length), number = 0;

    if (found == SDCA_NO_COLUMN && length > 0 &&
        sdca_parse_int64(text, text + length, &number) == text + length && number >= 1 &&
        number <= table->columns) {
        return number - 1;
    }
    return found;
}

/* Fail because of a wrong column, listing all columns. */
static sdca_status fail_column_choice(const sdca_table_encoder *table, const char *what)
{
    char   list[LIST_SIZE + sizeof(sdca_escaped_string) + 16] = "";
    size_t length                                             = 0;

    for (int64_t k = 0; k < table->columns; k++) {
        if (length > LIST_SIZE) {
            snprintf(list + length, sizeof list - length, ", ...");
            break;
        }
        length +=
            (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                             k > 0 ? ", " : "", sdca_table_printable_name(table, k).text);
    }
    return SDCA_FAIL(SDCA_USAGE, "%s: %s; its %lld column%s %s: %s%s", table->name, what,
                     (long long)table->columns, table->columns == 1 ? "" : "s",
                     table->columns == 1 ? "is" : "are", list,
                     table->header ? "" : " (--header yes takes names from line 1)");
}

/* The column that an option names, which must exist. */
static sdca_status choose_column(const sdca_table_encoder *table, const char *option,
                                 const char *text, size_t length, int64_t *out)
{
    int64_t found = find_column(table, text, length);
    char    what[8 * SDCA_ESCAPED_LENGTH];

    if (found >= 0) {
        *out = found;
        return SDCA_OK;
    }
    snprintf(what, sizeof what, "%s column is called '%s', which %s asks for",
             found == SDCA_AMBIGUOUS_COLUMN ? "more than one" : "no",
             sdca_string_escape(text, length).text, option);
    return fail_column_choice(table, what);
}

sdca_status sdca_table_encoder_begin(sdca_table_encoder    *table,
                                     const sdca_csv_record *record)
{
    return table->started ? SDCA_OK : sdca_table_set_columns(table, record);
}

const char *sdca_table_encoder_column_name(const sdca_table_encoder *table,
                                           int64_t                   column)
{
    return table->column_names.text[column];
}

sdca_status sdca_table_encoder_find_column(const sdca_table_encoder *table,
                                           const char *option, const char *text,
                                           size_t length, int64_t *out)
{
    return choose_column(table, option, text, length, out);
}

/* The column that the schema calls by name, if the table has one of that name. */
static sdca_status choose_by_schema(const sdca_table_encoder *table,
                                    const sdca_string_list *name, int64_t *out)
{
    int64_t found = name->count > 0 ? sdca_table_find_name(table, name->text[0],
                                                           strlen(name->text[0]))
                                    : SDCA_NO_COLUMN;

    if (found == SDCA_AMBIGUOUS_COLUMN) {
        return SDCA_FAIL(SDCA_DATA, "%s: more than one column is called '%s'",
                         table->name, name->text[0]);
    }
    *out = found;
    return SDCA_OK;
}

/* Find the label column: the given one, or the only one with a usual name. */
static sdca_status choose_label(sdca_table_encoder *table)
{
    static const char *const default_names[] = { "label", "y", "target", "class" };
    const char              *label           = table->options.label;
    int                      found           = 0;

    if (table->options.unlabelled) {
        return SDCA_OK;
    }
    if (label != NULL) {
        return choose_column(table, "--label", label, strlen(label), &table->label);
    }
    if (table->options.scores) {
        return choose_by_schema(table, &table->options.like->label, &table->label);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        for (size_t j = 0; j < sizeof default_names / sizeof default_names[0]; j++) {
            if (strcasecmp(table->column_names.text[k], default_names[j]) == 0) {
                table->label = k;
                found++;
            }
        }
    }
    if (found == 1) {
        return SDCA_OK;
    }
    return fail_column_choice(
        table, found == 0
                   ? "no column is called label, y, target or class, so --label has to "
                     "name one (or --no-label say that there is none)"
                   : "more than one column may be the label, so --label has to name it");
}

/* Find the column of sample weights, if there is one. */
static sdca_status choose_weight(sdca_table_encoder *table)
{
    const char *weight = table->options.weight;
    sdca_status status = SDCA_OK;

    if (weight != NULL) {
        SDCA_TRY(
            choose_column(table, "--weight", weight, strlen(weight), &table->weight));
    } else if (table->options.scores && !table->options.unweighted) {
        SDCA_TRY(choose_by_schema(table, &table->options.like->weight, &table->weight));
    }
    if (table->weight == SDCA_NO_COLUMN) {
        return SDCA_OK;
    }
    if (table->weight == table->label) {
        return SDCA_FAIL(SDCA_USAGE, "%s: --weight names the label", table->name);
    }
    table->column[table->weight].kind = SDCA_COLUMN_NUMERIC;

done:
    return status;
}

/* Find the column of groups, which is not a feature. */
static sdca_status choose_group(sdca_table_encoder *table)
{
    const char *group  = table->options.group;
    sdca_status status = SDCA_OK;

    if (group == NULL) {
        return SDCA_OK;
    }
    SDCA_TRY(choose_column(table, "--group", group, strlen(group), &table->group));
    if (table->group == table->label || table->group == table->weight) {
        return SDCA_FAIL(SDCA_USAGE, "%s: --group names the %s", table->name,
                         table->group == table->label ? "label" : "column of --weight");
    }
    table->column[table->group].dropped = true;

done:
    return status;
}

/* Mark the columns in the list of an option. */
static sdca_status mark_columns(sdca_table_encoder *table, const char *option,
                                const char *list, bool drop)
{
    sdca_status status = SDCA_OK;

    while (list != NULL) {
        size_t  length = strcspn(list, ",");
        int64_t k      = 0;

        SDCA_TRY(choose_column(table, option, list, length, &k));
        if (drop && k == table->label) {
            status = SDCA_FAIL(SDCA_USAGE, "%s: --drop names the label", table->name);
            goto done;
        }
        if (k == table->weight || k == table->group) {
            status = SDCA_FAIL(SDCA_USAGE, "%s: %s names the column of --%s", table->name,
                               option, k == table->weight ? "weight" : "group");
            goto done;
        }
        table->column[k].dropped |= drop;
        table->column[k].allows_numbers |= !drop;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }

done:
    return status;
}

/* Fail if the only field contains a common separator. */
static sdca_status check_separator(const sdca_table_encoder *table,
                                   const sdca_csv_record    *record)
{
    static const char *const separators[][2] = {
        { ",", "','" }, { ";", "';'" }, { "\t", "tab" }, { "|", "'|'" }
    };
    const sdca_csv_field *field = &record->field[0];

    if (table->options.separator_given || record->count > 1 || field->quoted) {
        return SDCA_OK;
    }
    for (size_t k = 0; k < sizeof separators / sizeof separators[0]; k++) {
        if (memchr(field->text, separators[k][0][0], field->length) != NULL) {
            return SDCA_FAIL(
                SDCA_USAGE, "%s, line %lld: '%s' is one field; --separator %s splits it",
                table->name, (long long)record->line,
                sdca_string_escape(field->text, field->length).text, separators[k][1]);
        }
    }
    return SDCA_OK;
}

sdca_status sdca_table_set_columns(sdca_table_encoder    *table,
                                   const sdca_csv_record *record)
{
    const sdca_table_encoder_options *options = &table->options;
    sdca_status                       status  = SDCA_OK;

    table->started    = true;
    table->first_line = record->line;
    table->header     = options->header == SDCA_HEADER_YES ||
                    (options->header == SDCA_HEADER_AUTO && !has_number(record));
    SDCA_TRY(check_separator(table, record));
    SDCA_TRY(allocate_columns(table, record->count));
    SDCA_TRY(read_column_names(table, record));
    SDCA_TRY(choose_label(table));
    SDCA_TRY(choose_weight(table));
    SDCA_TRY(choose_group(table));
    SDCA_TRY(mark_columns(table, "--categorical", options->categorical, false));
    SDCA_TRY(mark_columns(table, "--drop", options->drop, true));
    if (options->like != NULL) {
        SDCA_TRY(sdca_table_fit_like(table));
    }

done:
    return status;
}
