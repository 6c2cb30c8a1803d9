/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_encoder.c - encoding the records of a text table as rows of numbers. */
#include "data/table_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
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
                                   .weight       = SDCA_NO_COLUMN,
                                   .group        = SDCA_NO_COLUMN };
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
        sdca_table_profile_free(&table->column[k].profile);
    }
    sdca_string_list_free(&table->column_names);
    sdca_string_list_free(&table->groups);
    sdca_table_schema_free(&table->features);
    free(table->group_number);
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

/* Whether a number fits the type of its column; a category may be too large for one, such
 * as the hexadecimal 12e4567. */
static sdca_status check_number(const sdca_table_encoder *table,
                                const sdca_table_value   *value)
{
    const sdca_table_column *c = &table->column[value->column];

    if (c->kind == SDCA_COLUMN_CATEGORICAL) {
        return c->allows_numbers
                   ? SDCA_OK
                   : fail_value(table, value,
                                "is a number where the first value is none; with "
                                "--categorical, numbers are categories as well");
    }
    return value->type == SDCA_VALUE_NUMBER
               ? SDCA_OK
               : fail_value(table, value,
                            "is not finite, and only finite numbers are data");
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
                          "is a missing value, which the training data do not have: "
                          "fill it in, or train on a table converted with --missing");
    case SDCA_VALUE_INFINITE:
    case SDCA_VALUE_NUMBER:
        return check_number(table, value);
    case SDCA_VALUE_TEXT:
        break;
    }
    return c->kind == SDCA_COLUMN_NUMERIC
               ? fail_value(table, value,
                            table->options.like != NULL
                                ? "is not a number as in the training data"
                                : "is not a number as the first value is; if it means a "
                                  "missing value, make the field empty; with "
                                  "--categorical, all values are categories")
               : SDCA_OK;
}

/* Add a category if it is new. */
static sdca_status add_category(sdca_table_encoder *table, const sdca_table_value *value)
{
    sdca_table_column *c          = &table->column[value->column];
    sdca_string_list  *categories = &c->categories;
    bool               label      = value->column == table->label;
    int64_t            category   = 0;
    sdca_status        status     = SDCA_OK;
    char               what[256];

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
    if (!label && table->options.hash > 0 && categories->count >= table->options.hash) {
        c->hashed = true;
        sdca_string_list_free(categories);
        return SDCA_OK;
    }
    if (!label && table->options.hash == 0 &&
        categories->count == table->options.max_categories) {
        c->too_many   = true; /* which is reported when all columns are known */
        c->all_differ = c->profile.values == categories->count;
        sdca_string_list_free(categories);
        return SDCA_OK;
    }
    return sdca_string_list_insert(categories, category, value->text, value->length);
}

/* What becomes of missing values. */
static sdca_table_missing missing_rule(const sdca_table_encoder *table)
{
    return table->options.like != NULL ? table->options.like->missing
                                       : table->options.missing;
}

static bool is_missing(const sdca_csv_record *record, int64_t k)
{
    return sdca_table_value_parse(record, k).type == SDCA_VALUE_MISSING;
}

/* Whether a row is left out for its missing values. */
static bool leaves_out(const sdca_table_encoder *table, const sdca_csv_record *record)
{
    sdca_table_missing rule = missing_rule(table);

    if (rule == SDCA_MISSING_ERROR) {
        return false;
    }
    if (table->label != SDCA_NO_COLUMN && !table->options.scores &&
        is_missing(record, table->label)) {
        return true;
    }
    for (int64_t k = 0; rule == SDCA_MISSING_DROP && k < table->columns; k++) {
        if (sdca_table_is_feature(table, k) &&
            (!table->fitted || table->column[k].kind != SDCA_COLUMN_UNKNOWN) &&
            is_missing(record, k)) {
            return true;
        }
    }
    return false;
}

