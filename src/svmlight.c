/* SPDX-License-Identifier: BSD-3-Clause
 *
 * svmlight.c - rows from LIBSVM/svmlight text, as it streams by.
 *
 * Whole lines are parsed where they lie; only a line that is cut between two
 * feeds is put together in a buffer first. Either way every line that is parsed
 * ends in '\n', which belongs to no word, so that no loop over the characters
 * of a line needs to look for the end of the text. */
#include "sdca/svmlight.h"

#include "number_kernel.h"
#include "sdca/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ENTRIES = 1024, FIRST_BYTES = 4096, SHOWN = 40 };

struct sdca_svmlight {
    const char    *name;
    int            first; /* index */
    sdca_take_row *take;
    void          *context;
    int64_t        line;  /* the one being parsed, from 1 */
    bool           begun; /* there was a row */

    size_t   room; /* entries that column and value can hold */
    int32_t *column;
    double  *value;

    char  *cut; /* the beginning of a line whose end is still to come */
    size_t cut_length;
    size_t cut_room;
};

/* A CR counts as blank only where it belongs to the end of a line. */
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

static bool ends_word(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || ends_line(c);
}

/* What to add about a first line that looks like that of a table: it has what parts
 * fields there, and no colon. */
static const char *hint_at_table(const sdca_svmlight *parser, const char *line)
{
    const char *parts = NULL;

    for (const char *p = line; *p != '\n' && !parser->begun; p++) {
        if (*p == ':') {
            return "";
        }
        if (strchr("\t,;|", *p) != NULL && *p != '\0' && parts == NULL) {
            parts = p;
        }
    }
    if (parts == NULL) {
        return "";
    }
    return *parts == ','    ? "; if this is a table, --format csv reads it"
           : *parts == '\t' ? "; if this is a table, --format tsv reads it"
           : *parts == ';'  ? "; if this is a table, --separator ';' reads it"
                            : "; if this is a table, --separator '|' reads it";
}

/* The complaint about the word at p, a line's first character being at line.
 * At most SHOWN characters of it are shown, those outside of printable ASCII
 * as bytes. */
static sdca_status complain(const sdca_svmlight *parser, const char *line, const char *p,
                            const char *what)
{
    char        shown[4 * SHOWN + 4] = "";
    size_t      used                 = 0;
    const char *from                 = p;

    do {
        unsigned char c = (unsigned char)*p;

        if (c == '\n') {
            break;
        }
        used += (size_t)snprintf(shown + used, sizeof shown - used,
                                 c >= ' ' && c <= '~' ? "%c" : "\\x%02x", c);
        p++;
    } while (!ends_word(*p) && p - from < SHOWN);

    return SDCA_FAIL(SDCA_DATA, "%s, line %lld, column %lld: '%s%s' %s%s", parser->name,
                     (long long)parser->line, (long long)(from - line + 1), shown,
                     ends_word(*p) ? "" : "...", what, hint_at_table(parser, line));
}

static sdca_status complain_of_number(const sdca_svmlight *parser, const char *line,
                                      const char *p, const char *end)
{
    double      value = 0.0;
    const char *after = sdca_number_read(p, end, &value);

    if (sdca_number_is_special(p, end)) {
        return complain(parser, line, p,
                        "is not finite, and only finite numbers are data");
    }
    if (ends_word(*after) && !isfinite(value)) {
        return complain(parser, line, p, "is too large for a number of double precision");
    }
    return complain(parser, line, p, "is not a number");
}

static int64_t greatest_index(const sdca_svmlight *parser)
{
    return (int64_t)SDCA_SVMLIGHT_INDEX - 1 + parser->first;
}

