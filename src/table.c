/* SPDX-License-Identifier: BSD-3-Clause
 *
 * table.c - rows of numbers from the records of a table of text. */
#include "sdca/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sdca/number.h"

enum { SHOWN = 40, LISTED = 400, NO_COLUMN = -1, TWO_COLUMNS = -2 };

typedef enum kind { UNKNOWN, NUMBERS, CATEGORIES } kind;

typedef struct column {
    kind       kind;
    bool       dropped;
    bool       forced; /* numbers are categories as well */
    sdca_texts categories;
    int64_t    first; /* of its columns of X */
} column;

struct sdca_table {
    const char        *name;
    sdca_table_options options;
    sdca_take_row     *take;
    void              *context;

    bool       begun;   /* the columns are known, */
    bool       settled; /* and those of X */
    bool       header;
    int64_t    records; /* of this reading */
    int64_t    line;    /* of its first record */
    int64_t    rows;
    int64_t    columns;
    int64_t    label; /* its column, or NO_COLUMN */
    sdca_texts names;
    column    *column;

    int64_t    *order; /* columns that are used, in the order of X */
    int64_t     used;
    sdca_legend legend;
    int32_t    *index; /* of a row */
    double     *value;
};

/* A value without the blanks around it. */
typedef struct word {
    enum { NUMBER, INFINITE, MISSING, WORD } meaning;
    const char *text;
    size_t      length;
    double      number;
} word;

static bool is_one_of(const word *w, const char *const *list)
{
    for (; *list != NULL; list++) {
        if (strlen(*list) == w->length && strncasecmp(*list, w->text, w->length) == 0) {
            return true;
        }
    }
    return false;
}

/* What a field means. Quotes make a word of NA and its like, as R writes them. */
static word understand(const sdca_csv_field *field)
{
    static const char *const missing[]  = { "",    "NA",   "N/A",  "#N/A", "<NA>",
                                            "NaN", "null", "None", "?",    NULL };
    static const char *const infinite[] = { "inf",       "-inf",      "+inf", "infinity",
                                            "-infinity", "+infinity", NULL };
    word                     w          = { WORD, field->text, field->length, 0.0 };
    const char              *end;

    while (!field->quoted && w.length > 0 && (*w.text == ' ' || *w.text == '\t')) {
        w.text++;
        w.length--;
    }
    while (!field->quoted && w.length > 0 &&
           (w.text[w.length - 1] == ' ' || w.text[w.length - 1] == '\t')) {
        w.length--;
    }
    end = w.text + w.length;
    if (w.length > 0 && sdca_number_read(w.text, end, &w.number) == end) {
        w.meaning = isfinite(w.number) ? NUMBER : INFINITE;
    } else if (w.length == 0 || (!field->quoted && is_one_of(&w, missing))) {
        w.meaning = MISSING;
    } else if (!field->quoted && is_one_of(&w, infinite)) {
        w.meaning = INFINITE;
    }
    return w;
}

/* A text for a sentence: not too long, and no bytes that a terminal minds. */
static const char *show(const char *text, size_t length, char shown[4 * SHOWN + 4])
{
    bool   utf8 = sdca_texts_is_utf8(text, length);
    size_t used = 0, k = 0;

    for (; k < length && (k < SHOWN || (utf8 && (text[k] & 0xc0) == 0x80)); k++) {
        unsigned char c     = (unsigned char)text[k];
        bool          plain = c >= ' ' && c != 0x7f && (c < 0x80 || utf8);

        used += (size_t)snprintf(shown + used, 4 * SHOWN + 4 - used,
                                 plain ? "%c" : "\\x%02x", c);
    }
    snprintf(shown + used, 4 * SHOWN + 4 - used, "%s", k < length ? "..." : "");
    return shown;
}

static const char *name_of(const sdca_table *table, int64_t k)
{
    return table->names.text[k];
}

static sdca_status complain(const sdca_table *table, int64_t line, int64_t k,
                            const word *w, const char *what)
{
    char column_shown[4 * SHOWN + 4], shown[4 * SHOWN + 4];

    return SDCA_FAIL(SDCA_DATA, "%s, line %lld, column '%s': '%s' %s", table->name,
                     (long long)line,
                     show(name_of(table, k), strlen(name_of(table, k)), column_shown),
                     show(w->text, w->length, shown), what);
}

