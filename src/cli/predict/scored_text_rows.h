/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scored_text_rows.h - what is kept of the rows of a text once they have been scored.
 *
 * Of a row with a label it is what exact metrics need: its scores, its label and, unless
 * all weights are 1, its weight. Rows without a label are counted. The records of all
 * rows are kept on demand only. */
#ifndef SDCA_CLI_PREDICT_SCORED_TEXT_ROWS_H
#define SDCA_CLI_PREDICT_SCORED_TEXT_ROWS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compensated_sum.h"
#include "base/status.h"
#include "base/string_list.h"
#include "cli/metrics_output.h"
#include "data/label_match.h"
#include "data/labels.h"
#include "objective/metrics.h"

typedef struct scored_numbers {
    int64_t count, room;
    double *value;
} scored_numbers;

/* All zero but those before count: no rows. */
typedef struct scored_text_rows {
    const char             *path; /* of the text, in messages */
    int                     models;
    const sdca_classes     *classes;      /* none for regression */
    const sdca_string_list *words;        /* of the labels 0, 1, ...; empty: numbers */
    bool                    with_labels;  /* rows may have a label */
    bool                    keep_records; /* of all rows */
    int64_t                 count;
    int64_t                 unlabelled;   /* rows without a label among others */
    int64_t                 unknown;      /* rows whose label is none of the classes */
    compensated_sum         total_weight; /* of the rows with a label */
    sdca_label_match        match;
    scored_numbers          record; /* as in prediction_row.h */
    scored_numbers          score;  /* by row with a label, and by model */
    scored_numbers          label;  /* of these rows, as metrics have it */
    scored_numbers          weight; /* of these rows; none: all 1 */
} scored_text_rows;

/* Add a row with its record. label is NaN if it has none. Local. */
sdca_status scored_text_rows_add(scored_text_rows *rows, const double *record,
                                 double label, double weight);

/* Do any rows have a label? Local. */
bool scored_text_rows_are_labelled(const scored_text_rows *rows);

/* The rows that metrics are about: all, where the weight of those without a label is 0.
 * Local. */
metrics_output_rows scored_text_rows_describe(const scored_text_rows *rows);

/* Fails if there are labels, and the sum of the weights is 0 or out of range. Local. */
sdca_status scored_text_rows_check_weights(const scored_text_rows *rows);

/* The labelled rows as metrics need them. Local. */
sdca_metrics_input scored_text_rows_labelled(const scored_text_rows *rows);

/* Local. */
void scored_text_rows_free(scored_text_rows *rows);

#endif