/* The first value of a column decides what it is. */
static void choose_kind(sdca_table_column *c, const sdca_table_value *value)
{
    if (c->kind == SDCA_COLUMN_UNKNOWN) {
        c->kind = value->type != SDCA_VALUE_TEXT && !c->allows_numbers
                      ? SDCA_COLUMN_NUMERIC
                      : SDCA_COLUMN_CATEGORICAL;
    }
}

/* Learn from a value; missing ones are reported when all are known. */
static sdca_status fit_value(sdca_table_encoder *table, const sdca_table_value *value)
{
    sdca_table_column *c      = &table->column[value->column];
    bool               median = table->options.missing == SDCA_MISSING_MEDIAN;
    sdca_status        status = SDCA_OK;

    if (value->type != SDCA_VALUE_MISSING || value->column == table->weight) {
        choose_kind(c, value);
        SDCA_TRY(check_value(table, value));
        if (c->kind == SDCA_COLUMN_CATEGORICAL && !c->hashed && !c->too_many) {
            SDCA_TRY(add_category(table, value));
        }
    }
    SDCA_TRY(sdca_table_profile_add(&c->profile, value,
                                    median && c->kind == SDCA_COLUMN_NUMERIC));

done:
    return status;
}

static sdca_status fit_record(sdca_table_encoder *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;

    if (leaves_out(table, record)) {
        table->left_out++;
        return SDCA_OK;
    }
    for (int64_t k = 0; k < table->columns; k++) {
        sdca_table_value value = sdca_table_value_parse(record, k);

        if (!table->column[k].dropped) {
            SDCA_TRY(fit_value(table, &value));
        }
    }
    table->rows++;

done:
    return status;
}

static void append_entry(sdca_table_encoder *table, sdca_svmlight_row *row,
                         int64_t feature, double value)
{
    if (value != 0.0) {
        table->feature[row->count] = (int32_t)feature;
        table->value[row->count]   = value;
        row->count++;
    }
}

/* A category that the training data do not have. */
static sdca_status encode_unknown(sdca_table_encoder     *table,
                                  const sdca_table_value *value)
{
    bool label = value->column == table->label;

    if (table->options.scores && !table->options.refuse_unknown && !label) {
        table->unknown_column =
            table->unknown > 0 ? table->unknown_column : value->column;
        table->unknown++;
        return SDCA_OK;
    }
    return fail_value(table, value,
                      label && table->options.scores
                          ? "is not a label of the training data; --unlabelled ignores "
                            "the labels"
                      : label && table->options.like != NULL
                          ? "is not a label of the training data"
                      : table->options.scores ? "is not a category of the training data"
                      : table->options.like != NULL ? "is not a category of --like"
                                                    : "has changed while it was read");
}

/* A value that is missing: the fill, and 1 in the column that says so. */
static sdca_status encode_missing(sdca_table_encoder     *table,
                                  const sdca_table_value *value, sdca_svmlight_row *row)
{
    const sdca_table_column *c = &table->column[value->column];

    if (missing_rule(table) <= SDCA_MISSING_DROP) {
        return check_value(table, value);
    }
    if (c->kind == SDCA_COLUMN_NUMERIC) {
        append_entry(table, row, c->first_feature, c->fill);
    }
    if (c->missing_feature != SDCA_NO_FEATURE) {
        append_entry(table, row, c->missing_feature, 1.0);
    } else {
        table->new_missing++;
    }
    return SDCA_OK;
}

static sdca_status encode_feature(sdca_table_encoder    *table,
                                  const sdca_csv_record *record, int64_t k,
                                  sdca_svmlight_row *row)
{
    sdca_table_column *c        = &table->column[k];
    sdca_table_value   value    = sdca_table_value_parse(record, k);
    int64_t            category = 0;
    sdca_status        status   = SDCA_OK;

    if (table->options.like != NULL && !table->options.scores) {
        SDCA_TRY(sdca_table_profile_add(&c->profile, &value, false));
    }
    if (value.type == SDCA_VALUE_MISSING) {
        return encode_missing(table, &value, row);
    }
    SDCA_TRY(check_value(table, &value));
    if (c->kind == SDCA_COLUMN_NUMERIC) {
        append_entry(table, row, c->first_feature, value.number);
    } else if (c->hashed) {
        category = (int64_t)(sdca_table_value_hash(&value) % (uint64_t)c->features);
        append_entry(table, row, c->first_feature + category, 1.0);
    } else if (sdca_string_list_find(&c->categories, value.text, value.length,
                                     &category)) {
        append_entry(table, row, c->first_feature + category, 1.0);
    } else {
        status = encode_unknown(table, &value);
    }

done:
    return status;
}

