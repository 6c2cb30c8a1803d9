/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svmlight.c - a streaming parser of LIBSVM/svmlight text.
 *
 * Complete lines are parsed in place; only a line that is split between two feeds is
 * assembled in a buffer first. Either way every line that is parsed ends in '\n', which
 * is not part of any word, so that no loop over characters needs to check for the end of
 * the text. */
#include "io/svmlight.h"

#include "base/alloc.h"
#include "base/parse_number_inline.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INITIAL_ENTRIES = 1024, INITIAL_BYTES = 4096, MAX_ESCAPED = 40 };

struct sdca_svmlight {
    const char             *name;
    int                     index_base; /* index */
    sdca_svmlight_callback *callback;
    void                   *context;
    int64_t                 line;     /* the current line, from 1 */
    bool                    has_rows; /* a row was found */

    size_t   capacity; /* capacity of column and value */
    int32_t *column;
    double  *value;

    char  *partial_line; /* the beginning of an incomplete line */
    size_t partial_length;
    size_t partial_capacity;
};

/* A CR is blank only at the end of a line. */
static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || (*p == '\r' && p[1] == '\n')) {
        p++;
    }
    return p;
}

static bool ends_line(char c)
{
    return c == '\n' || c == '#';
}

static bool ends_token(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || ends_line(c);
}

/* A hint for a first line that looks like that of a table: it has a common separator and
 * no colon. */
static const char *table_hint(const sdca_svmlight *parser, const char *line)
{
    const char *separator = NULL;

    for (const char *p = line; *p != '\n' && !parser->has_rows; p++) {
        if (*p == ':') {
            return "";
        }
        if (strchr("\t,;|", *p) != NULL && *p != '\0' && separator == NULL) {
            separator = p;
        }
    }
    if (separator == NULL) {
        return "";
    }
    return *separator == ','    ? "; if this is a table, --format csv reads it"
           : *separator == '\t' ? "; if this is a table, --format tsv reads it"
           : *separator == ';'  ? "; if this is a table, --separator ';' reads it"
                                : "; if this is a table, --separator '|' reads it";
}

/* Fail because of the word at p in the line that begins at line. At most SHOWN
 * characters are shown, those that are not printable ASCII as bytes. */
static sdca_status fail_at_token(const sdca_svmlight *parser, const char *line,
                                 const char *p, const char *what)
{
    char        escaped[4 * MAX_ESCAPED + 4] = "";
    size_t      used                         = 0;
    const char *from                         = p;

    do {
        unsigned char c = (unsigned char)*p;

        if (c == '\n') {
            break;
        }
        used += (size_t)snprintf(escaped + used, sizeof escaped - used,
                                 c >= ' ' && c <= '~' ? "%c" : "\\x%02x", c);
        p++;
    } while (!ends_token(*p) && p - from < MAX_ESCAPED);

    return SDCA_FAIL(SDCA_DATA, "%s, line %lld, column %lld: '%s%s' %s%s", parser->name,
                     (long long)parser->line, (long long)(from - line + 1), escaped,
                     ends_token(*p) ? "" : "...", what, table_hint(parser, line));
}

static sdca_status fail_at_number(const sdca_svmlight *parser, const char *line,
                                  const char *p, const char *end)
{
    double      value = 0.0;
    const char *after = sdca_parse_double(p, end, &value);

    if (sdca_parse_is_nonfinite(p, end)) {
        return fail_at_token(parser, line, p,
                             "is not finite, and only finite numbers are data");
    }
    if (ends_token(*after) && !isfinite(value)) {
        return fail_at_token(parser, line, p,
                             "is too large for a number of double precision");
    }
    return fail_at_token(parser, line, p, "is not a number");
}

static int64_t max_index(const sdca_svmlight *parser)
{
    return (int64_t)SDCA_SVMLIGHT_MAX_INDEX - 1 + parser->index_base;
}

