/* SPDX-License-Identifier: BSD-3-Clause
 *
 * convert_summary.c - warnings about a conversion, and its summary. */
#include "cli/convert_summary.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/ui/label_list.h"
#include "cli/ui/plural.h"
#include "data/feature_names.h"

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

void convert_summary_warn(const convert_summary *s, const terminal_line *terminal)
{
    warn_about_underflow(terminal, s->stats.underflowed);
    if (!s->request->inherited.values.given && s->request->like == NULL) {
        warn_about_rounding(terminal, s->stats.rounded);
    }
}