static sdca_status encode_label(sdca_table_encoder *table, const sdca_csv_record *record,
                                double *label)
{
    const sdca_table_column *c        = &table->column[table->label];
    sdca_table_value         value    = sdca_table_value_parse(record, table->label);
    int64_t                  category = 0;
    sdca_status              status   = SDCA_OK;

    if (value.type == SDCA_VALUE_MISSING && table->options.scores) {
        *label = NAN;
        return SDCA_OK;
    }
    SDCA_TRY(check_value(table, &value));
    if (c->kind == SDCA_COLUMN_CATEGORICAL &&
        !sdca_string_list_find(&c->categories, value.text, value.length, &category)) {
        SDCA_TRY(encode_unknown(table, &value));
    }
    *label = c->kind == SDCA_COLUMN_CATEGORICAL ? (double)category : value.number;

done:
    return status;
}

/* Number a group that was not there before, which belongs at this place of the list. */
static sdca_status add_group(sdca_table_encoder *table, const sdca_table_value *value,
                             int64_t at)
{
    sdca_status status = sdca_table_value_check_utf8(value, table->name);
    int64_t     count = table->groups.count, room = 2 * (count + 8);

    if (status == SDCA_OK && count == table->group_room) {
        double *number = sdca_alloc_array((size_t)room, sizeof *number);

        if (number == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld groups", (long long)count);
        }
        if (count > 0) {
            memcpy(number, table->group_number, (size_t)count * sizeof *number);
        }
        free(table->group_number);
        table->group_number = number;
        table->group_room   = room;
    }
    SDCA_TRY(status);
    SDCA_TRY(sdca_string_list_insert(&table->groups, at, value->text, value->length));
    memmove(table->group_number + at + 1, table->group_number + at,
            (size_t)(count - at) * sizeof *table->group_number);
    table->group_number[at] = (double)count;

done:
    return status;
}

/* Groups are the same if their texts are. */
static sdca_status encode_group(sdca_table_encoder *table, const sdca_csv_record *record,
                                double *group)
{
    sdca_table_value value  = sdca_table_value_parse(record, table->group);
    int64_t          at     = 0;
    sdca_status      status = SDCA_OK;

    if (value.type == SDCA_VALUE_MISSING) {
        return fail_value(table, &value, "is no group, and each row needs one");
    }
    if (!sdca_string_list_find(&table->groups, value.text, value.length, &at)) {
        SDCA_TRY(add_group(table, &value, at));
    }
    *group = table->group_number[at];

done:
    return status;
}

static sdca_status encode_record(sdca_table_encoder *table, const sdca_csv_record *record)
{
    sdca_status       status = SDCA_OK;
    sdca_svmlight_row row    = { .line   = record->line,
                                 .weight = 1.0,
                                 .column = table->feature,
                                 .value  = table->value };

    if (leaves_out(table, record)) {
        table->left_out++;
        return SDCA_OK;
    }
    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(encode_label(table, record, &row.label));
    }
    if (table->weight != SDCA_NO_COLUMN) {
        sdca_table_value value = sdca_table_value_parse(record, table->weight);

        SDCA_TRY(check_value(table, &value));
        row.weight = value.number;
    }
    if (table->group != SDCA_NO_COLUMN) {
        SDCA_TRY(encode_group(table, record, &row.group));
    }
    for (int64_t j = 0; j < table->feature_columns; j++) {
        SDCA_TRY(encode_feature(table, record, table->feature_column[j], &row));
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
