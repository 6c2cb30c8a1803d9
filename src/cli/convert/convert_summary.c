/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_summary.c - warnings about a conversion, and its summary. */
#include "cli/convert/convert_summary.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/ui/label_list.h"
#include "cli/ui/plural.h"
#include "data/table_schema.h"

static void print_labels(bool classifies, const sdca_string_list *names,
                         const sdca_label_counts *labels)
{
    char text[2][LABEL_LIST_TEXT_SIZE];

    for (int k = 0; k < 2 && k < labels->count; k++) {
        label_list_format(labels->value[k], names, text[k]);
    }
    if (!classifies) {
        printf("labels: numbers, for regression\n");
    } else if (labels->count == 1) {
        printf("labels: only %s, stored as %s\n", text[0],
               labels->value[0] > 0.0 ? "+1" : "-1");
    } else if (labels->count == 2) {
        printf("labels: %s is stored as -1 (%lld row%s), %s as +1 (%lld row%s)\n",
               text[0], (long long)labels->rows[0], plural((double)labels->rows[0]),
               text[1], (long long)labels->rows[1], plural((double)labels->rows[1]));
    } else {
        printf("labels: %d classes, ", labels->count);
        label_list_print(labels, names);
        printf("\n");
    }
}

static void print_table(const sdca_table_encoder *table)
{
    sdca_table_encoder_stats stats = sdca_table_encoder_get_stats(table);

    printf("table %s a header: %lld numeric column%s, %lld categorical",
           stats.header ? "with" : "without", (long long)stats.numeric,
           plural((double)stats.numeric), (long long)stats.categorical);
    if (stats.label != NULL) {
        printf(", label '%s'", sdca_string_escape(stats.label, strlen(stats.label)).text);
    }
    if (stats.weight != NULL) {
        printf(", weight '%s'",
               sdca_string_escape(stats.weight, strlen(stats.weight)).text);
    }
    printf("\n");
    if (stats.left_out > 0) {
        printf("%lld row%s left out, with missing values\n", (long long)stats.left_out,
               stats.left_out == 1 ? " is" : "s are");
    }
}

/* Columns that are listed; more would hide the rest of the output. */
enum { MAX_LISTED = 100, MAX_CATEGORIES_LISTED = 5 };

static void print_categories(const sdca_string_list *categories)
{
    int64_t count = categories->count;

    printf("%lld categor%s: ", (long long)count, count == 1 ? "y" : "ies");
    for (int64_t k = 0; k < count && k < MAX_CATEGORIES_LISTED; k++) {
        const char *text = categories->text[k];

        printf("%s%s", k > 0 ? ", " : "", sdca_string_escape(text, strlen(text)).text);
    }
    printf("%s", count > MAX_CATEGORIES_LISTED ? ", ..." : "");
}

/* One line: the kind of a column and its range or categories. */
static void print_column(const sdca_table_column_info *c)
{
    bool numbers = c->role == SDCA_ROLE_NUMBER || c->role == SDCA_ROLE_WEIGHT ||
                   (c->role == SDCA_ROLE_LABEL && c->categories->count == 0);

    printf("  %s: ", sdca_string_escape(c->name, strlen(c->name)).text);
    if (c->role == SDCA_ROLE_DROPPED || c->role == SDCA_ROLE_GROUP) {
        puts(c->role == SDCA_ROLE_GROUP ? "groups of rows" : "left out");
        return;
    }
    printf("%s", c->role == SDCA_ROLE_LABEL    ? "label, "
                 : c->role == SDCA_ROLE_WEIGHT ? "weight, "
                                               : "");
    if (numbers && c->values == 0) {
        printf("numbers");
    } else if (numbers) {
        printf("%.6g to %.6g", c->min, c->max);
    } else if (c->role == SDCA_ROLE_HASHED) {
        printf("categories by hash in %lld columns", (long long)c->features);
    } else {
        print_categories(c->categories);
    }
    if (c->missing > 0) {
        printf(", %lld missing", (long long)c->missing);
    }
    if (c->missing > 0 && c->role == SDCA_ROLE_NUMBER) {
        printf(", taken as %.6g", c->fill);
    }
    printf("\n");
}

static void print_columns(const sdca_table_encoder *table)
{
    int64_t count = sdca_table_encoder_column_count(table);

    for (int64_t k = 0; k < count && k < MAX_LISTED; k++) {
        sdca_table_column_info column = sdca_table_encoder_describe(table, k);

        print_column(&column);
    }
    if (count > MAX_LISTED) {
        printf("  and %lld more columns\n", (long long)(count - MAX_LISTED));
    }
}

