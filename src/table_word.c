/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table_word.c - what a value of a table means. */
#include "table_word.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "sdca/number.h"
#include "sdca/texts.h"

static bool is_one_of(const sdca_word *w, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strlen(*list) == w->length && strncasecmp(*list, w->text, w->length) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

sdca_word sdca_word_read(const sdca_csv_record *record, int64_t column)
{
    static const char *const missing[]  = { "",    "NA",   "N/A",  "#N/A", "<NA>",
                                            "NaN", "null", "None", "?",    NULL };
    static const char *const infinite[] = { "inf",       "-inf",      "+inf", "infinity",
                                            "-infinity", "+infinity", NULL };
    const sdca_csv_field    *field      = &record->field[column];
    sdca_word                w          = { .meaning = SDCA_WORD_TEXT,
                                            .text    = field->text,
                                            .length  = field->length,
                                            .line    = record->line,
                                            .column  = column };
    const char              *end;

    while (!field->quoted && w.length > 0 && is_blank(*w.text)) {
        w.text++;
        w.length--;
    }
    while (!field->quoted && w.length > 0 && is_blank(w.text[w.length - 1])) {
        w.length--;
    }
    end = w.text + w.length;
    if (w.length > 0 && sdca_parse_double(w.text, end, &w.number) == end) {
        w.meaning = isfinite(w.number) ? SDCA_WORD_NUMBER : SDCA_WORD_INFINITE;
    } else if (w.length == 0 || (!field->quoted && is_one_of(&w, missing))) {
        w.meaning = SDCA_WORD_MISSING;
    } else if (!field->quoted && is_one_of(&w, infinite)) {
        w.meaning = SDCA_WORD_INFINITE;
    }
    return w;
}

sdca_status sdca_word_check_utf8(const sdca_word *w, const char *table)
{
    return sdca_string_is_utf8(w->text, w->length)
               ? SDCA_OK
               : SDCA_FAIL(
                     SDCA_DATA,
                     "%s, line %lld: '%s' is not UTF-8; iconv can make it so, as in "
                     "iconv -f latin1 -t utf8",
                     table, (long long)w->line,
                     sdca_string_escape(w->text, w->length).text);
}
