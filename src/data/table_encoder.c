/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_encoder.c - encoding the records of a text table as rows of numbers. */
#include "data/table_private.h"

#include <stdio.h>
#include <stdlib.h>

#include "data/label_counts.h"

sdca_status sdca_table_encoder_create(const char                *name,
                                      sdca_table_encoder_options options,
                                      sdca_svmlight_callback *row_callback, void *context,
                                      sdca_table_encoder **out)
{
    sdca_table_encoder *table = malloc(sizeof *table);

    if (table == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    *table = (sdca_table_encoder){ .name         = name,
                                   .options      = options,
                                   .row_callback = row_callback,
                                   .context      = context,
                                   .label        = SDCA_NO_COLUMN,
                                   .weight       = SDCA_NO_COLUMN };
    *out   = table;
    return SDCA_OK;
}

void sdca_table_encoder_free(sdca_table_encoder *table)
{
    if (table == NULL) {
        return;
    }
    for (int64_t k = 0; table->column != NULL && k < table->columns; k++) {
        sdca_string_list_free(&table->column[k].categories);
    }
    sdca_string_list_free(&table->column_names);
    sdca_feature_names_free(&table->features);
    free(table->column);
    free(table->feature_column);
    free(table->feature);
    free(table->value);
    free(table);
}

static sdca_status fail_value(const sdca_table_encoder *table,
                              const sdca_table_value *value, const char *what)
{
    return SDCA_FAIL(SDCA_DATA, "%s, line %lld, column '%s': '%s' %s", table->name,
                     (long long)value->line,
                     sdca_table_printable_name(table, value->column).text,
                     sdca_string_escape(value->text, value->length).text, what);
}

/* Whether a value fits the type of its column. */
static sdca_status check_value(const sdca_table_encoder *table,
                               const sdca_table_value   *value)
{
    const sdca_table_column *c = &table->column[value->column];

    if (value->column == table->weight) {
        return value->type == SDCA_VALUE_NUMBER && value->number >= 0.0
                   ? SDCA_OK
                   : fail_value(table, value,
                                "is not a weight, which is a finite number of 0 or more");
    }
    switch (value->type) {
    case SDCA_VALUE_MISSING:
        return fail_value(table, value,
                          "is a missing value, and rows must be complete: fill it in, "
                          "leave out the row, or leave out the column with --drop");
    case SDCA_VALUE_INFINITE:
        return fail_value(table, value,
                          "is not finite, and only finite numbers are data");
    case SDCA_VALUE_NUMBER:
        return c->kind == SDCA_COLUMN_CATEGORICAL && !c->allows_numbers
                   ? fail_value(table, value,
                                "is a number where the first value is none; with "
                                "--categorical, numbers are categories as well")
                   : SDCA_OK;
    case SDCA_VALUE_TEXT:
        break;
    }
    return c->kind == SDCA_COLUMN_NUMERIC
               ? fail_value(table, value,
                            "is not a number as the first value is; with --categorical, "
                            "all values are categories")
               : SDCA_OK;
}

/* Add a category if it is new. */
static sdca_status add_category(sdca_table_encoder *table, const sdca_table_value *value)
{
    sdca_string_list *categories = &table->column[value->column].categories;
    bool              label      = value->column == table->label;
    int64_t           category   = 0;
    sdca_status       status     = SDCA_OK;
    char              what[128];

    if (sdca_string_list_find(categories, value->text, value->length, &category)) {
        return SDCA_OK;
    }
    status = sdca_table_value_check_utf8(value, table->name);
    if (status != SDCA_OK) {
        return status;
    }
    if (label && !table->options.classifies) {
        return fail_value(table, value, "is not a number, as regression needs");
    }
    if (label && categories->count == SDCA_MAX_CLASSES) {
        snprintf(what, sizeof what, "is one more than %d labels, the most that there are",
                 SDCA_MAX_CLASSES);
        return fail_value(table, value, what);
    }
    if (!label && categories->count == table->options.max_categories) {
        snprintf(what, sizeof what,
                 "is one more than %lld categories; --categories N allows more, --drop "
                 "leaves out the column",
                 (long long)table->options.max_categories);
        return fail_value(table, value, what);
    }
    return sdca_string_list_insert(categories, category, value->text, value->length);
}

static sdca_status fit_record(sdca_table_encoder *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < table->columns; k++) {
        sdca_table_column *c     = &table->column[k];
        sdca_table_value   value = sdca_table_value_parse(record, k);

        if (c->dropped) {
            continue;
        }
        if (c->kind == SDCA_COLUMN_UNKNOWN) {
            c->kind = value.type == SDCA_VALUE_NUMBER && !c->allows_numbers
                          ? SDCA_COLUMN_NUMERIC
                          : SDCA_COLUMN_CATEGORICAL;
        }
        SDCA_TRY(check_value(table, &value));
        if (c->kind == SDCA_COLUMN_CATEGORICAL) {
            SDCA_TRY(add_category(table, &value));
        }
    }
    table->rows++;

done:
    return status;
}