sdca_status sdca_table_create(const char *name, sdca_table_options options,
                              sdca_take_row *take, void *context, sdca_table **out)
{
    sdca_table *table = malloc(sizeof *table);

    if (table == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", name);
    }
    *table = (sdca_table){ .name    = name,
                           .options = options,
                           .take    = take,
                           .context = context,
                           .label   = NO_COLUMN };
    *out   = table;
    return SDCA_OK;
}

void sdca_table_free(sdca_table *table)
{
    if (table == NULL) {
        return;
    }
    for (int64_t k = 0; table->column != NULL && k < table->columns; k++) {
        sdca_texts_free(&table->column[k].categories);
    }
    sdca_texts_free(&table->names);
    sdca_legend_free(&table->legend);
    free(table->column);
    free(table->order);
    free(table->index);
    free(table->value);
    free(table);
}

static sdca_status make_columns(sdca_table *table, int64_t count)
{
    table->columns = count;
    table->column  = calloc((size_t)count, sizeof *table->column);
    table->order   = malloc((size_t)count * sizeof *table->order);
    table->index   = malloc((size_t)count * sizeof *table->index);
    table->value   = malloc((size_t)count * sizeof *table->value);
    return table->column != NULL && table->order != NULL && table->index != NULL &&
                   table->value != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for %lld columns", (long long)count);
}

static bool has_number(const sdca_csv_record *record)
{
    for (int64_t k = 0; k < record->count; k++) {
        if (understand(&record->field[k]).meaning == NUMBER) {
            return true;
        }
    }
    return false;
}

static sdca_status not_utf8(const sdca_table *table, int64_t line, const word *w)
{
    char shown[4 * SHOWN + 4];

    return SDCA_FAIL(SDCA_DATA,
                     "%s, line %lld: '%s' is not UTF-8; iconv can make it so, as in "
                     "iconv -f latin1 -t utf8",
                     table->name, (long long)line, show(w->text, w->length, shown));
}

/* The names in the first record; a column without one is called by its number. */
static sdca_status take_names(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;
    char        number[32];

    for (int64_t k = 0; k < record->count; k++) {
        word w = understand(&record->field[k]);

        if (!table->header || w.length == 0) {
            snprintf(number, sizeof number, "%lld", (long long)k + 1);
            w.text   = number;
            w.length = strlen(number);
        }
        if (!sdca_texts_is_utf8(w.text, w.length)) {
            status = not_utf8(table, record->line, &w);
            goto done;
        }
        SDCA_TRY(sdca_texts_append(&table->names, w.text, w.length));
    }

done:
    return status;
}

/* The column of that name or, where none has it, of that number. */
static int64_t find_column(const sdca_table *table, const char *text, size_t length)
{
    int64_t found = NO_COLUMN, number = 0;

    for (int64_t k = 0; k < table->columns; k++) {
        const char *name = name_of(table, k);

        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            found = found == NO_COLUMN ? k : TWO_COLUMNS;
        }
    }
    if (found == NO_COLUMN && length > 0 &&
        sdca_number_read_whole(text, text + length, &number) == text + length &&
        number >= 1 && number <= table->columns) {
        return number - 1;
    }
    return found;
}

/* A complaint about the choice of a column, with all there are. */
static sdca_status complain_of_choice(const sdca_table *table, const char *what)
{
    char   list[LISTED + 4 * SHOWN + 16] = "";
    char   shown[4 * SHOWN + 4];
    size_t used = 0;

    for (int64_t k = 0; k < table->columns; k++) {
        if (used > LISTED) {
            snprintf(list + used, sizeof list - used, ", ...");
            break;
        }
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", k > 0 ? ", " : "",
                             show(name_of(table, k), strlen(name_of(table, k)), shown));
    }
    return SDCA_FAIL(SDCA_USAGE, "%s: %s; its %lld column%s %s: %s%s", table->name, what,
                     (long long)table->columns, table->columns == 1 ? "" : "s",
                     table->columns == 1 ? "is" : "are", list,
                     table->header ? "" : " (--header yes takes names from line 1)");
}

/* The column that an option means, which has to be one. */
static sdca_status choose_column(const sdca_table *table, const char *option,
                                 const char *text, size_t length, int64_t *out)
{
    int64_t found = find_column(table, text, length);
    char    shown[4 * SHOWN + 4], what[8 * SHOWN];

    if (found >= 0) {
        *out = found;
        return SDCA_OK;
    }
    snprintf(what, sizeof what, "%s column is called '%s', which %s asks for",
             found == TWO_COLUMNS ? "more than one" : "no", show(text, length, shown),
             option);
    return complain_of_choice(table, what);
}

