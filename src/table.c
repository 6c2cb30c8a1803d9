/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.c - rows of numbers from the records of a table of text. */
#include "table_column.h"

#include <stdio.h>
#include <stdlib.h>

sdca_status sdca_table_create(const char *name, sdca_table_options options,
                              sdca_svmlight_callback *take, void *context,
                              sdca_table **out)
{
    sdca_table *table = malloc(sizeof *table);

    if (table == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    *table = (sdca_table){ .name    = name,
                           .options = options,
                           .take    = take,
                           .context = context,
                           .label   = SDCA_NO_COLUMN };
    *out   = table;
    return SDCA_OK;
}

void sdca_table_free(sdca_table *table)
{
    if (table == NULL) {
        return;
    }
    for (int64_t k = 0; table->column != NULL && k < table->columns; k++) {
        sdca_string_list_free(&table->column[k].categories);
    }
    sdca_string_list_free(&table->names);
    sdca_legend_free(&table->legend);
    free(table->column);
    free(table->order);
    free(table->index);
    free(table->value);
    free(table);
}

static sdca_status complain(const sdca_table *table, const sdca_word *w, const char *what)
{
    return SDCA_FAIL(SDCA_DATA, "%s, line %lld, column '%s': '%s' %s", table->name,
                     (long long)w->line, sdca_table_shown_name(table, w->column).text,
                     sdca_string_escape(w->text, w->length).text, what);
}

/* Is this a value as the column has them? */
static sdca_status judge(const sdca_table *table, const sdca_word *w)
{
    const sdca_column *c = &table->column[w->column];

    switch (w->meaning) {
    case SDCA_WORD_MISSING:
        return complain(table, w,
                        "is a missing value, and rows must be complete: fill it in, "
                        "leave out the row, or leave out the column with --drop");
    case SDCA_WORD_INFINITE:
        return complain(table, w, "is not finite, and only finite numbers are data");
    case SDCA_WORD_NUMBER:
        return c->kind == SDCA_COLUMN_CATEGORIES && !c->forced
                   ? complain(table, w,
                              "is a number where the first value is none; with "
                              "--categorical, numbers are categories as well")
                   : SDCA_OK;
    case SDCA_WORD_TEXT:
        break;
    }
    return c->kind == SDCA_COLUMN_NUMBERS
               ? complain(table, w,
                          "is not a number as the first value is; with --categorical, "
                          "all values are categories")
               : SDCA_OK;
}

/* Remember a category that was not seen before. */
static sdca_status note_category(sdca_table *table, const sdca_word *w)
{
    sdca_string_list *categories = &table->column[w->column].categories;
    bool              label      = w->column == table->label;
    int64_t           place      = 0;
    sdca_status       status     = SDCA_OK;
    char              what[128];

    if (sdca_string_list_find(categories, w->text, w->length, &place)) {
        return SDCA_OK;
    }
    status = sdca_word_check_utf8(w, table->name);
    if (status != SDCA_OK) {
        return status;
    }
    if (label && !table->options.classifies) {
        return complain(table, w, "is not a number, as regression needs");
    }
    if (label && categories->count == 2) {
        return complain(table, w, "is the third label, where classification takes two");
    }
    if (categories->count == table->options.categories) {
        snprintf(what, sizeof what,
                 "is one more than %lld categories; --categories N allows more, --drop "
                 "leaves out the column",
                 (long long)table->options.categories);
        return complain(table, w, what);
    }
    return sdca_string_list_insert(categories, place, w->text, w->length);
}

static sdca_status learn(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < table->columns; k++) {
        sdca_column *c = &table->column[k];
        sdca_word    w = sdca_word_read(record, k);

        if (c->dropped) {
            continue;
        }
        if (c->kind == SDCA_COLUMN_UNKNOWN) {
            c->kind = w.meaning == SDCA_WORD_NUMBER && !c->forced
                          ? SDCA_COLUMN_NUMBERS
                          : SDCA_COLUMN_CATEGORIES;
        }
        SDCA_TRY(judge(table, &w));
        if (c->kind == SDCA_COLUMN_CATEGORIES) {
            SDCA_TRY(note_category(table, &w));
        }
    }
    table->rows++;

done:
    return status;
}

/* The value of a column of numbers, or the place of its category. */
static sdca_status read_value(const sdca_table *table, const sdca_csv_record *record,
                              int64_t k, double *number, int64_t *place)
{
    const sdca_column *c      = &table->column[k];
    sdca_word          w      = sdca_word_read(record, k);
    sdca_status        status = judge(table, &w);

    if (status == SDCA_OK && c->kind == SDCA_COLUMN_CATEGORIES &&
        !sdca_string_list_find(&c->categories, w.text, w.length, place)) {
        status = complain(table, &w,
                          table->options.like != NULL ? "is not a category of --like"
                                                      : "has changed while it was read");
    }
    *number = w.number;
    return status;
}

static sdca_status hand_over(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status       status = SDCA_OK;
    sdca_svmlight_row row    = { .line   = record->line,
                                 .column = table->index,
                                 .value  = table->value };
    int64_t           place  = 0;

    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(read_value(table, record, table->label, &row.label, &place));
        if (table->column[table->label].kind == SDCA_COLUMN_CATEGORIES) {
            row.label = (double)place;
        }
    }
    for (int64_t j = 0; j < table->used; j++) {
        const sdca_column *c      = &table->column[table->order[j]];
        double             number = 0.0;

        SDCA_TRY(read_value(table, record, table->order[j], &number, &place));
        if (c->kind == SDCA_COLUMN_CATEGORIES || number != 0.0) {
            table->index[row.count] =
                (int32_t)(c->first + (c->kind == SDCA_COLUMN_CATEGORIES ? place : 0));
            table->value[row.count] = c->kind == SDCA_COLUMN_CATEGORIES ? 1.0 : number;
            row.count++;
        }
    }
    SDCA_TRY(table->take(table->context, &row));

done:
    return status;
}

sdca_status sdca_table_take(void *context, const sdca_csv_record *record)
{
    sdca_table *table  = context;
    sdca_status status = SDCA_OK;

    if (!table->begun) {
        SDCA_TRY(sdca_table_begin(table, record));
    }
    if (record->count != table->columns) {
        status =
            SDCA_FAIL(SDCA_DATA, "%s, line %lld: %lld field%s where line %lld has %lld",
                      table->name, (long long)record->line, (long long)record->count,
                      record->count == 1 ? "" : "s", (long long)table->line,
                      (long long)table->columns);
        goto done;
    }
    if (table->records++ > 0 || !table->header) {
        SDCA_TRY(table->settled ? hand_over(table, record) : learn(table, record));
    }

done:
    return status;
}

sdca_table_facts sdca_table_describe(const sdca_table *table)
{
    sdca_table_facts facts = { .header = table->header };

    facts.label = table->label != SDCA_NO_COLUMN ? table->names.text[table->label] : NULL;
    for (int64_t j = 0; j < table->used; j++) {
        facts.numbers += table->column[table->order[j]].kind == SDCA_COLUMN_NUMBERS;
    }
    facts.categories = table->used - facts.numbers;
    return facts;
}
