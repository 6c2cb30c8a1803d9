/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_choice.c - which columns a table has, and what the options want of them. */
#include "table_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sdca/memory.h"
#include "sdca/number.h"

/* Bytes of a sentence for the names of columns. */
enum { LISTED = 400 };

static sdca_status make_columns(sdca_table *table, int64_t count)
{
    table->columns = count;
    table->column  = sdca_alloc_zeroed((size_t)count, sizeof *table->column);
    table->order   = sdca_alloc_array((size_t)count, sizeof *table->order);
    table->index   = sdca_alloc_array((size_t)count, sizeof *table->index);
    table->value   = sdca_alloc_array((size_t)count, sizeof *table->value);
    return table->column != NULL && table->order != NULL && table->index != NULL &&
                   table->value != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld columns", (long long)count);
}

static bool has_number(const sdca_csv_record *record)
{
    for (int64_t k = 0; k < record->count; k++) {
        if (sdca_word_read(record, k).meaning == SDCA_WORD_NUMBER) {
            return true;
        }
    }
    return false;
}

/* The names in the first record; a column without one is called by its number. */
static sdca_status take_names(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;
    char        number[32];

    for (int64_t k = 0; k < record->count; k++) {
        sdca_word w = sdca_word_read(record, k);

        if (!table->header || w.length == 0) {
            snprintf(number, sizeof number, "%lld", (long long)k + 1);
            w.text   = number;
            w.length = strlen(number);
        }
        SDCA_TRY(sdca_word_check_utf8(&w, table->name));
        SDCA_TRY(sdca_string_list_append(&table->names, w.text, w.length));
    }

done:
    return status;
}

int64_t sdca_table_find(const sdca_table *table, const char *text, size_t length)
{
    int64_t found = SDCA_NO_COLUMN, number = 0;

    for (int64_t k = 0; k < table->columns; k++) {
        const char *name = table->names.text[k];

        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            found = found == SDCA_NO_COLUMN ? k : SDCA_TWO_COLUMNS;
        }
    }
    if (found == SDCA_NO_COLUMN && length > 0 &&
        sdca_parse_int64(text, text + length, &number) == text + length && number >= 1 &&
        number <= table->columns) {
        return number - 1;
    }
    return found;
}

/* A complaint about the choice of a column, with all there are. */
static sdca_status complain_of_choice(const sdca_table *table, const char *what)
{
    char   list[LISTED + sizeof(sdca_escaped_string) + 16] = "";
    size_t used                                            = 0;

    for (int64_t k = 0; k < table->columns; k++) {
        if (used > LISTED) {
            snprintf(list + used, sizeof list - used, ", ...");
            break;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 k > 0 ? ", " : "", sdca_table_shown_name(table, k).text);
    }
    return SDCA_FAIL(SDCA_USAGE, "%s: %s; its %lld column%s %s: %s%s", table->name, what,
                     (long long)table->columns, table->columns == 1 ? "" : "s",
                     table->columns == 1 ? "is" : "are", list,
                     table->header ? "" : " (--header yes takes names from line 1)");
}

/* The column that an option means, which has to be one. */
static sdca_status choose_column(const sdca_table *table, const char *option,
                                 const char *text, size_t length, int64_t *out)
{
    int64_t found = sdca_table_find(table, text, length);
    char    what[8 * SDCA_ESCAPED_LENGTH];

    if (found >= 0) {
        *out = found;
        return SDCA_OK;
    }
    snprintf(what, sizeof what, "%s column is called '%s', which %s asks for",
             found == SDCA_TWO_COLUMNS ? "more than one" : "no",
             sdca_string_escape(text, length).text, option);
    return complain_of_choice(table, what);
}

/* Labels are in the column that was asked for, or in the only one that has a name of
 * the kind. */
static sdca_status choose_label(sdca_table *table)
{
    static const char *const usual[] = { "label", "y", "target", "class" };
    const char              *label   = table->options.label;
    int                      found   = 0;

    if (table->options.unlabelled) {
        return SDCA_OK;
    }
    if (label != NULL) {
        return choose_column(table, "--label", label, strlen(label), &table->label);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        for (size_t j = 0; j < sizeof usual / sizeof usual[0]; j++) {
            if (strcasecmp(table->names.text[k], usual[j]) == 0) {
                table->label = k;
                found++;
            }
        }
    }
    if (found == 1) {
        return SDCA_OK;
    }
    return complain_of_choice(
        table, found == 0
                   ? "no column is called label, y, target or class, so --label has to "
                     "name one (or --no-label say that there is none)"
                   : "more than one column may be the label, so --label has to name it");
}

/* The columns of a list, which an option has. */
static sdca_status mark_columns(sdca_table *table, const char *option, const char *list,
                                bool drop)
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
        table->column[k].dropped |= drop;
        table->column[k].forced |= !drop;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }

done:
    return status;
}

/* One field with what often parts fields in it was probably meant to be several. */
static sdca_status check_parted(const sdca_table *table, const sdca_csv_record *record)
{
    static const char *const separators[][2] = {
        { ",", "','" }, { ";", "';'" }, { "\t", "tab" }, { "|", "'|'" }
    };
    const sdca_csv_field *field = &record->field[0];

    if (table->options.parted || record->count > 1 || field->quoted) {
        return SDCA_OK;
    }
    for (size_t k = 0; k < sizeof separators / sizeof separators[0]; k++) {
        if (memchr(field->text, separators[k][0][0], field->length) != NULL) {
            return SDCA_FAIL(SDCA_USAGE,
                             "%s, line %lld: '%s' is one field; --separator %s makes it "
                             "more",
                             table->name, (long long)record->line,
                             sdca_string_escape(field->text, field->length).text,
                             separators[k][1]);
        }
    }
    return SDCA_OK;
}

sdca_status sdca_table_begin(sdca_table *table, const sdca_csv_record *record)
{
    const sdca_table_options *options = &table->options;
    sdca_status               status  = SDCA_OK;

    table->begun  = true;
    table->line   = record->line;
    table->header = options->header == SDCA_HEADER_YES ||
                    (options->header == SDCA_HEADER_AUTO && !has_number(record));
    SDCA_TRY(check_parted(table, record));
    SDCA_TRY(make_columns(table, record->count));
    SDCA_TRY(take_names(table, record));
    SDCA_TRY(choose_label(table));
    SDCA_TRY(mark_columns(table, "--categorical", options->categorical, false));
    SDCA_TRY(mark_columns(table, "--drop", options->drop, true));
    if (options->like != NULL) {
        SDCA_TRY(sdca_table_adopt(table));
    }

done:
    return status;
}