/* Labels are in the column that was asked for, or in the only one that has a name of
 * the kind. */
static sdca_status choose_label(sdca_table *table)
{
    static const char *const usual[] = { "label", "y", "target", "class" };
    const char              *label   = table->options.label;
    int                      found   = 0;

    if (table->options.unlabelled) {
        return SDCA_OK;
    }
    if (label != NULL) {
        return choose_column(table, "--label", label, strlen(label), &table->label);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        for (size_t j = 0; j < sizeof usual / sizeof usual[0]; j++) {
            if (strcasecmp(name_of(table, k), usual[j]) == 0) {
                table->label = k;
                found++;
            }
        }
    }
    if (found == 1) {
        return SDCA_OK;
    }
    return complain_of_choice(
        table, found == 0
                   ? "no column is called label, y, target or class, so --label has to "
                     "name one (or --no-label say that there is none)"
                   : "more than one column may be the label, so --label has to name it");
}

/* The columns of a list, which an option has. */
static sdca_status mark_columns(sdca_table *table, const char *option, const char *list,
                                bool drop)
{
    sdca_status status = SDCA_OK;

    while (list != NULL) {
        size_t  length = strcspn(list, ",");
        int64_t k      = 0;

        SDCA_TRY(choose_column(table, option, list, length, &k));
        if (drop && k == table->label) {
            status = SDCA_FAIL(SDCA_USAGE, "%s: --drop names the label", table->name);
            goto done;
        }
        table->column[k].dropped |= drop;
        table->column[k].forced |= !drop;
        list = list[length] == ',' ? list + length + 1 : NULL;
    }

done:
    return status;
}

static bool is_used(const sdca_table *table, int64_t k)
{
    return k != table->label && !table->column[k].dropped;
}

/* A column of X that the other table has: which column of this one is it from? */
static sdca_status adopt_column(sdca_table *table, int64_t j)
{
    const sdca_legend *like     = table->options.like;
    const char        *category = like->category.text[j];
    const char        *name     = like->column.text[j];
    int64_t            k        = find_column(table, name, strlen(name));
    column            *from;

    if (k < 0 || !is_used(table, k)) {
        return SDCA_FAIL(SDCA_DATA, "%s: there is no column '%s', or more than one",
                         table->name, name);
    }
    from = &table->column[k];
    if (from->kind == UNKNOWN) {
        from->kind                  = category[0] == '\0' ? NUMBERS : CATEGORIES;
        from->forced                = true;
        from->first                 = j;
        table->order[table->used++] = k;
    }
    if (from->kind == NUMBERS) {
        return from->first == j && category[0] == '\0'
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_DATA, "the column '%s' is there twice in --like",
                               name);
    }
    if (from->first + from->categories.count != j ||
        (j > from->first &&
         strcmp(from->categories.text[j - from->first - 1], category) >= 0)) {
        return SDCA_FAIL(
            SDCA_DATA, "the categories of the column '%s' do not ascend in --like", name);
    }
    return sdca_texts_append(&from->categories, category, strlen(category));
}

/* Take the columns and labels that there are to be. */
static sdca_status adopt(sdca_table *table)
{
    const sdca_legend *like   = table->options.like;
    sdca_status        status = SDCA_OK;

    for (int64_t j = 0; j < like->name.count; j++) {
        SDCA_TRY(adopt_column(table, j));
    }
    for (int64_t k = 0; k < table->columns; k++) {
        if (is_used(table, k) && table->column[k].kind == UNKNOWN) {
            status = SDCA_FAIL(SDCA_DATA,
                               "%s: the column '%s' is unknown to --like; --drop %s "
                               "leaves it out",
                               table->name, name_of(table, k), name_of(table, k));
            goto done;
        }
    }
    if (table->label != NO_COLUMN) {
        column *label = &table->column[table->label];

        label->kind   = like->labels.count > 0 ? CATEGORIES : NUMBERS;
        label->forced = true;
        for (int64_t k = 0; k < like->labels.count; k++) {
            SDCA_TRY(sdca_texts_append(&label->categories, like->labels.text[k],
                                       strlen(like->labels.text[k])));
        }
    }
    table->settled = true;

done:
    return status;
}

