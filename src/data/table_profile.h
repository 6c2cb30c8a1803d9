/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_profile.h - what the values of a column of a table have in common.
 *
 * It gives the fill of missing values, the summary of a conversion, and the signs of
 * mistakes: dates, row numbers, commas in numbers. */
#ifndef SDCA_DATA_TABLE_PROFILE_H
#define SDCA_DATA_TABLE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/table_value.h"

/* Values that are not missing are counted by values, missing ones by missing. All zero:
 * no values. */
typedef struct sdca_table_profile {
    int64_t values;
    int64_t missing;
    int64_t first_missing;        /* the line of the first missing value */
    double  min, max, mean, last; /* of numbers */
    bool    no_row_numbers;       /* some number is not one more than the last one */
    bool    no_dates;             /* some text is not a date */
    bool    no_number_commas;     /* some text is not a number with commas */
    double *kept;                 /* all numbers, for the median; or NULL */
    int64_t capacity;             /* of kept */
} sdca_table_profile;

/* Count a value. keep stores numbers for the median. Local. */
sdca_status sdca_table_profile_add(sdca_table_profile     *profile,
                                   const sdca_table_value *value, bool keep);

/* The median of the kept numbers, which are sorted; 0 if there are none. Local. */
double sdca_table_profile_median(sdca_table_profile *profile);

/* Whether all values of a column of text are dates or numbers with commas, and
 * whether the numbers of a column count its rows. Local. */
bool sdca_table_profile_is_dates(const sdca_table_profile *profile);
bool sdca_table_profile_is_number_commas(const sdca_table_profile *profile);
bool sdca_table_profile_is_row_numbers(const sdca_table_profile *profile);

/* Free what the profile holds. Local. */
void sdca_table_profile_free(sdca_table_profile *profile);

#endif
