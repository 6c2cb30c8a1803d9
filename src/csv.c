/* SPDX-License-Identifier: BSD-3-Clause
 *
 * csv.c - records from CSV text, as it streams by.
 *
 * A record is put together in one buffer, field behind field, each without its
 * quotes and with a zero behind it. All that is known between two bytes is in the
 * parser, so that a text can be cut anywhere. */
#include "sdca/csv.h"

#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"

enum { FIRST_BYTES = 4096, FIRST_FIELDS = 64 };

static const char   mark[]      = "\xef\xbb\xbf"; /* of the byte order, in UTF-8 */
static const size_t mark_length = sizeof mark - 1;

typedef enum place {
    MARK,   /* in a byte order mark, or before the text */
    BEGIN,  /* before a field */
    PLAIN,  /* in a field */
    QUOTED, /* in a field, between quotes */
    QUOTE,  /* behind a quote in there: the last one, or the first of two */
    RETURN  /* behind a CR that ends a line */
} place;

struct sdca_csv {
    const char       *name;
    char              separator;
    sdca_take_record *take;
    void             *context;

    place   at;
    size_t  marked; /* bytes of the mark seen */
    int64_t line;   /* the present one, from 1 */
    int64_t first;  /* that of the record */
    int64_t opened; /* that of the last opening quote */

    char  *bytes; /* of the record */
    size_t used;
    size_t room;

    sdca_csv_field *field; /* those that are complete, text being set at the end */
    size_t          fields;
    size_t          field_room;
    size_t          start;  /* of the present field in bytes */
    bool            quoted; /* so is the present one */
};

sdca_status sdca_csv_create(const char *name, char separator, sdca_take_record *take,
                            void *context, sdca_csv **out)
{
    sdca_csv *parser = malloc(sizeof *parser);

    if (parser == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to parse %s", name);
    }
    *parser = (sdca_csv){ .name      = name,
                          .separator = separator,
                          .take      = take,
                          .context   = context,
                          .line      = 1,
                          .first     = 1 };
    *out    = parser;
    return SDCA_OK;
}

void sdca_csv_free(sdca_csv *parser)
{
    if (parser != NULL) {
        free(parser->bytes);
        free(parser->field);
        free(parser);
    }
}

static sdca_status complain(const sdca_csv *parser, int64_t line, const char *what)
{
    return SDCA_FAIL(SDCA_DATA, "%s, line %lld: %s", parser->name, (long long)line, what);
}

static sdca_status no_memory(const sdca_csv *parser)
{
    return SDCA_FAIL(SDCA_MEMORY, "%s, line %lld: no memory for a record", parser->name,
                     (long long)parser->first);
}

/* Put text behind what there is of the record. */
static sdca_status append(sdca_csv *parser, const char *text, size_t length)
{
    if (length > SDCA_CSV_BYTES - parser->used) {
        return complain(parser, parser->at == QUOTED ? parser->opened : parser->first,
                        parser->at == QUOTED
                            ? "a quote begins here that is not closed within 64 MiB"
                            : "a record begins here that is longer than 64 MiB");
    }
    if (parser->used + length >= parser->room) { /* there is some, also for nothing */
        size_t room  = 2 * (parser->used + length) + FIRST_BYTES;
        char  *bytes = sdca_memory_grow(parser->bytes, room, 1);

        if (bytes == NULL) {
            return no_memory(parser);
        }
        parser->bytes = bytes;
        parser->room  = room;
    }
    memcpy(parser->bytes + parser->used, text, length);
    parser->used += length;
    return SDCA_OK;
}

static sdca_status end_field(sdca_csv *parser)
{
    size_t      length = parser->used - parser->start;
    sdca_status status = append(parser, "", 1);

    if (status != SDCA_OK) {
        return status;
    }
    if (parser->fields == SDCA_CSV_FIELDS) {
        return complain(parser, parser->first, "there are more than 4194304 fields");
    }
    if (parser->fields == parser->field_room) {
        size_t          room = parser->fields > 0 ? 2 * parser->fields : FIRST_FIELDS;
        sdca_csv_field *more = sdca_memory_grow(parser->field, room, sizeof *more);

        if (more == NULL) {
            return no_memory(parser);
        }
        parser->field      = more;
        parser->field_room = room;
    }
    parser->field[parser->fields++] =
        (sdca_csv_field){ .length = length, .quoted = parser->quoted };
    parser->start  = parser->used;
    parser->quoted = false;
    parser->at     = BEGIN;
    return SDCA_OK;
}