/* The first record of all. */
static sdca_status begin(sdca_table *table, const sdca_csv_record *record)
{
    const sdca_table_options *options = &table->options;
    sdca_status               status  = SDCA_OK;

    table->begun  = true;
    table->line   = record->line;
    table->header = options->header == SDCA_HEADER_YES ||
                    (options->header == SDCA_HEADER_AUTO && !has_number(record));
    SDCA_TRY(make_columns(table, record->count));
    SDCA_TRY(take_names(table, record));
    SDCA_TRY(choose_label(table));
    SDCA_TRY(mark_columns(table, "--categorical", options->categorical, false));
    SDCA_TRY(mark_columns(table, "--drop", options->drop, true));
    if (options->like != NULL) {
        SDCA_TRY(adopt(table));
    }

done:
    return status;
}

/* Is this a value as the column has them? */
static sdca_status judge(const sdca_table *table, int64_t line, int64_t k, const word *w)
{
    const column *c = &table->column[k];

    switch (w->meaning) {
    case MISSING:
        return complain(table, line, k, w,
                        "is a missing value, and rows must be complete: fill it in, "
                        "leave out the row, or leave out the column with --drop");
    case INFINITE:
        return complain(table, line, k, w,
                        "is not finite, and only finite numbers are data");
    case NUMBER:
        return c->kind == CATEGORIES && !c->forced
                   ? complain(table, line, k, w,
                              "is a number where the first value is none; with "
                              "--categorical, numbers are categories as well")
                   : SDCA_OK;
    case WORD:
        break;
    }
    return c->kind == NUMBERS
               ? complain(table, line, k, w,
                          "is not a number as the first value is; with --categorical, "
                          "all values are categories")
               : SDCA_OK;
}

/* Remember a category that was not seen before. */
static sdca_status note_category(sdca_table *table, int64_t line, int64_t k,
                                 const word *w)
{
    sdca_texts *categories = &table->column[k].categories;
    bool        label      = k == table->label;
    int64_t     place      = 0;
    char        what[128];

    if (sdca_texts_find(categories, w->text, w->length, &place)) {
        return SDCA_OK;
    }
    if (!sdca_texts_is_utf8(w->text, w->length)) {
        return not_utf8(table, line, w);
    }
    if (label && !table->options.classifies) {
        return complain(table, line, k, w, "is not a number, as regression needs");
    }
    if (label && categories->count == 2) {
        return complain(table, line, k, w,
                        "is the third label, where classification takes two");
    }
    if (categories->count == table->options.categories) {
        snprintf(what, sizeof what,
                 "is one more than %lld categories; --categories N allows more, --drop "
                 "leaves out the column",
                 (long long)table->options.categories);
        return complain(table, line, k, w, what);
    }
    return sdca_texts_insert(categories, place, w->text, w->length);
}

static sdca_status learn(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < table->columns; k++) {
        column *c = &table->column[k];
        word    w = understand(&record->field[k]);

        if (c->dropped) {
            continue;
        }
        if (c->kind == UNKNOWN) {
            c->kind = w.meaning == NUMBER && !c->forced ? NUMBERS : CATEGORIES;
        }
        SDCA_TRY(judge(table, record->line, k, &w));
        if (c->kind == CATEGORIES) {
            SDCA_TRY(note_category(table, record->line, k, &w));
        }
    }
    table->rows++;

done:
    return status;
}

/* The value of a column of numbers, or the place of its category. */
static sdca_status read_value(const sdca_table *table, const sdca_csv_record *record,
                              int64_t k, double *number, int64_t *place)
{
    const column *c      = &table->column[k];
    word          w      = understand(&record->field[k]);
    sdca_status   status = judge(table, record->line, k, &w);

    if (status == SDCA_OK && c->kind == CATEGORIES &&
        !sdca_texts_find(&c->categories, w.text, w.length, place)) {
        status = complain(table, record->line, k, &w,
                          table->options.like != NULL ? "is not a category of --like"
                                                      : "has changed while it was read");
    }
    *number = w.number;
    return status;
}

