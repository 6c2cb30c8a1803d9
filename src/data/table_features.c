/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_features.c - the columns of X of a table: one per numeric column and one per
 * category, or those of a given encoding. */
#include "data/table_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sdca_status append_all(sdca_string_list *to, const sdca_string_list *from)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; status == SDCA_OK && k < from->count; k++) {
        status = sdca_string_list_append(to, from->text[k], strlen(from->text[k]));
    }
    return status;
}

/* Add a column of X for a category, or for numbers (NULL). */
static sdca_status append_feature(sdca_feature_names *features, const char *name,
                                  const char *category)
{
    sdca_status status  = SDCA_OK;
    size_t      size    = strlen(name) + (category != NULL ? strlen(category) + 1 : 0);
    char       *feature = malloc(size + 1);

    if (feature == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
    }
    snprintf(feature, size + 1, "%s%s%s", name, category != NULL ? "=" : "",
             category != NULL ? category : "");
    SDCA_TRY(sdca_string_list_append(&features->name, feature, size));
    SDCA_TRY(sdca_string_list_append(&features->column, name, strlen(name)));
    SDCA_TRY(sdca_string_list_append(&features->category,
                                     category != NULL ? category : "",
                                     category != NULL ? strlen(category) : 0));

done:
    free(feature);
    return status;
}

static sdca_status assign_features(sdca_table_encoder *table, int64_t k)
{
    sdca_table_column *c      = &table->column[k];
    sdca_status        status = SDCA_OK;

    c->first_feature                                = table->features.name.count;
    table->feature_column[table->feature_columns++] = k;
    if (c->kind == SDCA_COLUMN_NUMERIC) {
        return append_feature(&table->features, table->column_names.text[k], NULL);
    }
    if (c->first_feature + c->categories.count > SDCA_SVMLIGHT_MAX_INDEX) {
        return SDCA_FAIL(SDCA_DATA, "%s: there would be more than %d columns",
                         table->name, SDCA_SVMLIGHT_MAX_INDEX);
    }
    for (int64_t j = 0; status == SDCA_OK && j < c->categories.count; j++) {
        status = append_feature(&table->features, table->column_names.text[k],
                                c->categories.text[j]);
    }
    return status;
}

sdca_status sdca_table_encoder_end_fit(sdca_table_encoder *table)
{
    sdca_status status = SDCA_OK;

    if (table->rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", table->name);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        if (sdca_table_is_feature(table, k)) {
            SDCA_TRY(assign_features(table, k));
        }
    }
    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(append_all(&table->features.class_names,
                            &table->column[table->label].categories));
    }
    table->fitted  = true;
    table->records = 0;

done:
    return status;
}

/* Find the table column of a column of X in the given encoding. */
static sdca_status match_feature(sdca_table_encoder *table, int64_t j)
{
    const sdca_feature_names *like     = table->options.like;
    const char               *category = like->category.text[j];
    const char               *name     = like->column.text[j];
    int64_t                   k = sdca_table_find_column(table, name, strlen(name));
    sdca_table_column        *from;

    if (k < 0 || !sdca_table_is_feature(table, k)) {
        return SDCA_FAIL(SDCA_DATA, "%s: there is no column '%s', or more than one",
                         table->name, name);
    }
    from = &table->column[k];
    if (from->kind == SDCA_COLUMN_UNKNOWN) {
        from->kind = category[0] == '\0' ? SDCA_COLUMN_NUMERIC : SDCA_COLUMN_CATEGORICAL;
        from->allows_numbers                            = true;
        from->first_feature                             = j;
        table->feature_column[table->feature_columns++] = k;
    }
    if (from->kind == SDCA_COLUMN_NUMERIC) {
        return from->first_feature == j && category[0] == '\0'
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_DATA, "the column '%s' occurs twice in --like", name);
    }
    if (from->first_feature + from->categories.count != j ||
        (j > from->first_feature &&
         strcmp(from->categories.text[j - from->first_feature - 1], category) >= 0)) {
        return SDCA_FAIL(
            SDCA_DATA, "the categories of the column '%s' do not ascend in --like", name);
    }
    return sdca_string_list_append(&from->categories, category, strlen(category));
}

sdca_status sdca_table_fit_like(sdca_table_encoder *table)
{
    const sdca_feature_names *like   = table->options.like;
    sdca_status               status = SDCA_OK;

    for (int64_t j = 0; j < like->name.count; j++) {
        SDCA_TRY(match_feature(table, j));
    }
    for (int64_t k = 0; k < table->columns; k++) {
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

const sdca_feature_names *sdca_table_encoder_features(const sdca_table_encoder *table)
{
    return table->options.like != NULL ? table->options.like : &table->features;
}
