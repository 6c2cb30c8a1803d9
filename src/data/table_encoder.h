/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_encoder.h - rows of numbers from the records of a table of text.
 *
 * A table is read twice: once to learn what its columns are, once for its rows. A
 * column whose first value is a number is a column of numbers; any other is one of
 * categories, with a column of X for each, ascending byte by byte. Columns of X come
 * in the order of the table. Blanks around a value without quotes do not count.
 * Nothing is guessed: a value that is missing, or a word among numbers, is an error
 * that names line and column. */
#ifndef SDCA_DATA_TABLE_ENCODER_H
#define SDCA_DATA_TABLE_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/feature_names.h"
#include "io/csv.h"
#include "io/svmlight.h"

/* Has the first record the names of the columns? AUTO: if no field of it is a
 * number. Without names, columns are called 1, 2, ... */
typedef enum sdca_table_header {
    SDCA_HEADER_AUTO,
    SDCA_HEADER_YES,
    SDCA_HEADER_NO
} sdca_table_header;

/* A column is called by its name or, where none has that name, by its number from
 * 1; a list has commas in between. */
typedef struct sdca_table_encoder_options {
    sdca_table_header header;
    const char       *label; /* NULL: the one called label, y, target or class */
    bool              separator_given; /* the separator was asked for, not assumed */
    bool              unlabelled;      /* no column is the label; labels are 0 */
    bool              classifies;      /* labels may be words, of which there are two */
    const char       *categorical;     /* columns whose numbers are categories, or NULL */
    const char       *drop;            /* columns to leave out, or NULL */
    int64_t           max_categories;  /* of one column, at most */
    const sdca_feature_names *like; /* NULL, or what there is to be: no need to learn */
} sdca_table_encoder_options;

/* A table that is being read. Opaque. Its memory grows with the longest record and the
 * number of categories. */
typedef struct sdca_table_encoder sdca_table_encoder;

/* Begin a table; name and what the options hold are kept, name being what errors call
 * it. Rows go to take. Local. On success *out is the caller's, to be freed with
 * sdca_table_encoder_free(). */
sdca_status sdca_table_encoder_create(const char                *name,
                                      sdca_table_encoder_options options,
                                      sdca_svmlight_callback *row_callback, void *context,
                                      sdca_table_encoder **out);

/* An sdca_csv_callback: learn from a record, or hand over its row once the table is
 * settled, as it is from the first record where it is to be like another. Fails with
 * SDCA_DATA and a sentence that names the table, the line and the column, with
 * SDCA_USAGE if the options do not fit the table, or with what the taker returned.
 * Local. */
sdca_status sdca_table_encoder_add_record(void *table, const sdca_csv_record *record);

/* All records were seen once: number the columns. Labels that are words will be 0 and
 * 1, ascending byte by byte. What comes then is the first record again. Fails if there
 * were no rows. Local. */
sdca_status sdca_table_encoder_end_fit(sdca_table_encoder *table);

/* The names of columns and labels of a settled table, which are the table's. Local. */
const sdca_feature_names *sdca_table_encoder_features(const sdca_table_encoder *table);

/* What was found. label is NULL where there is none. Local. */
typedef struct sdca_table_encoder_stats {
    bool        header;
    const char *label;
    int64_t     numeric;     /* columns of numbers, */
    int64_t     categorical; /* and of categories, without the label */
} sdca_table_encoder_stats;
sdca_table_encoder_stats sdca_table_encoder_get_stats(const sdca_table_encoder *table);

/* Free the table. NULL is fine. Local. */
void sdca_table_encoder_free(sdca_table_encoder *table);

#endif