/* Hand over the record, unless it is a blank line. */
static sdca_status hand_over(sdca_csv *parser)
{
    sdca_csv_record record = { parser->first, (int64_t)parser->fields, parser->field };
    const char     *text   = parser->bytes;

    if (parser->fields == 1 && parser->field[0].length == 0 && !parser->field[0].quoted) {
        return SDCA_OK;
    }
    for (size_t k = 0; k < parser->fields; k++) {
        parser->field[k].text = text;
        text += parser->field[k].length + 1;
    }
    return parser->take(parser->context, &record);
}

static sdca_status end_record(sdca_csv *parser)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(end_field(parser));
    SDCA_TRY(hand_over(parser));
    parser->line++;
    parser->first  = parser->line;
    parser->fields = 0;
    parser->used   = 0;
    parser->start  = 0;

done:
    return status;
}

/* A field is over, and c is what has ended it. */
static sdca_status end_with(sdca_csv *parser, char c)
{
    if (c == '\r') {
        parser->at = RETURN;
        return SDCA_OK;
    }
    return c == '\n' ? end_record(parser) : end_field(parser);
}

static bool ends_field(const sdca_csv *parser, char c)
{
    return c == parser->separator || c == '\n' || c == '\r';
}

/* Take *text, up to end, as long as it belongs to a plain field, and its end. */
static sdca_status take_plain(sdca_csv *parser, const char **text, const char *end)
{
    const char *p      = *text;
    sdca_status status = SDCA_OK;

    while (p < end && !ends_field(parser, *p)) {
        p++;
    }
    SDCA_TRY(append(parser, *text, (size_t)(p - *text)));
    if (p < end) {
        SDCA_TRY(end_with(parser, *p++));
    }
    *text = p;

done:
    return status;
}

/* The same between quotes. */
static sdca_status take_quoted(sdca_csv *parser, const char **text, const char *end)
{
    const char *p     = *text;
    const char *quote = memchr(p, '"', (size_t)(end - p));
    const char *stop  = quote != NULL ? quote : end;
    sdca_status status;

    status = append(parser, p, (size_t)(stop - p));
    for (; p < stop; p++) {
        parser->line += *p == '\n';
    }
    if (quote != NULL) {
        parser->at = QUOTE;
        stop++;
    }
    *text = stop;
    return status;
}

/* Take what comes behind a quote within quotes. */
static sdca_status take_behind_quote(sdca_csv *parser, char c)
{
    if (c == '"') {
        parser->at = QUOTED;
        return append(parser, "\"", 1);
    }
    return ends_field(parser, c)
               ? end_with(parser, c)
               : complain(parser, parser->line,
                          "something stands behind the quote that closes a field");
}

/* Skip a byte order mark; what only looks like the beginning of one is text. */
static sdca_status take_mark(sdca_csv *parser, const char **text)
{
    if (**text == mark[parser->marked]) {
        (*text)++;
        parser->marked++;
        parser->at = parser->marked == mark_length ? BEGIN : MARK;
        return SDCA_OK;
    }
    parser->at = parser->marked > 0 ? PLAIN : BEGIN;
    return append(parser, mark, parser->marked);
}

sdca_status sdca_csv_feed(sdca_csv *parser, const char *text, size_t length)
{
    sdca_status status = SDCA_OK;
    const char *end    = text + length;

    while (length > 0 && text < end) {
        switch (parser->at) {
        case MARK:
            SDCA_TRY(take_mark(parser, &text));
            break;
        case BEGIN:
            parser->quoted = *text == '"';
            parser->at     = parser->quoted ? QUOTED : PLAIN;
            parser->opened = parser->line;
            text += parser->quoted;
            break;
        case PLAIN:
            SDCA_TRY(take_plain(parser, &text, end));
            break;
        case QUOTED:
            SDCA_TRY(take_quoted(parser, &text, end));
            break;
        case QUOTE:
            SDCA_TRY(take_behind_quote(parser, *text++));
            break;
        case RETURN:
            if (*text++ != '\n') {
                status = complain(parser, parser->line,
                                  "a carriage return has no line feed behind it");
                goto done;
            }
            SDCA_TRY(end_record(parser));
            break;
        }
    }

done:
    return status;
}

sdca_status sdca_csv_finish(sdca_csv *parser)
{
    sdca_status status = SDCA_OK;

    if (parser->at == QUOTED) {
        return complain(parser, parser->opened, "a quote begins here that is not closed");
    }
    if (parser->at == MARK && parser->marked > 0) {
        SDCA_TRY(append(parser, mark, parser->marked));
        parser->at = PLAIN;
    }
    /* Behind an end of line there is nothing, behind a separator an empty field. */
    if (parser->at > BEGIN || parser->fields > 0) {
        SDCA_TRY(end_record(parser));
    }

done:
    return status;
}
