/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_features.c - the columns of X of a table: one per numeric column and one per
 * category, or those of a given encoding. */
#include "data/table_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Bytes of a message for the names of columns. */
enum { LIST_SIZE = 400 };

static sdca_status append_all(sdca_string_list *to, const sdca_string_list *from)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < from->count; k++) {
        status = sdca_string_list_append(to, from->text[k], strlen(from->text[k]));
    }
    return status;
}

/* Add a column of X of column k of the table, called by the name of that, a link and a
 * text. */
static sdca_status append_feature(sdca_table_encoder *table, int64_t k,
                                  sdca_feature_kind kind, const char *link,
                                  const char *text)
{
    const char *column  = table->column_names.text[k];
    size_t      size    = strlen(column) + strlen(link) + strlen(text) + 1;
    char       *feature = sdca_alloc_array(size, sizeof *feature);
    sdca_status status;

    if (feature == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
    }
    snprintf(feature, size, "%s%s%s", column, link, text);
    status = sdca_table_schema_append(
        &table->features, feature, column, kind == SDCA_FEATURE_CATEGORY ? text : "",
        kind, kind == SDCA_FEATURE_NUMBER ? table->column[k].fill : 0.0);
    free(feature);
    return status;
}

/* The columns of X for the categories of a column, or for their hashes. */
static sdca_status append_categories(sdca_table_encoder *table, int64_t k)
{
    const sdca_table_column *c      = &table->column[k];
    sdca_status              status = SDCA_OK;
    char                     number[32];

    if (c->first_feature + c->features > SDCA_SVMLIGHT_MAX_INDEX - 1) {
        return SDCA_FAIL(SDCA_DATA, "%s: there would be more than %d columns",
                         table->name, SDCA_SVMLIGHT_MAX_INDEX);
    }
    for (int64_t j = 0; status == SDCA_OK && j < c->features; j++) {
        snprintf(number, sizeof number, "%lld", (long long)j);
        status = c->hashed ? append_feature(table, k, SDCA_FEATURE_HASH, "#", number)
                           : append_feature(table, k, SDCA_FEATURE_CATEGORY, "=",
                                            c->categories.text[j]);
    }
    return status;
}

/* The number where one of a column is missing: 0 beside a column of X that says so, or
 * else the mean or the median. */
static double choose_fill(sdca_table_encoder *table, sdca_table_column *c)
{
    switch (table->options.missing) {
    case SDCA_MISSING_MEDIAN:
        return sdca_table_profile_median(&c->profile);
    case SDCA_MISSING_CATEGORY:
        return c->profile.missing > 0 ? 0.0 : c->profile.mean;
    default:
        return c->profile.mean;
    }
}

/* Keep the names of the columns that are not in X. */
static sdca_status keep_other_columns(sdca_table_encoder *table)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < table->columns; k++) {
        const char *name = table->column_names.text[k];

        if (k == table->label) {
            status = sdca_string_list_append(&table->features.label, name, strlen(name));
        } else if (k == table->weight) {
            status = sdca_string_list_append(&table->features.weight, name, strlen(name));
        } else if (table->column[k].dropped) {
            status =
                sdca_string_list_append(&table->features.dropped, name, strlen(name));
        }
    }
    return status;
}

static sdca_status assign_features(sdca_table_encoder *table, int64_t k)
{
    sdca_table_column *c      = &table->column[k];
    sdca_status        status = SDCA_OK;

    if (c->kind == SDCA_COLUMN_UNKNOWN) {
        return SDCA_FAIL(SDCA_DATA,
                         "%s: all values of the column '%s' are missing; --drop leaves "
                         "it out",
                         table->name, sdca_table_printable_name(table, k).text);
    }
    c->first_feature = table->features.name.count;
    c->features      = c->hashed ? table->options.hash : c->categories.count;
    table->feature_column[table->feature_columns++] = k;
    if (c->kind == SDCA_COLUMN_NUMERIC) {
        c->fill = choose_fill(table, c);
        SDCA_TRY(append_feature(table, k, SDCA_FEATURE_NUMBER, "", ""));
    } else {
        SDCA_TRY(append_categories(table, k));
    }
    if (c->profile.missing > 0) {
        c->missing_feature = table->features.name.count;
        SDCA_TRY(append_feature(table, k, SDCA_FEATURE_MISSING, " is missing", ""));
    }

done:
    sdca_table_profile_free(&c->profile);
    return status;
}

sdca_status sdca_table_encoder_end_fit(sdca_table_encoder *table)
{
    sdca_status status = SDCA_OK;

    if (table->rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", table->name);
    }
    SDCA_TRY(sdca_table_check_columns(table));
    table->features.missing = table->options.missing;
    for (int64_t k = 0; k < table->columns; k++) {
        if (sdca_table_is_feature(table, k)) {
            SDCA_TRY(assign_features(table, k));
        }
    }
    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(append_all(&table->features.class_names,
                            &table->column[table->label].categories));
    }
    SDCA_TRY(keep_other_columns(table));
    table->fitted   = true;
    table->records  = 0;
    table->left_out = 0;

done:
    return status;
}

