/* SPDX-License-Identifier: BSD-3-Clause
 *
 * feature_names.h - what the columns and labels of a data file are called.
 *
 * A column of a table of numbers is a column of X. One of categories is as many as
 * there are categories, called column=category: 1 where that is the category. The
 * names stand where AnnData has them; docs/formats.md has it in full. */
#ifndef SDCA_DATA_FEATURE_NAMES_H
#define SDCA_DATA_FEATURE_NAMES_H

#include <stdbool.h>

#include "base/string_list.h"
#include "io/hdf5_file.h"

/* Empty if all of it is zero. */
typedef struct sdca_feature_names {
    sdca_string_list name;     /* of each column of X, in their order; */
    sdca_string_list column;   /* the column of the table that it comes from, */
    sdca_string_list category; /* and its category, "" for a column of numbers */
    sdca_string_list
        class_names; /* of the labels 0 and 1; none where labels are numbers */
} sdca_feature_names;

/* Has the file names of columns that a table had? Local. */
bool sdca_feature_names_exist(sdca_hdf5_file *store);

/* Read them, and those of labels, if there are any; *out is to be empty, and is the
 * caller's, to be freed with sdca_feature_names_free(). Local. */
sdca_status sdca_feature_names_read(sdca_hdf5_file *store, sdca_feature_names *out);

/* The names of columns alone, be they of a table, of AnnData or of a model; none where
 * not each column has one. *out is to be empty, and is the caller's. Local. */
sdca_status sdca_feature_names_read_names(sdca_hdf5_file *store, sdca_string_list *out);

/* Fail with a sentence where a data file has another name for a column than the other
 * file, a model or the data of training. One of them may have fewer columns, or no
 * names. Local. */
sdca_status sdca_feature_names_compare(sdca_hdf5_file *store, sdca_hdf5_file *other);

/* Write the names into a new data file. Local. */
sdca_status sdca_feature_names_write(const sdca_feature_names *features,
                                     sdca_hdf5_file           *store);

/* Free the names, leaving none. Local. */
void sdca_feature_names_free(sdca_feature_names *features);

#endif