static sdca_status fail_at_entry(const sdca_svmlight *parser, const char *line,
                                 const char *p, const char *end)
{
    int64_t     index = 0;
    const char *after = sdca_parse_int64(p, end, &index);
    const char *colon = p;

    while (!ends_token(*colon) && *colon != ':') {
        colon++;
    }
    if (*colon != ':') {
        return fail_at_token(parser, line, p, "is not INDEX:VALUE: the ':' is missing");
    }
    if (after != colon || after == p) {
        return fail_at_token(parser, line, p,
                             parser->index_base == 0
                                 ? "does not begin with an index, a whole number from 0"
                                 : "does not begin with an index, a whole number from 1");
    }
    if (index < parser->index_base) {
        return fail_at_token(
            parser, line, p,
            "has the index 0, but indices begin with 1; with --zero-based, "
            "they begin with 0");
    }
    if (index > max_index(parser)) {
        return fail_at_token(parser, line, p,
                             parser->index_base == 0 ? "has an index above 2147483645"
                                                     : "has an index above 2147483646");
    }
    return fail_at_token(parser, line, p,
                         "has an index that is not above the one before it");
}

/* Double the capacity for entries. */
static sdca_status grow_entries(sdca_svmlight *parser)
{
    size_t   capacity = parser->capacity == 0 ? INITIAL_ENTRIES : 2 * parser->capacity;
    int32_t *column   = sdca_alloc_resize(parser->column, capacity, sizeof *column);
    double  *value    = NULL;

    if (column != NULL) {
        parser->column = column;
        value          = sdca_alloc_resize(parser->value, capacity, sizeof *value);
    }
    if (value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "%s, line %lld: no memory for a row of %zu entries",
                         parser->name, (long long)parser->line, capacity);
    }
    parser->value    = value;
    parser->capacity = capacity;
    return SDCA_OK;
}

/* Skip the word qid:N if it is at *at. */
static sdca_status skip_qid(const sdca_svmlight *parser, const char *line,
                            const char *end, const char **at)
{
    const char *p = *at;
    const char *after;
    int64_t     query;

    if (p[0] != 'q' || p[1] != 'i' || p[2] != 'd' || p[3] != ':') {
        return SDCA_OK;
    }
    after = sdca_parse_int64(p + 4, end, &query);
    if (after == p + 4 || !ends_token(*after)) {
        return fail_at_token(parser, line, p, "is not qid: and a whole number");
    }
    *at = skip_blanks(after);
    return SDCA_OK;
}

/* Parse the entries from p to the end of the line into the arrays of the parser. */
static sdca_status parse_entries(sdca_svmlight *parser, const char *line, const char *p,
                                 const char *end, int64_t *count)
{
    size_t        used       = 0;
    size_t        capacity   = parser->capacity;
    int32_t      *column     = parser->column;
    double       *value      = parser->value;
    const int64_t index_base = parser->index_base;
    const int64_t max        = max_index(parser);
    int64_t       last       = index_base - 1;

    while (!ends_line(*p)) {
        int64_t     index = 0;
        double      x     = 0.0;
        const char *colon = parse_int64_inline(p, end, &index);
        const char *after;

        if (*colon != ':' || index <= last || index > max || colon == p) {
            return fail_at_entry(parser, line, p, end);
        }
        after = parse_double_inline(colon + 1, end, &x);
        if (after == colon + 1 && ends_token(*after)) {
            return fail_at_token(parser, line, p, "has no value after the ':'");
        }
        if (after == colon + 1 || !ends_token(*after) || !isfinite(x)) {
            return fail_at_number(parser, line, colon + 1, end);
        }
        if (used == capacity) {
            sdca_status status = grow_entries(parser);

            if (status != SDCA_OK) {
                return status;
            }
            capacity = parser->capacity;
            column   = parser->column;
            value    = parser->value;
        }
        column[used] = (int32_t)(index - index_base);
        value[used]  = x;
        used += x != 0.0;
        last = index;
        p    = skip_blanks(after);
    }
    *count = (int64_t)used;
    return SDCA_OK;
}

/* The first line without its UTF-8 byte order mark. */
static const char *skip_bom(const char *line, const char *end)
{
    static const char   bom[]  = "\xef\xbb\xbf";
    static const size_t length = sizeof bom - 1;
    bool has_bom = (size_t)(end - line) >= length && memcmp(line, bom, length) == 0;

    return has_bom ? line + length : line;
}

