/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_value.h - classifying the values of a table. */
#ifndef SDCA_DATA_TABLE_VALUE_H
#define SDCA_DATA_TABLE_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "io/csv.h"

/* A value without surrounding blanks, and its location. */
typedef struct sdca_table_value {
    enum {
        SDCA_VALUE_NUMBER,
        SDCA_VALUE_INFINITE,
        SDCA_VALUE_MISSING,
        SDCA_VALUE_TEXT
    } type;
    const char *text;
    size_t      length;
    double      number;
    int64_t     line;
    int64_t     column;
} sdca_table_value;

/* Classify the field of a column. Quoted, NA and similar words are text, as R writes
 * them. Local. */
sdca_table_value sdca_table_value_parse(const sdca_csv_record *record, int64_t column);

/* The 64-bit FNV-1a hash of the bytes of a value. Local. */
uint64_t sdca_table_value_hash(const sdca_table_value *value);

/* Fail if a value is not UTF-8, as all text in our files is. Local. */
sdca_status sdca_table_value_check_utf8(const sdca_table_value *value, const char *table);

#endif
