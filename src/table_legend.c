/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_legend.c - which columns of X a table gives: one for a column of numbers, one for
 * each category of another; or those that another table gave. */
#include "table_column.h"

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

/* One more column of X, for a category or (NULL) for numbers. */
static sdca_status name_column(sdca_legend *legend, const char *name,
                               const char *category)
{
    sdca_status status = SDCA_OK;
    size_t      size   = strlen(name) + (category != NULL ? strlen(category) + 1 : 0);
    char       *whole  = malloc(size + 1);

    if (whole == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
    }
    snprintf(whole, size + 1, "%s%s%s", name, category != NULL ? "=" : "",
             category != NULL ? category : "");
    SDCA_TRY(sdca_string_list_append(&legend->name, whole, size));
    SDCA_TRY(sdca_string_list_append(&legend->column, name, strlen(name)));
    SDCA_TRY(sdca_string_list_append(&legend->category, category != NULL ? category : "",
                                     category != NULL ? strlen(category) : 0));

done:
    free(whole);
    return status;
}

static sdca_status number_column(sdca_table *table, int64_t k)
{
    sdca_column *c      = &table->column[k];
    sdca_status  status = SDCA_OK;

    c->first                    = table->legend.name.count;
    table->order[table->used++] = k;
    if (c->kind == SDCA_COLUMN_NUMBERS) {
        return name_column(&table->legend, table->names.text[k], NULL);
    }
    if (c->first + c->categories.count > SDCA_SVMLIGHT_MAX_INDEX) {
        return SDCA_FAIL(SDCA_DATA, "%s: there would be more than %d columns",
                         table->name, SDCA_SVMLIGHT_MAX_INDEX);
    }
    for (int64_t j = 0; status == SDCA_OK && j < c->categories.count; j++) {
        status = name_column(&table->legend, table->names.text[k], c->categories.text[j]);
    }
    return status;
}

sdca_status sdca_table_settle(sdca_table *table)
{
    sdca_status status = SDCA_OK;

    if (table->rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", table->name);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        if (sdca_table_uses(table, k)) {
            SDCA_TRY(number_column(table, k));
        }
    }
    if (table->label != SDCA_NO_COLUMN) {
        SDCA_TRY(
            append_all(&table->legend.labels, &table->column[table->label].categories));
    }
    table->settled = true;
    table->records = 0;

done:
    return status;
}

/* A column of X that the other table has: which column of this one is it from? */
static sdca_status adopt_column(sdca_table *table, int64_t j)
{
    const sdca_legend *like     = table->options.like;
    const char        *category = like->category.text[j];
    const char        *name     = like->column.text[j];
    int64_t            k        = sdca_table_find(table, name, strlen(name));
    sdca_column       *from;

    if (k < 0 || !sdca_table_uses(table, k)) {
        return SDCA_FAIL(SDCA_DATA, "%s: there is no column '%s', or more than one",
                         table->name, name);
    }
    from = &table->column[k];
    if (from->kind == SDCA_COLUMN_UNKNOWN) {
        from->kind   = category[0] == '\0' ? SDCA_COLUMN_NUMBERS : SDCA_COLUMN_CATEGORIES;
        from->forced = true;
        from->first  = j;
        table->order[table->used++] = k;
    }
    if (from->kind == SDCA_COLUMN_NUMBERS) {
        return from->first == j && category[0] == '\0'
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_DATA, "the column '%s' is there twice in --like",
                               name);
    }
    if (from->first + from->categories.count != j ||
        (j > from->first &&
         strcmp(from->categories.text[j - from->first - 1], category) >= 0)) {
        return SDCA_FAIL(
            SDCA_DATA, "the categories of the column '%s' do not ascend in --like", name);
    }
    return sdca_string_list_append(&from->categories, category, strlen(category));
}

sdca_status sdca_table_adopt(sdca_table *table)
{
    const sdca_legend *like   = table->options.like;
    sdca_status        status = SDCA_OK;

    for (int64_t j = 0; j < like->name.count; j++) {
        SDCA_TRY(adopt_column(table, j));
    }
    for (int64_t k = 0; k < table->columns; k++) {
        if (sdca_table_uses(table, k) && table->column[k].kind == SDCA_COLUMN_UNKNOWN) {
            status = SDCA_FAIL(SDCA_DATA,
                               "%s: the column '%s' is unknown to --like; --drop %s "
                               "leaves it out",
                               table->name, table->names.text[k], table->names.text[k]);
            goto done;
        }
    }
    if (table->label != SDCA_NO_COLUMN) {
        sdca_column *label = &table->column[table->label];

        label->kind =
            like->labels.count > 0 ? SDCA_COLUMN_CATEGORIES : SDCA_COLUMN_NUMBERS;
        label->forced = true;
        SDCA_TRY(append_all(&label->categories, &like->labels));
    }
    table->settled = true;

done:
    return status;
}

const sdca_legend *sdca_table_legend(const sdca_table *table)
{
    return table->options.like != NULL ? table->options.like : &table->legend;
}
