/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_schema.h - how the columns of a table become columns of X.
 *
 * A numeric column of a table is one column of X. A categorical one is one-hot encoded,
 * with a column of X per category that is called column=category; with very many
 * categories it may have a given number of columns of X instead, column#0, column#1, ...,
 * and a category is the one that its hash chooses. A column with missing values may have
 * another one that is 1 where they are. A data file that was made from a table keeps the
 * schema, and a model copies it from there, so that another table can be encoded in the
 * same way. docs/formats.md has the details. */
#ifndef SDCA_DATA_TABLE_SCHEMA_H
#define SDCA_DATA_TABLE_SCHEMA_H

#include <stdbool.h>

#include "base/string_list.h"
#include "io/hdf5_file.h"

/* What becomes of missing values. */
typedef enum sdca_table_missing {
    SDCA_MISSING_ERROR,   /* they are refused */
    SDCA_MISSING_DROP,    /* their rows are left out */
    SDCA_MISSING_MEAN,    /* numbers become the mean of the column, and the column of X */
    SDCA_MISSING_MEDIAN,  /* ... of kind missing is 1; the same with the median */
    SDCA_MISSING_CATEGORY /* only that column is 1 */
} sdca_table_missing;

/* The words of --missing, by value, ending in NULL. */
extern const char *const sdca_table_missing_names[];

/* What a column of X is. */
typedef enum sdca_feature_kind {
    SDCA_FEATURE_NUMBER,
    SDCA_FEATURE_CATEGORY, /* 1 for its category */
    SDCA_FEATURE_HASH,     /* 1 for the categories with its hash */
    SDCA_FEATURE_MISSING   /* 1 where the value is missing */
} sdca_feature_kind;

/* All zero: empty. */
typedef struct sdca_table_schema {
    sdca_string_list   name;     /* of the columns of X */
    sdca_string_list   column;   /* the column of the table for each column of X */
    sdca_string_list   category; /* its category; "" for another kind */
    sdca_string_list   kind;     /* its kind; empty: a number or a category */
    double            *fill;     /* where a number is missing; NULL: all are 0 */
    sdca_table_missing missing;
    sdca_string_list class_names; /* of the labels 0, 1, ...; empty: labels are numbers */
    sdca_string_list label;       /* the label column of the table, or none */
    sdca_string_list weight;      /* the same of the sample weights */
    sdca_string_list dropped;     /* columns of the table that were left out */

    /* What a model also keeps of its training data. */
    bool float64;    /* values were stored as float64, not rounded to float32 */
    bool normalized; /* rows were divided by their norm when they were stored */
} sdca_table_schema;

/* The kind of column j of X. Local. */
sdca_feature_kind sdca_table_schema_kind(const sdca_table_schema *schema, int64_t j);

/* Append a column of X; category is "" unless that is its kind. fill is set if there is
 * one. Local. */
sdca_status sdca_table_schema_append(sdca_table_schema *schema, const char *name,
                                     const char *column, const char *category,
                                     sdca_feature_kind kind, double fill);

/* Whether a data file, or a model, has a schema. Local. */
bool sdca_table_schema_exists(sdca_hdf5_file *store);

/* Read the schema of a data file or of a model; of a file of an earlier version, without
 * the columns for labels, weights and those left out. *out is empty before and the
 * caller's afterwards, to be freed with sdca_table_schema_free(). Local. */
sdca_status sdca_table_schema_read(sdca_hdf5_file *store, sdca_table_schema *out);

/* Write the schema into a new data file, which has its values already. Local. */
sdca_status sdca_table_schema_write(const sdca_table_schema *schema,
                                    sdca_hdf5_file          *store);

/* The same into a new model, which has the names of the columns of X already. Local. */
sdca_status sdca_table_schema_write_to_model(const sdca_table_schema *schema,
                                             sdca_hdf5_file          *store);

/* Free the schema, leaving none. Local. */
void sdca_table_schema_free(sdca_table_schema *schema);

#endif