static sdca_status parse_line(sdca_svmlight *parser, const char *line, const char *end)
{
    sdca_status       status = SDCA_OK;
    sdca_svmlight_row row    = { .weight = 1.0 };
    const char       *p;
    const char       *after;

    if (parser->line++ == 0) {
        line = skip_bom(line, end);
    }
    p = skip_blanks(line);
    if (ends_line(*p)) {
        return SDCA_OK;
    }
    after = sdca_parse_double(p, end, &row.label);
    if (after > p && *after == ',' && ends_token(p[strspn(p, "0123456789+-.,")]) &&
        memchr(after, ':', (size_t)(end - after)) != NULL) {
        return fail_at_token(parser, line, p,
                             "is not a number: a row has one label, without a comma");
    }
    if (after == p || !ends_token(*after) || !isfinite(row.label)) {
        return fail_at_number(parser, line, p, end);
    }
    p = skip_blanks(after);
    SDCA_TRY(skip_qid(parser, line, end, &p));
    SDCA_TRY(parse_entries(parser, line, p, end, &row.count));
    row.line         = parser->line;
    row.column       = parser->column;
    row.value        = parser->value;
    parser->has_rows = true;
    SDCA_TRY(parser->callback(parser->context, &row));

done:
    return status;
}

/* Parse the assembled line, which is complete. */
static sdca_status parse_lines(sdca_svmlight *parser, const char *text, const char *end)
{
    sdca_status status = SDCA_OK;

    while (text < end) {
        SDCA_TRY(parse_line(parser, text, end));
        text = (const char *)memchr(text, '\n', (size_t)(end - text)) + 1;
    }

done:
    return status;
}

/* Append text to the incomplete line. */
static sdca_status append_partial(sdca_svmlight *parser, const char *text, size_t length)
{
    size_t needed = parser->partial_length + length;

    if (needed > parser->partial_capacity) {
        size_t capacity = needed > INITIAL_BYTES / 2 ? 2 * needed : INITIAL_BYTES;
        char  *partial  = sdca_alloc_resize(parser->partial_line, capacity, 1);

        if (partial == NULL) {
            return SDCA_FAIL(SDCA_MEMORY,
                             "%s, line %lld: no memory for a line of %zu bytes",
                             parser->name, (long long)parser->line + 1, needed);
        }
        parser->partial_line     = partial;
        parser->partial_capacity = capacity;
    }
    memcpy(parser->partial_line + parser->partial_length, text, length);
    parser->partial_length = needed;
    return SDCA_OK;
}

/* Parse the line that is kept, complete by now. */
static sdca_status parse_partial(sdca_svmlight *parser)
{
    size_t length = parser->partial_length;

    parser->partial_length = 0;
    return parse_line(parser, parser->partial_line, parser->partial_line + length);
}

sdca_status sdca_svmlight_create(const char *name, int index_base,
                                 sdca_svmlight_callback *callback, void *context,
                                 sdca_svmlight **out)
{
    sdca_svmlight *parser = malloc(sizeof *parser);

    if (parser == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to parse %s", name);
    }
    *parser = (sdca_svmlight){
        .name = name, .index_base = index_base, .callback = callback, .context = context
    };
    *out = parser;
    return SDCA_OK;
}

sdca_status sdca_svmlight_feed(sdca_svmlight *parser, const char *text, size_t length)
{
    sdca_status status = SDCA_OK;
    const char *end    = text + length;
    const char *last   = end; /* after the last complete line */

    if (length == 0) {
        return SDCA_OK;
    }
    if (parser->partial_length > 0) {
        const char *newline = memchr(text, '\n', length);
        const char *rest    = newline != NULL ? newline + 1 : end;

        SDCA_TRY(append_partial(parser, text, (size_t)(rest - text)));
        if (newline != NULL) {
            SDCA_TRY(parse_partial(parser));
        }
        text = rest;
    }
    while (last > text && last[-1] != '\n') {
        last--;
    }
    SDCA_TRY(parse_lines(parser, text, last));
    if (last < end) {
        SDCA_TRY(append_partial(parser, last, (size_t)(end - last)));
    }

done:
    return status;
}

sdca_status sdca_svmlight_finish(sdca_svmlight *parser)
{
    return parser->partial_length > 0 ? sdca_svmlight_feed(parser, "\n", 1) : SDCA_OK;
}

void sdca_svmlight_free(sdca_svmlight *parser)
{
    if (parser != NULL) {
        free(parser->column);
        free(parser->value);
        free(parser->partial_line);
        free(parser);
    }
}