/* The value of a numeric column, or the index of a category. */
static sdca_status encode_value(const sdca_table_encoder *table,
                                const sdca_csv_record *record, int64_t k, double *number,
                                int64_t *category)
{
    const sdca_table_column *c      = &table->column[k];
    sdca_table_value         value  = sdca_table_value_parse(record, k);
    sdca_status              status = check_value(table, &value);

    if (status == SDCA_OK && c->kind == SDCA_COLUMN_CATEGORICAL &&
        !sdca_string_list_find(&c->categories, value.text, value.length, category)) {
        status =
            fail_value(table, &value,
                       table->options.like != NULL ? "is not a category of --like"
                                                   : "has changed while it was read");
    }
    *number = value.number;
    return status;
}

static sdca_status encode_record(sdca_table_encoder *table, const sdca_csv_record *record)
{
    sdca_status       status   = SDCA_OK;
    sdca_svmlight_row row      = { .line   = record->line,
                                   .weight = 1.0,
                                   .column = table->feature,
                                   .value  = table->value };
    int64_t           category = 0;

    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(encode_value(table, record, table->label, &row.label, &category));
        if (table->column[table->label].kind == SDCA_COLUMN_CATEGORICAL) {
            row.label = (double)category;
        }
    }
    if (table->weight != SDCA_NO_COLUMN) {
        SDCA_TRY(encode_value(table, record, table->weight, &row.weight, &category));
    }
    for (int64_t j = 0; j < table->feature_columns; j++) {
        const sdca_table_column *c      = &table->column[table->feature_column[j]];
        double                   number = 0.0;

        SDCA_TRY(
            encode_value(table, record, table->feature_column[j], &number, &category));
        if (c->kind == SDCA_COLUMN_CATEGORICAL || number != 0.0) {
            table->feature[row.count] =
                (int32_t)(c->first_feature +
                          (c->kind == SDCA_COLUMN_CATEGORICAL ? category : 0));
            table->value[row.count] = c->kind == SDCA_COLUMN_CATEGORICAL ? 1.0 : number;
            row.count++;
        }
    }
    SDCA_TRY(table->row_callback(table->context, &row));

done:
    return status;
}

sdca_status sdca_table_encoder_add_record(void *context, const sdca_csv_record *record)
{
    sdca_table_encoder *table  = context;
    sdca_status         status = SDCA_OK;

    if (!table->started) {
        SDCA_TRY(sdca_table_set_columns(table, record));
    }
    if (record->count != table->columns) {
        status =
            SDCA_FAIL(SDCA_DATA, "%s, line %lld: %lld field%s where line %lld has %lld",
                      table->name, (long long)record->line, (long long)record->count,
                      record->count == 1 ? "" : "s", (long long)table->first_line,
                      (long long)table->columns);
        goto done;
    }
    if (table->records++ > 0 || !table->header) {
        SDCA_TRY(table->fitted ? encode_record(table, record)
                               : fit_record(table, record));
    }

done:
    return status;
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
    return stats;
}
