/* SPDX-License-Identifier: BSD-3-Clause
 *
 * csv.c - a streaming parser of CSV text.
 *
 * A record is assembled in one buffer, its fields without quotes and zero-terminated one
 * after another. The whole state between two bytes is in the parser, so that a text can
 * be split anywhere. */
#include "io/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { INITIAL_BYTES = 4096, INITIAL_FIELDS = 64 };

static const char   bom[]      = "\xef\xbb\xbf"; /* byte order mark in UTF-8 */
static const size_t bom_length = sizeof bom - 1;

typedef enum parse_state {
    IN_BOM,      /* before the text, or in a byte order mark */
    FIELD_START, /* before a field */
    UNQUOTED,    /* in a field */
    QUOTED,      /* in a quoted field */
    AFTER_QUOTE, /* after a quote in a quoted field: the closing one, or the first of two
                  */
    AFTER_CR     /* after a CR that ends a line */
} parse_state;

struct sdca_csv {
    const char        *name;
    char               separator;
    sdca_csv_callback *callback;
    void              *context;

    parse_state state;
    size_t      bom_bytes;   /* bytes of the mark seen */
    int64_t     line;        /* the current line, from 1 */
    int64_t     record_line; /* where the record begins */
    int64_t     quote_line;  /* where the last opening quote is */

    char  *bytes; /* of the record */
    size_t byte_count;
    size_t byte_capacity;

    sdca_csv_field *field; /* the complete fields, whose text is set at the end */
    size_t          field_count;
    size_t          field_capacity;
    size_t          field_start; /* the offset of the current field */
    bool            quoted;      /* the current field is quoted */
};

sdca_status sdca_csv_create(const char *name, char separator, sdca_csv_callback *callback,
                            void *context, sdca_csv **out)
{
    sdca_csv *parser = malloc(sizeof *parser);

    if (parser == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to parse %s", name);
    }
    *parser = (sdca_csv){ .name        = name,
                          .separator   = separator,
                          .callback    = callback,
                          .context     = context,
                          .line        = 1,
                          .record_line = 1 };
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

static sdca_status fail_at_line(const sdca_csv *parser, int64_t line, const char *what)
{
    return SDCA_FAIL(SDCA_DATA, "%s, line %lld: %s", parser->name, (long long)line, what);
}

static sdca_status no_memory(const sdca_csv *parser)
{
    return SDCA_FAIL(SDCA_MEMORY, "%s, line %lld: no memory for a record", parser->name,
                     (long long)parser->record_line);
}

/* Append text to the record. */
static sdca_status append(sdca_csv *parser, const char *text, size_t length)
{
    if (length > SDCA_CSV_MAX_RECORD_BYTES - parser->byte_count) {
        return fail_at_line(
            parser, parser->state == QUOTED ? parser->quote_line : parser->record_line,
            parser->state == QUOTED
                ? "a quote begins here that is not closed within 64 MiB"
                : "a record begins here that is longer than 64 MiB");
    }
    if (parser->byte_count + length >=
        parser->byte_capacity) { /* not empty, even without bytes */
        size_t capacity = 2 * (parser->byte_count + length) + INITIAL_BYTES;
        char  *bytes    = sdca_alloc_resize(parser->bytes, capacity, 1);

        if (bytes == NULL) {
            return no_memory(parser);
        }
        parser->bytes         = bytes;
        parser->byte_capacity = capacity;
    }
    memcpy(parser->bytes + parser->byte_count, text, length);
    parser->byte_count += length;
    return SDCA_OK;
}

static sdca_status end_field(sdca_csv *parser)
{
    size_t      length = parser->byte_count - parser->field_start;
    sdca_status status = append(parser, "", 1);

    if (status != SDCA_OK) {
        return status;
    }
    if (parser->field_count == SDCA_CSV_MAX_FIELDS) {
        return fail_at_line(parser, parser->record_line,
                            "there are more than 4194304 fields");
    }
    if (parser->field_count == parser->field_capacity) {
        size_t capacity =
            parser->field_count > 0 ? 2 * parser->field_count : INITIAL_FIELDS;
        sdca_csv_field *grown = sdca_alloc_resize(parser->field, capacity, sizeof *grown);

        if (grown == NULL) {
            return no_memory(parser);
        }
        parser->field          = grown;
        parser->field_capacity = capacity;
    }
    parser->field[parser->field_count++] =
        (sdca_csv_field){ .length = length, .quoted = parser->quoted };
    parser->field_start = parser->byte_count;
    parser->quoted      = false;
    parser->state       = FIELD_START;
    return SDCA_OK;
}

/* Pass on the record, unless it is a blank line. */
static sdca_status emit_record(sdca_csv *parser)
{
    sdca_csv_record record = { parser->record_line, (int64_t)parser->field_count,
                               parser->field };
    const char     *text   = parser->bytes;

    if (parser->field_count == 1 && parser->field[0].length == 0 &&
        !parser->field[0].quoted) {
        return SDCA_OK;
    }
    for (size_t k = 0; k < parser->field_count; k++) {
        parser->field[k].text = text;
        text += parser->field[k].length + 1;
    }
    return parser->callback(parser->context, &record);
}

static sdca_status end_record(sdca_csv *parser)
{
    sdca_status status = SDCA_OK;

    SDCA_TRY(end_field(parser));
    SDCA_TRY(emit_record(parser));
    parser->line++;
    parser->record_line = parser->line;
    parser->field_count = 0;
    parser->byte_count  = 0;
    parser->field_start = 0;

done:
    return status;
}

/* End a field at the character c. */
static sdca_status end_at(sdca_csv *parser, char c)
{
    if (c == '\r') {
        parser->state = AFTER_CR;
        return SDCA_OK;
    }
    return c == '\n' ? end_record(parser) : end_field(parser);
}

static bool ends_field(const sdca_csv *parser, char c)
{
    return c == parser->separator || c == '\n' || c == '\r';
}

/* Consume *text, up to end, as long as it belongs to an unquoted field, and its end. */
static sdca_status parse_unquoted(sdca_csv *parser, const char **text, const char *end)
{
    const char *p      = *text;
    sdca_status status = SDCA_OK;

    while (p < end && !ends_field(parser, *p)) {
        p++;
    }
    SDCA_TRY(append(parser, *text, (size_t)(p - *text)));
    if (p < end) {
        SDCA_TRY(end_at(parser, *p++));
    }
    *text = p;

done:
    return status;
}

/* The same in a quoted field. */
static sdca_status parse_quoted(sdca_csv *parser, const char **text, const char *end)
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
        parser->state = AFTER_QUOTE;
        stop++;
    }
    *text = stop;
    return status;
}

