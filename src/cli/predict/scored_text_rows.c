/* SPDX-License-Identifier: BSD-3-Clause
 *
 * scored_text_rows.c - what is kept of the rows of a text once they have been scored. */
#include "cli/predict/scored_text_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/weights.h"

/* Append numbers of the row that is being added. */
static sdca_status append(const scored_text_rows *rows, const double *value,
                          int64_t count, scored_numbers *to)
{
    if (to->count + count > to->room) {
        int64_t room   = 2 * to->room + 1024 + count;
        double *larger = sdca_alloc_resize(to->value, (size_t)room, sizeof *larger);

        if (larger == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for the scores of %lld rows of '%s'",
                             (long long)rows->count + 1, rows->path);
        }
        to->value = larger;
        to->room  = room;
    }
    memcpy(to->value + to->count, value, (size_t)count * sizeof *value);
    to->count += count;
    return SDCA_OK;
}

/* Weights are kept from the first on that is not 1. */
static sdca_status add_weight(scored_text_rows *rows, double weight)
{
    const double one    = 1.0;
    sdca_status  status = SDCA_OK;

    compensated_add(&rows->total_weight, weight);
    if (weight == 1.0 && rows->weight.count == 0) {
        return SDCA_OK;
    }
    while (rows->weight.count < rows->label.count) {
        SDCA_TRY(append(rows, &one, 1, &rows->weight));
    }
    SDCA_TRY(append(rows, &weight, 1, &rows->weight));

done:
    return status;
}

/* The label as metrics have it: the index of its class, or the number of a regression. */
static sdca_status find_label(scored_text_rows *rows, double *label)
{
    sdca_status status = SDCA_OK;

    if (rows->match.name == NULL) {
        SDCA_TRY(
            sdca_label_match_open(rows->path, rows->words, rows->classes, &rows->match));
    }
    if (!sdca_label_match_find(&rows->match, label)) {
        status = sdca_label_match_refuse(&rows->match, rows->count, *label);
        goto done;
    }
    if (rows->classes->count > 0) {
        *label = (double)sdca_classes_find(rows->classes, *label);
        rows->unknown += *label < 0.0;
    }

done:
    return status;
}

sdca_status scored_text_rows_add(scored_text_rows *rows, const double *record,
                                 double label, double weight)
{
    sdca_status status = SDCA_OK;

    if (rows->keep_records) {
        SDCA_TRY(append(rows, record, rows->models + 1, &rows->record));
    }
    if (rows->with_labels && isnan(label)) {
        rows->unlabelled++;
    } else if (rows->with_labels) {
        SDCA_TRY(find_label(rows, &label));
        SDCA_TRY(add_weight(rows, weight));
        SDCA_TRY(append(rows, record, rows->models, &rows->score));
        SDCA_TRY(append(rows, &label, 1, &rows->label));
    }
    rows->count++;

done:
    return status;
}

bool scored_text_rows_are_labelled(const scored_text_rows *rows)
{
    return rows->label.count > 0;
}

metrics_output_rows scored_text_rows_describe(const scored_text_rows *rows)
{
    return (metrics_output_rows){ .count = rows->count,
                                  .weighted =
                                      rows->weight.count > 0 || rows->unlabelled > 0,
                                  .weight = compensated_value(&rows->total_weight) };
}

sdca_status scored_text_rows_check_weights(const scored_text_rows *rows)
{
    metrics_output_rows all = scored_text_rows_describe(rows);

    return scored_text_rows_are_labelled(rows) && all.weighted
               ? sdca_weights_check_total(rows->path, all.weight)
               : SDCA_OK;
}

sdca_metrics_input scored_text_rows_labelled(const scored_text_rows *rows)
{
    return (sdca_metrics_input){ .classes = rows->classes->count,
                                 .rows    = rows->label.count,
                                 .score   = rows->score.value,
                                 .label   = rows->label.value,
                                 .weight =
                                     rows->weight.count > 0 ? rows->weight.value : NULL };
}

void scored_text_rows_free(scored_text_rows *rows)
{
    sdca_label_match_close(&rows->match);
    free(rows->record.value);
    free(rows->score.value);
    free(rows->label.value);
    free(rows->weight.value);
    *rows = (scored_text_rows){ 0 };
}
