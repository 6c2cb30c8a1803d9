/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_like.h - the settings that sdca convert --like takes from a data file.
 *
 * A test set must be converted like its training set: with the same columns and labels,
 * and with the same options that change values. */
#ifndef SDCA_CLI_CONVERT_CONVERT_LIKE_H
#define SDCA_CLI_CONVERT_CONVERT_LIKE_H

#include <stdbool.h>

#include "base/status.h"
#include "data/table_schema.h"

/* The value of an option, and whether the command line has it. */
typedef struct convert_option {
    const char *value;
    bool        given;
} convert_option;

/* The options that are inherited. */
typedef struct convert_options {
    convert_option normalize; /* none or rows */
    convert_option task;      /* classification or regression */
    convert_option values;    /* float32 or float64 */
} convert_options;

/* Read the names of columns and labels of the data file at path, and set the options
 * that are not given to those of the file; options that the file does not record are not
 * changed. Fails with SDCA_USAGE if a given option differs. *features must be empty, and
 * is freed by the caller with sdca_table_schema_free(). Local. */
sdca_status convert_like_read(const char *path, convert_options *inherited,
                              sdca_table_schema *features);

#endif