/* Consume the character after a quote in a quoted field. */
static sdca_status parse_after_quote(sdca_csv *parser, char c)
{
    if (c == '"') {
        parser->state = QUOTED;
        return append(parser, "\"", 1);
    }
    return ends_field(parser, c)
               ? end_at(parser, c)
               : fail_at_line(parser, parser->line,
                              "there is text after the closing quote of a field");
}

/* Skip a byte order mark; an incomplete one is text. */
static sdca_status skip_bom(sdca_csv *parser, const char **text)
{
    if (**text == bom[parser->bom_bytes]) {
        (*text)++;
        parser->bom_bytes++;
        parser->state = parser->bom_bytes == bom_length ? FIELD_START : IN_BOM;
        return SDCA_OK;
    }
    parser->state = parser->bom_bytes > 0 ? UNQUOTED : FIELD_START;
    return append(parser, bom, parser->bom_bytes);
}

sdca_status sdca_csv_feed(sdca_csv *parser, const char *text, size_t length)
{
    sdca_status status = SDCA_OK;
    const char *end    = text + length;

    while (length > 0 && text < end) {
        switch (parser->state) {
        case IN_BOM:
            SDCA_TRY(skip_bom(parser, &text));
            break;
        case FIELD_START:
            parser->quoted     = *text == '"';
            parser->state      = parser->quoted ? QUOTED : UNQUOTED;
            parser->quote_line = parser->line;
            text += parser->quoted;
            break;
        case UNQUOTED:
            SDCA_TRY(parse_unquoted(parser, &text, end));
            break;
        case QUOTED:
            SDCA_TRY(parse_quoted(parser, &text, end));
            break;
        case AFTER_QUOTE:
            SDCA_TRY(parse_after_quote(parser, *text++));
            break;
        case AFTER_CR:
            if (*text++ != '\n') {
                status = fail_at_line(parser, parser->line,
                                      "a carriage return has no line feed after it");
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

    if (parser->state == QUOTED) {
        return fail_at_line(parser, parser->quote_line,
                            "a quote begins here that is not closed");
    }
    if (parser->state == IN_BOM && parser->bom_bytes > 0) {
        SDCA_TRY(append(parser, bom, parser->bom_bytes));
        parser->state = UNQUOTED;
    }
    /* After a line end there is nothing, after a separator an empty field. */
    if (parser->state > FIELD_START || parser->field_count > 0) {
        SDCA_TRY(end_record(parser));
    }

done:
    return status;
}

static void print_doubling_quotes(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", file);
        fputc(*text, file);
    }
}

void sdca_csv_print_field(FILE *file, const char *prefix, const char *text)
{
    const char *special = ",\"\r\n";
    const char *quote =
        strpbrk(prefix, special) != NULL || strpbrk(text, special) != NULL ? "\"" : "";

    fputs(quote, file);
    print_doubling_quotes(file, prefix);
    print_doubling_quotes(file, text);
    fputs(quote, file);
}
