/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_encoder.h - encoding the records of a text table as rows of numbers.
 *
 * A table is read twice: once to find its columns and categories, once for its rows. A
 * column whose first value is a number is numeric; any other is categorical and one-hot
 * encoded, with categories in byte order. Columns of X are in the order of the table.
 * Blanks around unquoted values are ignored. Nothing is guessed: a missing value, or a
 * word in a numeric column, is an error that names line and column. */
#ifndef SDCA_DATA_TABLE_ENCODER_H
#define SDCA_DATA_TABLE_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/feature_names.h"
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
    bool              separator_given; /* the separator was given, not assumed */
    bool              unlabelled;      /* there is no label column; labels are 0 */
    bool              classifies;      /* labels may be words */
    const char       *categorical; /* numeric columns to treat as categorical, or NULL */
    const char       *drop;        /* columns to leave out, or NULL */
    int64_t           max_categories; /* upper limit per column */
    const sdca_feature_names
        *like; /* the encoding to use, without a first reading; or NULL */
} sdca_table_encoder_options;

/* A table that is being read. Opaque. Its memory depends on the longest record and the
 * number of categories. */
typedef struct sdca_table_encoder sdca_table_encoder;

/* Begin a table, which messages call name. name and what options refers to are kept.
 * Rows are passed to the callback. Local. On success *out is the caller's, to be freed
 * with sdca_table_encoder_free(). */
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
const sdca_feature_names *sdca_table_encoder_features(const sdca_table_encoder *table);

/* What was found. label and weight are NULL if there are none. Local. */
typedef struct sdca_table_encoder_stats {
    bool        header;
    const char *label;
    const char *weight;
    int64_t     numeric;     /* numeric columns */
    int64_t     categorical; /* categorical columns, without the label */
} sdca_table_encoder_stats;
sdca_table_encoder_stats sdca_table_encoder_get_stats(const sdca_table_encoder *table);

/* Free the table. NULL is fine. Local. */
void sdca_table_encoder_free(sdca_table_encoder *table);

#endif
