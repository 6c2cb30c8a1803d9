/* SPDX-License-Identifier: BSD-3-Clause
 *
 * text_row_scorer.h - the scores of one row of a text at a time. */
#ifndef SDCA_CLI_PREDICT_TEXT_ROW_SCORER_H
#define SDCA_CLI_PREDICT_TEXT_ROW_SCORER_H

#include "base/status.h"
#include "data/rows.h"
#include "data/table_schema.h"
#include "io/svmlight.h"
#include "model/model.h"
#include "objective/scorer.h"

/* All zero: not open. */
typedef struct text_row_scorer {
    const sdca_model        *model;
    const sdca_table_schema *schema;  /* of the training data; all zero: not known */
    sdca_model               weights; /* the model with w */
    sdca_scorer              scorer;
    sdca_rows                row; /* one, with space for capacity entries */
    int64_t                  capacity;
    double                  *record; /* of the last row */
} text_row_scorer;

/* Read the weights of all columns of a model. model and schema are kept. Local. What out
 * holds is freed with text_row_scorer_close(), also after a failure. */
sdca_status text_row_scorer_open(const char *path, const sdca_model *model,
                                 const sdca_table_schema *schema, text_row_scorer *out);
void        text_row_scorer_close(text_row_scorer *scorer);

/* Score a row as it would be in a data file. Its record (prediction_row.h) is in
 * scorer->record until the next call. Local. */
sdca_status text_row_scorer_score(text_row_scorer *scorer, const sdca_svmlight_row *row);

#endif
