/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_column.h - what is known of a table that is being read, and of its columns. */
#ifndef SDCA_TABLE_COLUMN_H
#define SDCA_TABLE_COLUMN_H

#include <string.h>

#include "sdca/table.h"
#include "table_word.h"

/* In place of the number of a column. */
enum { SDCA_NO_COLUMN = -1, SDCA_TWO_COLUMNS = -2 };

typedef struct sdca_column {
    enum { SDCA_COLUMN_UNKNOWN, SDCA_COLUMN_NUMBERS, SDCA_COLUMN_CATEGORIES } kind;
    bool             dropped;
    bool             forced; /* numbers are categories as well */
    sdca_string_list categories;
    int64_t          first; /* of its columns of X */
} sdca_column;

struct sdca_table {
    const char             *name;
    sdca_table_options      options;
    sdca_svmlight_callback *take;
    void                   *context;

    bool             begun;   /* the columns are known, */
    bool             settled; /* and those of X */
    bool             header;
    int64_t          records; /* of this reading */
    int64_t          line;    /* of its first record */
    int64_t          rows;
    int64_t          columns;
    int64_t          label; /* its column, or SDCA_NO_COLUMN */
    sdca_string_list names;
    sdca_column     *column;

    int64_t    *order; /* columns that are used, in the order of X */
    int64_t     used;
    sdca_legend legend;
    int32_t    *index; /* of a row */
    double     *value;
};

/* Is a column to be one of X, or several? */
static inline bool sdca_table_uses(const sdca_table *table, int64_t k)
{
    return k != table->label && !table->column[k].dropped;
}

/* The name of a column for a sentence. Local. */
static inline sdca_escaped_string sdca_table_shown_name(const sdca_table *table,
                                                        int64_t           k)
{
    return sdca_string_escape(table->names.text[k], strlen(table->names.text[k]));
}

/* The first record of all: which columns there are, and what the options want of them.
 * Local. */
sdca_status sdca_table_begin(sdca_table *table, const sdca_csv_record *record);

/* The column of that name or, where none has it, of that number. Local. */
int64_t sdca_table_find(const sdca_table *table, const char *text, size_t length);

/* Take the columns of X and the labels that there are to be. Local. */
sdca_status sdca_table_adopt(sdca_table *table);

#endif