/* Column k of the table has column j of X and those behind it. */
static void begin_match(sdca_table_encoder *table, int64_t k, int64_t j)
{
    const sdca_table_schema *like = table->options.like;
    sdca_table_column       *to   = &table->column[k];
    sdca_feature_kind        kind = sdca_table_schema_kind(like, j);

    to->kind =
        kind == SDCA_FEATURE_NUMBER ? SDCA_COLUMN_NUMERIC : SDCA_COLUMN_CATEGORICAL;
    to->hashed         = kind == SDCA_FEATURE_HASH;
    to->allows_numbers = true;
    to->first_feature  = j;
    to->fill           = like->fill != NULL ? like->fill[j] : 0.0;
    table->feature_column[table->feature_columns++] = k;
}

/* Find the table column of a column of X in the given encoding. */
static sdca_status match_feature(sdca_table_encoder *table, int64_t j)
{
    const sdca_table_schema *like     = table->options.like;
    sdca_feature_kind        kind     = sdca_table_schema_kind(like, j);
    const char              *category = like->category.text[j];
    const char              *name     = like->column.text[j];
    int64_t                  k        = sdca_table_find_name(table, name, strlen(name));
    sdca_table_column       *from;

    if (k == SDCA_NO_COLUMN && table->options.missing_columns) {
        return SDCA_OK;
    }
    if (k < 0 || !sdca_table_is_feature(table, k)) {
        return SDCA_FAIL(SDCA_DATA, "%s: there is no column '%s', or more than one",
                         table->name, name);
    }
    from = &table->column[k];
    if (kind == SDCA_FEATURE_MISSING
            ? from->kind == SDCA_COLUMN_UNKNOWN ||
                  from->missing_feature != SDCA_NO_FEATURE
            : from->kind == SDCA_COLUMN_NUMERIC ||
                  (from->kind != SDCA_COLUMN_UNKNOWN && kind == SDCA_FEATURE_NUMBER)) {
        return SDCA_FAIL(SDCA_DATA, "the column '%s' occurs twice in --like", name);
    }
    if (from->kind == SDCA_COLUMN_UNKNOWN) {
        begin_match(table, k, j);
    }
    if (kind == SDCA_FEATURE_MISSING) {
        from->missing_feature = j;
        return SDCA_OK;
    }
    if (kind == SDCA_FEATURE_NUMBER || (from->hashed && kind == SDCA_FEATURE_HASH &&
                                        from->first_feature + from->features == j)) {
        from->features++;
        return SDCA_OK;
    }
    if (from->first_feature + from->categories.count != j || category[0] == '\0' ||
        from->hashed ||
        (j > from->first_feature &&
         strcmp(from->categories.text[j - from->first_feature - 1], category) >= 0)) {
        return SDCA_FAIL(
            SDCA_DATA, "the categories of the column '%s' do not ascend in --like", name);
    }
    return sdca_string_list_append(&from->categories, category, strlen(category));
}

/* Fail if columns of the schema are not in the table, naming the first ones. */
static sdca_status check_all_columns(sdca_table_encoder *table)
{
    const sdca_table_schema *like = table->options.like;
    char                     list[LIST_SIZE + sizeof(sdca_escaped_string) + 16] = "";
    size_t                   length                                             = 0;
    const char              *last                                               = NULL;

    for (int64_t j = 0; j < like->name.count; j++) {
        const char *name = like->column.text[j];

        if (last != NULL && strcmp(last, name) == 0) {
            continue; /* another category of the same column */
        }
        last = name;
        if (sdca_table_find_name(table, name, strlen(name)) == SDCA_NO_COLUMN) {
            table->absent++;
            if (length < LIST_SIZE) {
                length += (size_t)snprintf(list + length, sizeof list - length, "%s'%s'",
                                           table->absent > 1 ? ", " : "",
                                           sdca_string_escape(name, strlen(name)).text);
            }
        }
    }
    if (table->absent == 0 || table->options.missing_columns) {
        return SDCA_OK;
    }
    return SDCA_FAIL(SDCA_DATA,
                     "%s: %lld column%s of the training data %s not there: %s%s; "
                     "--missing-columns zero takes %s as 0",
                     table->name, (long long)table->absent, table->absent == 1 ? "" : "s",
                     table->absent == 1 ? "is" : "are", list,
                     length >= LIST_SIZE ? ", ..." : "",
                     table->absent == 1 ? "it" : "them");
}

sdca_status sdca_table_fit_like(sdca_table_encoder *table)
{
    const sdca_table_schema *like   = table->options.like;
    sdca_status              status = SDCA_OK;

    if (table->options.scores) {
        SDCA_TRY(check_all_columns(table));
    }
    for (int64_t j = 0; j < like->name.count; j++) {
        SDCA_TRY(match_feature(table, j));
    }
    for (int64_t k = 0; !table->options.scores && k < table->columns; k++) {
        if (sdca_table_is_feature(table, k) &&
            table->column[k].kind == SDCA_COLUMN_UNKNOWN) {
            status = SDCA_FAIL(SDCA_DATA,
                               "%s: the column '%s' is unknown to --like; --drop %s "
                               "leaves it out",
                               table->name, table->column_names.text[k],
                               table->column_names.text[k]);
            goto done;
        }
    }
    if (table->label != SDCA_NO_COLUMN) {
        sdca_table_column *label = &table->column[table->label];

        label->kind =
            like->class_names.count > 0 ? SDCA_COLUMN_CATEGORICAL : SDCA_COLUMN_NUMERIC;
        label->allows_numbers = true;
        SDCA_TRY(append_all(&label->categories, &like->class_names));
    }
    table->fitted = true;

done:
    return status;
}

const sdca_table_schema *sdca_table_encoder_features(const sdca_table_encoder *table)
{
    return table->options.like != NULL ? table->options.like : &table->features;
}
