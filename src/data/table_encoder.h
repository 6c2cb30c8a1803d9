/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_encoder.h - encoding the records of a text table as rows of numbers.
 *
 * A table is read twice: once to find its columns and categories, once for its rows. A
 * column whose first value is a number is numeric; any other is categorical and one-hot
 * encoded, with categories in byte order. Columns of X are in the order of the table.
 * Blanks around unquoted values are ignored. Nothing is guessed: a missing value, unless
 * an option says what becomes of it, or a word in a numeric column, is an error that
 * names line and column. */
#ifndef SDCA_DATA_TABLE_ENCODER_H
#define SDCA_DATA_TABLE_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/table_schema.h"
#include "io/csv.h"
#include "io/svmlight.h"

/* Whether the first record has the names of the columns. AUTO: if none of its fields is
 * a number. Without names, columns are called 1, 2, ... */
typedef enum sdca_table_header {
    SDCA_HEADER_AUTO,
    SDCA_HEADER_YES,
    SDCA_HEADER_NO
} sdca_table_header;

/* Columns are given by name or, if none has that name, by number from 1; lists are
 * separated by commas. */
typedef struct sdca_table_encoder_options {
    sdca_table_header header;
    const char       *label;  /* NULL: the one called label, y, target or class */
    const char       *weight; /* the column of sample weights, or NULL */
    const char       *group;  /* the column of the groups of rows, or NULL */
    bool              separator_given; /* the separator was given, not assumed */
    bool              unlabelled;      /* there is no label column; labels are 0 */
    bool              classifies;      /* labels may be words */
    const char       *categorical; /* numeric columns to treat as categorical, or NULL */
    const char       *drop;        /* columns to leave out, or NULL */
    int64_t           max_categories; /* upper limit per column */
    int64_t hash; /* columns with more categories than this have as many columns of X, of
                     their hashes; 0: none */
    sdca_table_missing missing; /* without like, whose own applies otherwise */
    const sdca_table_schema
        *like; /* the encoding to use, without a first reading; or NULL */

    /* With like, for scoring: columns that it does not have are ignored, its label and
     * weight columns are used if the table has them, a category that it does not have is
     * none, and the label of a row without one is NaN. */
    bool scores;
    bool unweighted;      /* do not look for the weight column of like */
    bool refuse_unknown;  /* fail on a category that like does not have */
    bool missing_columns; /* columns that the table does not have are 0 */
} sdca_table_encoder_options;

/* A table that is being read. Opaque. Its memory depends on the longest record and the
 * number of categories. */
typedef struct sdca_table_encoder sdca_table_encoder;

/* Begin a table, which messages call name. name and what options refers to are kept.
 * Rows are passed to the callback. Local. On success the caller frees *out with
 * sdca_table_encoder_free(). */
sdca_status sdca_table_encoder_create(const char                *name,
                                      sdca_table_encoder_options options,
                                      sdca_svmlight_callback *row_callback, void *context,
                                      sdca_table_encoder **out);

/* An sdca_csv_callback: learn from a record or, once the encoding is complete, encode it
 * and pass on the row. With a given encoding that is so from the first record. Fails
 * with SDCA_DATA and a message that names the table, the line and the column, with
 * SDCA_USAGE if the options do not fit the table, or with the status of the callback.
 * Local. */
sdca_status sdca_table_encoder_add_record(void *table, const sdca_csv_record *record);

/* End the first reading: number the columns of X. Labels that are words become 0 and 1
 * in byte order. The next record is the first one again. Fails if there are no rows.
 * Local. */
sdca_status sdca_table_encoder_end_fit(sdca_table_encoder *table);

/* The names of columns and labels of a complete encoding, which are the encoder's.
 * Local. */
const sdca_table_schema *sdca_table_encoder_features(const sdca_table_encoder *table);

/* What was found. label and weight are NULL if there are none. Local. */
typedef struct sdca_table_encoder_stats {
    bool        header;
    const char *label;
    const char *weight;
    int64_t     numeric;        /* numeric columns */
    int64_t     categorical;    /* categorical columns, without the label */
    int64_t     unknown;        /* values that are no category of like, in all columns */
    const char *unknown_column; /* the column with the first of them */
    int64_t     absent;         /* columns of like that the table does not have */
    int64_t     left_out;       /* rows that were left out for missing values */
    int64_t     new_missing;    /* missing values in columns of like without any */
} sdca_table_encoder_stats;
sdca_table_encoder_stats sdca_table_encoder_get_stats(const sdca_table_encoder *table);

/* What a column of a table is used for. */
typedef enum sdca_table_role {
    SDCA_ROLE_DROPPED, /* or not used */
    SDCA_ROLE_LABEL,
    SDCA_ROLE_WEIGHT,
    SDCA_ROLE_GROUP,
    SDCA_ROLE_NUMBER,
    SDCA_ROLE_CATEGORIES,
    SDCA_ROLE_HASHED
} sdca_table_role;

/* A column of a table, as the first reading found it. What it refers to is the
 * encoder's. */
typedef struct sdca_table_column_info {
    const char             *name;
    sdca_table_role         role;
    int64_t                 values;     /* that are not missing */
    int64_t                 missing;    /* others */
    double                  min, max;   /* of numbers */
    double                  fill;       /* of missing numbers */
    const sdca_string_list *categories; /* of the label, too, if it has any */
    int64_t                 features;   /* columns of X for hashes */

    /* What is surely a mistake: text that is dates or numbers with commas,
     * numbers that count the rows, a category per row or nearly so. */
    bool dates, number_commas, row_numbers, nearly_unique;
} sdca_table_column_info;

/* The number of columns, and one of them. Local. */
int64_t                sdca_table_encoder_column_count(const sdca_table_encoder *table);
sdca_table_column_info sdca_table_encoder_describe(const sdca_table_encoder *table,
                                                   int64_t                   column);

/* Find the columns of the table in its first record, which is added afterwards. Local. */
sdca_status sdca_table_encoder_begin(sdca_table_encoder    *table,
                                     const sdca_csv_record *record);

/* The name of a column, once columns are known. Local. */
const char *sdca_table_encoder_column_name(const sdca_table_encoder *table,
                                           int64_t                   column);

/* The number of a column that an option names, by name or number. Fails with SDCA_USAGE
 * if there is none. The first record was added. Local. */
sdca_status sdca_table_encoder_find_column(const sdca_table_encoder *table,
                                           const char *option, const char *text,
                                           size_t length, int64_t *out);

/* Free the table. NULL is fine. Local. */
void sdca_table_encoder_free(sdca_table_encoder *table);

#endif
