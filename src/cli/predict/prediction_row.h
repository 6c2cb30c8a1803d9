/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_row.h - what the scores of a row predict, and what is proven about it.
 *
 * A row is a record of numbers: its scores, one per model, and its |x|^2. */
#ifndef SDCA_CLI_PREDICT_PREDICTION_ROW_H
#define SDCA_CLI_PREDICT_PREDICTION_ROW_H

#include <stdbool.h>

#include "data/labels.h"
#include "model/certain_labels.h"
#include "model/model.h"

/* How a model predicts. */
typedef struct prediction_rule {
    const sdca_classes        *labels;  /* none for regression */
    const sdca_certain_labels *certain; /* the threshold, and what is proven */
    int                        models;  /* scores of a row */
    bool has_probability;               /* with the logistic loss, or calibrated */
    bool has_certain;                   /* it is known which labels are certain ... */
    bool has_interval; /* ... and between which limits probabilities are */
} prediction_rule;

/* The rule of a model. What it refers to is kept. Local. */
prediction_rule prediction_row_rule(const sdca_model          *model,
                                    const sdca_certain_labels *certain);

/* The index of the class that is predicted, if there are classes. Local. */
int prediction_row_choose(const prediction_rule *rule, const double *record);

/* The label as a number; of regression, the score. Local. */
double prediction_row_predict(const prediction_rule *rule, const double *record);

/* The probabilities, one per score. Of one score it is that of the last class. Local. */
void prediction_row_find_probabilities(const prediction_rule *rule, const double *record,
                                       double *probability);

/* The low ends of the intervals of the probabilities, or the high ones. Local. */
void prediction_row_find_bounds(const prediction_rule *rule, const double *record,
                                bool high, double *bound);

/* Is the label proven to be that of the optimum? Local. */
bool prediction_row_is_certain(const prediction_rule *rule, const double *record);

#endif
