/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_word.h - what a value of a table means. */
#ifndef SDCA_TABLE_WORD_H
#define SDCA_TABLE_WORD_H

#include <stddef.h>
#include <stdint.h>

#include "sdca/csv.h"
#include "sdca/status.h"

/* A value without the blanks around it, and where it stands. */
typedef struct sdca_word {
    enum {
        SDCA_WORD_NUMBER,
        SDCA_WORD_INFINITE,
        SDCA_WORD_MISSING,
        SDCA_WORD_TEXT
    } meaning;
    const char *text;
    size_t      length;
    double      number;
    int64_t     line;
    int64_t     column;
} sdca_word;

/* What the field of that column means. Quotes make a text of NA and its like, as R
 * writes them. Local. */
sdca_word sdca_word_read(const sdca_csv_record *record, int64_t column);

/* Fail with a sentence that names the table if it is not UTF-8, as all text in a file
 * is. Local. */
sdca_status sdca_word_check_utf8(const sdca_word *w, const char *table);

#endif
