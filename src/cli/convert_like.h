/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_like.h - what sdca convert --like takes over from a data file.
 *
 * A test set has to be made as its training set was: with the same columns and labels,
 * and with the same options that change values. */
#ifndef SDCA_CONVERT_LIKE_H
#define SDCA_CONVERT_LIKE_H

#include <stdbool.h>

#include "base/status.h"
#include "data/feature_names.h"

/* One of the words that an option takes, and whether the command line has it. */
typedef struct convert_option {
    const char *value;
    bool        given;
} convert_option;

/* The options that are taken over. */
typedef struct convert_options {
    convert_option normalize; /* none or rows */
    convert_option task;      /* classification or regression */
    convert_option values;    /* float32 or float64 */
} convert_options;

/* Read the names of columns and labels in the data file at path, and put what it was
 * made with into those choices that are not given; what the file does not tell stays
 * as it is. Fails with SDCA_USAGE where a given choice is another. *legend is to be
 * empty, and is the caller's, to be freed with sdca_feature_names_free(). Local. */
sdca_status convert_like_read(const char *path, convert_options *inherited,
                              sdca_feature_names *features);

#endif