void convert_summary_print(const convert_summary *s)
{
    static const sdca_string_list none  = { 0 };
    sdca_dataset_writer_stats     stats = s->stats;
    double                        cells = (double)stats.rows * (double)stats.columns;

    printf("%s: %lld row%s, %ld column%s, %lld non-zero%s (%.3g %%)\n", s->request->out,
           (long long)stats.rows, plural((double)stats.rows), (long)stats.columns,
           plural(stats.columns), (long long)stats.nonzeros,
           plural((double)stats.nonzeros),
           cells > 0.0 ? 100.0 * (double)stats.nonzeros / cells : 0.0);
    if (s->table != NULL) {
        print_table(s->table);
        print_columns(s->table);
    }
    if (!s->request->writing.unlabelled) {
        print_labels(s->request->writing.classifies,
                     s->table != NULL
                         ? &sdca_table_encoder_features(s->table)->class_names
                         : &none,
                     &stats.labels);
    }
    if (s->request->writing.weighted) {
        printf("weights: %.10g in all\n", stats.total_weight);
    }
    printf("read %.1f MB of text in %.2f s, %.0f MB/s\n", 1e-6 * s->bytes, s->seconds,
           1e-6 * s->bytes / s->seconds);
}

/* Values that are too large for float32 are errors; values that are too small are
 * negligible unless a whole column is. */
static void warn_about_underflow(const terminal_line *terminal, int64_t vanished)
{
    bool one = vanished == 1;
    char message[SDCA_MESSAGE_SIZE];

    if (vanished > 0) {
        snprintf(message, sizeof message,
                 "%lld value%s too small for float32 and %s become 0; --values float64 "
                 "keeps %s",
                 (long long)vanished, one ? " is" : "s are", one ? "has" : "have",
                 one ? "it" : "them");
        terminal_line_print_message(terminal, "Warning", message);
    }
}

/* Integers such as identifiers or times are meant to be exact, other numbers are not. */
static void warn_about_rounding(const terminal_line *terminal, int64_t rounded)
{
    bool one = rounded == 1;
    char message[SDCA_MESSAGE_SIZE];

    if (rounded > 0) {
        snprintf(message, sizeof message,
                 "%lld whole number%s too large for float32 to be exact and %s been "
                 "rounded; --values float64 keeps %s",
                 (long long)rounded, one ? " is" : "s are", one ? "has" : "have",
                 one ? "it" : "them");
        terminal_line_print_message(terminal, "Warning", message);
    }
}

/* What is wrong with a column, or NULL, and what to do about it. */
static const char *find_mistake(const sdca_table_column_info *c, const char **remedy)
{
    *remedy = "leaves it out";
    if (c->dates) {
        *remedy = "leaves it out, or write it as numbers, such as days or years";
        return "has dates, which are taken as categories";
    }
    if (c->number_commas) {
        *remedy = "leaves it out, or write decimals with a point and thousands without a "
                  "comma";
        return "has numbers with commas, which are taken as categories";
    }
    if (c->row_numbers) {
        return "counts the rows";
    }
    return c->nearly_unique ? "has a different category in nearly every row" : NULL;
}

static void warn_about_columns(const terminal_line      *terminal,
                               const sdca_table_encoder *table)
{
    char message[SDCA_MESSAGE_SIZE];

    for (int64_t k = 0; k < sdca_table_encoder_column_count(table); k++) {
        sdca_table_column_info column  = sdca_table_encoder_describe(table, k);
        const char            *remedy  = NULL;
        const char            *mistake = find_mistake(&column, &remedy);
        sdca_escaped_string name = sdca_string_escape(column.name, strlen(column.name));

        if (mistake != NULL) {
            snprintf(message, sizeof message, "the column '%s' %s: --drop '%s' %s",
                     name.text, mistake, name.text, remedy);
            terminal_line_print_message(terminal, "Warning", message);
        }
    }
}

/* Many different numbers with few rows each are rather amounts than classes. */
static void warn_about_labels(const terminal_line *terminal, const convert_summary *s)
{
    enum { MANY = 100, FEW_ROWS = 10 };
    int         count = s->stats.labels.count;
    const char *name  = sdca_table_encoder_get_stats(s->table).label;
    char        message[SDCA_MESSAGE_SIZE];

    if (s->request->writing.classifies && name != NULL && count > MANY &&
        s->stats.rows < (int64_t)count * FEW_ROWS &&
        sdca_table_encoder_features(s->table)->class_names.count == 0) {
        snprintf(
            message, sizeof message,
            "the label '%s' has %d different numbers, each taken as a class: if they "
            "are amounts, add --task regression",
            sdca_string_escape(name, strlen(name)).text, count);
        terminal_line_print_message(terminal, "Warning", message);
    }
}

void convert_summary_warn(const convert_summary *s, const terminal_line *terminal)
{
    if (s->table != NULL && s->request->like == NULL) {
        warn_about_columns(terminal, s->table);
        warn_about_labels(terminal, s);
    }
    warn_about_underflow(terminal, s->stats.underflowed);
    if (!s->request->inherited.values.given && s->request->like == NULL) {
        warn_about_rounding(terminal, s->stats.rounded);
    }
}
