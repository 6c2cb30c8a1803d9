/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_private.h - the state of a table that is being read. */
#ifndef SDCA_DATA_TABLE_PRIVATE_H
#define SDCA_DATA_TABLE_PRIVATE_H

#include <string.h>

#include "data/table_encoder.h"
#include "data/table_profile.h"
#include "data/table_value.h"

/* In place of a column number. */
enum { SDCA_NO_COLUMN = -1, SDCA_AMBIGUOUS_COLUMN = -2 };

/* In place of a column of X. */
enum { SDCA_NO_FEATURE = -1 };

typedef struct sdca_table_column {
    enum { SDCA_COLUMN_UNKNOWN, SDCA_COLUMN_NUMERIC, SDCA_COLUMN_CATEGORICAL } kind;
    bool               dropped;
    bool               allows_numbers;  /* treat numbers as categories */
    bool               hashed;          /* categories are chosen by their hash */
    bool               too_many;        /* more categories than are allowed ... */
    bool               all_differ;      /* ... of which each value had another */
    sdca_string_list   categories;      /* unless they are hashed */
    int64_t            first_feature;   /* of its columns of X ... */
    int64_t            features;        /* ... for categories or their hashes */
    int64_t            missing_feature; /* 1 where the value is missing, or none */
    double             fill;            /* the number where it is missing */
    sdca_table_profile profile;         /* of the values that are read first */
} sdca_table_column;

struct sdca_table_encoder {
    const char                *name;
    sdca_table_encoder_options options;
    sdca_svmlight_callback    *row_callback;
    void                      *context;

    bool               started; /* the columns of the table are known */
    bool               fitted;  /* the columns of X are known */
    bool               header;
    int64_t            records;    /* in this reading */
    int64_t            first_line; /* of its first record */
    int64_t            rows;
    int64_t            unknown;        /* values that are no category of like */
    int64_t            unknown_column; /* the column of the first of them */
    int64_t            absent;         /* columns of like that are not there */
    int64_t            left_out;       /* rows without a value or a label, this reading */
    int64_t            new_missing; /* missing values where the first reading had none */
    int64_t            columns;
    int64_t            label;        /* its column, or SDCA_NO_COLUMN */
    int64_t            weight;       /* the same of the sample weights */
    int64_t            group;        /* and of the groups of rows */
    sdca_string_list   groups;       /* so far, sorted ... */
    double            *group_number; /* ... and their numbers, in order of appearance */
    int64_t            group_room;
    sdca_string_list   column_names;
    sdca_table_column *column;

    int64_t          *feature_column; /* the columns used, in the order of X */
    int64_t           feature_columns;
    sdca_table_schema features;
    int32_t          *feature; /* of a row */
    double           *value;
};

/* Whether a column contributes to X. */
static inline bool sdca_table_is_feature(const sdca_table_encoder *table, int64_t k)
{
    return k != table->label && k != table->weight && !table->column[k].dropped;
}

/* The name of a column for messages. Local. */
static inline sdca_escaped_string sdca_table_printable_name(
    const sdca_table_encoder *table, int64_t k)
{
    return sdca_string_escape(table->column_names.text[k],
                              strlen(table->column_names.text[k]));
}

/* Process the first record: find the columns and apply the options. Local. */
sdca_status sdca_table_set_columns(sdca_table_encoder    *table,
                                   const sdca_csv_record *record);

/* The column of that name. Local. */
int64_t sdca_table_find_name(const sdca_table_encoder *table, const char *text,
                             size_t length);

/* Fail if columns have too many categories, or if values are missing and must not be,
 * naming all of these columns. Local. */
sdca_status sdca_table_check_columns(const sdca_table_encoder *table);

/* Use a given encoding of columns and labels. Local. */
sdca_status sdca_table_fit_like(sdca_table_encoder *table);

#endif