static sdca_status hand_over(sdca_table *table, const sdca_csv_record *record)
{
    sdca_status   status = SDCA_OK;
    sdca_text_row row    = { .line   = record->line,
                             .column = table->index,
                             .value  = table->value };
    int64_t       place  = 0;

    if (table->label != NO_COLUMN) {
        SDCA_TRY(read_value(table, record, table->label, &row.label, &place));
        if (table->column[table->label].kind == CATEGORIES) {
            row.label = (double)place;
        }
    }
    for (int64_t j = 0; j < table->used; j++) {
        const column *c      = &table->column[table->order[j]];
        double        number = 0.0;

        SDCA_TRY(read_value(table, record, table->order[j], &number, &place));
        if (c->kind == CATEGORIES || number != 0.0) {
            table->index[row.count] =
                (int32_t)(c->first + (c->kind == CATEGORIES ? place : 0));
            table->value[row.count] = c->kind == CATEGORIES ? 1.0 : number;
            row.count++;
        }
    }
    SDCA_TRY(table->take(table->context, &row));

done:
    return status;
}

sdca_status sdca_table_take(void *context, const sdca_csv_record *record)
{
    sdca_table *table  = context;
    sdca_status status = SDCA_OK;

    if (!table->begun) {
        SDCA_TRY(begin(table, record));
    }
    if (record->count != table->columns) {
        status =
            SDCA_FAIL(SDCA_DATA, "%s, line %lld: %lld field%s where line %lld has %lld",
                      table->name, (long long)record->line, (long long)record->count,
                      record->count == 1 ? "" : "s", (long long)table->line,
                      (long long)table->columns);
        goto done;
    }
    if (table->records++ > 0 || !table->header) {
        SDCA_TRY(table->settled ? hand_over(table, record) : learn(table, record));
    }

done:
    return status;
}

/* One more column of X, for a category or (NULL) for numbers. */
static sdca_status name_column(sdca_legend *legend, const char *name,
                               const char *category)
{
    sdca_status status = SDCA_OK;
    size_t      size   = strlen(name) + (category != NULL ? strlen(category) + 1 : 0);
    char       *whole  = malloc(size + 1);

    if (whole == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the name of a column");
    }
    snprintf(whole, size + 1, "%s%s%s", name, category != NULL ? "=" : "",
             category != NULL ? category : "");
    SDCA_TRY(sdca_texts_append(&legend->name, whole, size));
    SDCA_TRY(sdca_texts_append(&legend->column, name, strlen(name)));
    SDCA_TRY(sdca_texts_append(&legend->category, category != NULL ? category : "",
                               category != NULL ? strlen(category) : 0));

done:
    free(whole);
    return status;
}

static sdca_status number_column(sdca_table *table, int64_t k)
{
    column     *c      = &table->column[k];
    sdca_status status = SDCA_OK;

    c->first                    = table->legend.name.count;
    table->order[table->used++] = k;
    if (c->kind == NUMBERS) {
        return name_column(&table->legend, name_of(table, k), NULL);
    }
    if (c->first + c->categories.count > SDCA_SVMLIGHT_INDEX) {
        return SDCA_FAIL(SDCA_DATA, "%s: there would be more than %d columns",
                         table->name, SDCA_SVMLIGHT_INDEX);
    }
    for (int64_t j = 0; status == SDCA_OK && j < c->categories.count; j++) {
        status = name_column(&table->legend, name_of(table, k), c->categories.text[j]);
    }
    return status;
}

sdca_status sdca_table_settle(sdca_table *table)
{
    sdca_status status = SDCA_OK;

    if (table->rows == 0) {
        return SDCA_FAIL(SDCA_DATA, "%s: there are no rows in it", table->name);
    }
    for (int64_t k = 0; k < table->columns; k++) {
        if (is_used(table, k)) {
            SDCA_TRY(number_column(table, k));
        }
    }
    for (int64_t k = 0;
         table->label != NO_COLUMN && k < table->column[table->label].categories.count;
         k++) {
        const char *label = table->column[table->label].categories.text[k];

        SDCA_TRY(sdca_texts_append(&table->legend.labels, label, strlen(label)));
    }
    table->settled = true;
    table->records = 0;

done:
    return status;
}

const sdca_legend *sdca_table_legend(const sdca_table *table)
{
    return table->options.like != NULL ? table->options.like : &table->legend;
}

sdca_table_facts sdca_table_describe(const sdca_table *table)
{
    sdca_table_facts facts = { .header = table->header };

    facts.label = table->label != NO_COLUMN ? name_of(table, table->label) : NULL;
    for (int64_t j = 0; j < table->used; j++) {
        facts.numbers += table->column[table->order[j]].kind == NUMBERS;
    }
    facts.categories = table->used - facts.numbers;
    return facts;
}