static sdca_status complain_of_entry(const sdca_svmlight *parser, const char *line,
                                     const char *p, const char *end)
{
    int64_t     index = 0;
    const char *after = sdca_number_read_whole(p, end, &index);
    const char *colon = p;

    while (!ends_word(*colon) && *colon != ':') {
        colon++;
    }
    if (*colon != ':') {
        return complain(parser, line, p, "is not INDEX:VALUE: the ':' is missing");
    }
    if (after != colon || after == p) {
        return complain(parser, line, p,
                        parser->first == 0
                            ? "does not begin with an index, a whole number from 0"
                            : "does not begin with an index, a whole number from 1");
    }
    if (index < parser->first) {
        return complain(parser, line, p,
                        "has the index 0, but indices begin with 1; with --zero-based, "
                        "they begin with 0");
    }
    if (index > greatest_index(parser)) {
        return complain(parser, line, p,
                        parser->first == 0 ? "has an index above 2147483645"
                                           : "has an index above 2147483646");
    }
    return complain(parser, line, p, "has an index that is not above the one before it");
}

/* Room for twice as many entries. */
static sdca_status grow_row(sdca_svmlight *parser)
{
    size_t   room   = parser->room == 0 ? FIRST_ENTRIES : 2 * parser->room;
    int32_t *column = sdca_memory_grow(parser->column, room, sizeof *column);
    double  *value  = NULL;

    if (column != NULL) {
        parser->column = column;
        value          = sdca_memory_grow(parser->value, room, sizeof *value);
    }
    if (value == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "%s, line %lld: no memory for a row of %zu entries",
                         parser->name, (long long)parser->line, room);
    }
    parser->value = value;
    parser->room  = room;
    return SDCA_OK;
}

/* Skip the word qid:N if it is at *at. */
static sdca_status skip_query(const sdca_svmlight *parser, const char *line,
                              const char *end, const char **at)
{
    const char *p = *at;
    const char *after;
    int64_t     query;

    if (p[0] != 'q' || p[1] != 'i' || p[2] != 'd' || p[3] != ':') {
        return SDCA_OK;
    }
    after = sdca_number_read_whole(p + 4, end, &query);
    if (after == p + 4 || !ends_word(*after)) {
        return complain(parser, line, p, "is not qid: and a whole number");
    }
    *at = skip_blanks(after);
    return SDCA_OK;
}

/* Parse the entries at p up to the end of the line into the parser's arrays. */
static sdca_status parse_entries(sdca_svmlight *parser, const char *line, const char *p,
                                 const char *end, int64_t *count)
{
    size_t        used     = 0;
    size_t        room     = parser->room;
    int32_t      *column   = parser->column;
    double       *value    = parser->value;
    const int64_t first    = parser->first;
    const int64_t greatest = greatest_index(parser);
    int64_t       last     = first - 1;

    while (!ends_line(*p)) {
        int64_t     index = 0;
        double      x     = 0.0;
        const char *colon = take_whole(p, end, &index);
        const char *after;

        if (*colon != ':' || index <= last || index > greatest || colon == p) {
            return complain_of_entry(parser, line, p, end);
        }
        after = take_number(colon + 1, end, &x);
        if (after == colon + 1 && ends_word(*after)) {
            return complain(parser, line, p, "has no value behind the ':'");
        }
        if (after == colon + 1 || !ends_word(*after) || !isfinite(x)) {
            return complain_of_number(parser, line, colon + 1, end);
        }
        if (used == room) {
            sdca_status status = grow_row(parser);

            if (status != SDCA_OK) {
                return status;
            }
            room   = parser->room;
            column = parser->column;
            value  = parser->value;
        }
        column[used] = (int32_t)(index - first);
        value[used]  = x;
        used += x != 0.0;
        last = index;
        p    = skip_blanks(after);
    }
    *count = (int64_t)used;
    return SDCA_OK;
}

/* The first line without its byte order mark, which is in UTF-8. */
static const char *skip_mark(const char *line, const char *end)
{
    static const char   mark[] = "\xef\xbb\xbf";
    static const size_t length = sizeof mark - 1;
    bool marked = (size_t)(end - line) >= length && memcmp(line, mark, length) == 0;

    return marked ? line + length : line;
}

