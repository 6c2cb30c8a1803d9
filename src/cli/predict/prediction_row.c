/* SPDX-License-Identifier: BSD-3-Clause
 *
 * prediction_row.c - what the scores of a row predict, and what is proven about it. */
#include "cli/predict/prediction_row.h"

#include <math.h>

prediction_rule prediction_row_rule(const sdca_model          *model,
                                    const sdca_certain_labels *certain)
{
    bool probability =
        model->objective.loss->log_odds || model->calibration.sigmoid != NULL;

    return (prediction_rule){ .labels          = &model->labels,
                              .certain         = certain,
                              .models          = certain->models,
                              .has_probability = probability,
                              .has_certain     = certain->radius != NULL,
                              .has_interval    = probability && certain->radius != NULL };
}

int prediction_row_choose(const prediction_rule *rule, const double *record)
{
    return rule->models > 1
               ? sdca_scorer_greatest(rule->models, record)
               : sdca_classes_choose(rule->labels, record[0] - rule->certain->threshold);
}

double prediction_row_predict(const prediction_rule *rule, const double *record)
{
    return rule->labels->count == 0
               ? record[0]
               : rule->labels->value[prediction_row_choose(rule, record)];
}

/* Of the logistic loss or a calibrated model: one score gives the probability of the
 * class +1; several give one each, divided by their sum. */
void prediction_row_find_probabilities(const prediction_rule *rule, const double *record,
                                       double *probability)
{
    int    models = rule->models;
    double sum    = 0.0;

    for (int k = 0; k < models; k++) {
        double z = sdca_calibration_log_odds(rule->certain->sigmoid, k, record[k]);

        probability[k] = 1.0 / (1.0 + exp(-z));
        sum += probability[k];
    }
    for (int k = 0; models > 1 && k < models; k++) {
        probability[k] = sum > 0.0 ? probability[k] / sum : 1.0 / models;
    }
}

static double norm_of(const prediction_rule *rule, const double *record)
{
    return sdca_certain_labels_norm(rule->certain, record[rule->models]);
}

void prediction_row_find_bounds(const prediction_rule *rule, const double *record,
                                bool high, double *bound)
{
    double norm = norm_of(rule, record);

    for (int k = 0; k < rule->models; k++) {
        sdca_probability_interval p =
            sdca_certain_labels_probability(rule->certain, record, norm, k);

        bound[k] = high ? p.high : p.low;
    }
}

bool prediction_row_is_certain(const prediction_rule *rule, const double *record)
{
    return sdca_certain_labels_is_certain(rule->certain, record, norm_of(rule, record));
}
