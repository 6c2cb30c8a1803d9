/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_names.h - the names of the columns and labels of a data file.
 *
 * A numeric column of a table is one column of X. A categorical one is one-hot encoded,
 * with a column of X per category that is called column=category. Names are stored as in
 * AnnData; docs/formats.md has the details. */
#ifndef SDCA_DATA_FEATURE_NAMES_H
#define SDCA_DATA_FEATURE_NAMES_H

#include <stdbool.h>

#include "base/string_list.h"
#include "io/hdf5_file.h"

/* All zero: empty. */
typedef struct sdca_feature_names {
    sdca_string_list name;        /* of the columns of X */
    sdca_string_list column;      /* the column of the table for each column of X */
    sdca_string_list category;    /* its category; "" for a numeric column */
    sdca_string_list class_names; /* of the labels 0 and 1; empty if labels are numbers */
} sdca_feature_names;

/* Whether the file has names of table columns. Local. */
bool sdca_feature_names_exist(sdca_hdf5_file *store);

/* Read the names of columns, and of labels if there are any. *out is empty before and
 * the caller's afterwards, to be freed with sdca_feature_names_free(). Local. */
sdca_status sdca_feature_names_read(sdca_hdf5_file *store, sdca_feature_names *out);

/* Read the names of columns only, whether they are of a table, of AnnData or of a model;
 * none if not every column has one. *out is empty before and the caller's afterwards.
 * Local. */
sdca_status sdca_feature_names_read_names(sdca_hdf5_file *store, sdca_string_list *out);

/* Fail if the two files, a data file and a model or the training data, have different
 * names for a column. One of them may have fewer columns, or no names. Local. */
sdca_status sdca_feature_names_compare(sdca_hdf5_file *store, sdca_hdf5_file *other);

/* Write the names into a new data file. Local. */
sdca_status sdca_feature_names_write(const sdca_feature_names *features,
                                     sdca_hdf5_file           *store);

/* Free the names, leaving none. Local. */
void sdca_feature_names_free(sdca_feature_names *features);

#endif