static sdca_status parse_line(sdca_svmlight *parser, const char *line, const char *end)
{
    sdca_status   status = SDCA_OK;
    sdca_text_row row    = { 0 };
    const char   *p;
    const char   *after;

    if (parser->line++ == 0) {
        line = skip_mark(line, end);
    }
    p = skip_blanks(line);
    if (ends_line(*p)) {
        return SDCA_OK;
    }
    after = sdca_number_read(p, end, &row.label);
    if (after == p || !ends_word(*after) || !isfinite(row.label)) {
        return complain_of_number(parser, line, p, end);
    }
    p = skip_blanks(after);
    SDCA_TRY(skip_query(parser, line, end, &p));
    SDCA_TRY(parse_entries(parser, line, p, end, &row.count));
    row.line      = parser->line;
    row.column    = parser->column;
    row.value     = parser->value;
    parser->begun = true;
    SDCA_TRY(parser->take(parser->context, &row));

done:
    return status;
}

/* Parse the lines in text .. end - 1, the last of which is complete. */
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

/* Keep text behind what is kept of a line already. */
static sdca_status keep(sdca_svmlight *parser, const char *text, size_t length)
{
    size_t needed = parser->cut_length + length;

    if (needed > parser->cut_room) {
        size_t room = needed > FIRST_BYTES / 2 ? 2 * needed : FIRST_BYTES;
        char  *cut  = sdca_memory_grow(parser->cut, room, 1);

        if (cut == NULL) {
            return SDCA_FAIL(SDCA_MEMORY,
                             "%s, line %lld: no memory for a line of %zu bytes",
                             parser->name, (long long)parser->line + 1, needed);
        }
        parser->cut      = cut;
        parser->cut_room = room;
    }
    memcpy(parser->cut + parser->cut_length, text, length);
    parser->cut_length = needed;
    return SDCA_OK;
}

/* Parse the line that is kept, complete by now. */
static sdca_status parse_kept(sdca_svmlight *parser)
{
    size_t length = parser->cut_length;

    parser->cut_length = 0;
    return parse_line(parser, parser->cut, parser->cut + length);
}

sdca_status sdca_svmlight_create(const char *name, int first, sdca_take_row *take,
                                 void *context, sdca_svmlight **out)
{
    sdca_svmlight *parser = malloc(sizeof *parser);

    if (parser == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to parse %s", name);
    }
    *parser =
        (sdca_svmlight){ .name = name, .first = first, .take = take, .context = context };
    *out = parser;
    return SDCA_OK;
}

sdca_status sdca_svmlight_feed(sdca_svmlight *parser, const char *text, size_t length)
{
    sdca_status status = SDCA_OK;
    const char *end    = text + length;
    const char *last   = end; /* behind the last complete line */

    if (length == 0) {
        return SDCA_OK;
    }
    if (parser->cut_length > 0) {
        const char *newline = memchr(text, '\n', length);
        const char *rest    = newline != NULL ? newline + 1 : end;

        SDCA_TRY(keep(parser, text, (size_t)(rest - text)));
        if (newline != NULL) {
            SDCA_TRY(parse_kept(parser));
        }
        text = rest;
    }
    while (last > text && last[-1] != '\n') {
        last--;
    }
    SDCA_TRY(parse_lines(parser, text, last));
    if (last < end) {
        SDCA_TRY(keep(parser, last, (size_t)(end - last)));
    }

done:
    return status;
}

sdca_status sdca_svmlight_finish(sdca_svmlight *parser)
{
    return parser->cut_length > 0 ? sdca_svmlight_feed(parser, "\n", 1) : SDCA_OK;
}

void sdca_svmlight_free(sdca_svmlight *parser)
{
    if (parser != NULL) {
        free(parser->column);
        free(parser->value);
        free(parser->cut);
        free(parser);
    }
}
