/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c - a model, or one per class: parts, their sum, and what is freed. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "data/standardization.h"

const char *sdca_version(void)
{
    return SDCA_VERSION;
}

sdca_class_model sdca_model_part(const sdca_model *model, int k)
{
    const sdca_history *history = &model->history;

    return model->by_class != NULL
               ? model->by_class[k]
               : (sdca_class_model){
                     .certificate = model->certificate,
                     .bias        = model->bias,
                     .epochs      = history->count > 0
                                        ? history->records[history->count - 1].epoch
                                        : 0.0,
                     .converged   = model->converged,
                     .history     = *history,
                 };
}

double sdca_model_relative_gap(const sdca_model *model)
{
    double largest = 0.0;

    if (model->by_class == NULL) {
        return sdca_duality_gap_relative(&model->certificate);
    }
    for (int k = 0; k < sdca_model_parts(model); k++) {
        largest =
            fmax(largest, sdca_duality_gap_relative(&model->by_class[k].certificate));
    }
    return largest;
}

sdca_status sdca_model_create_parts(sdca_model *model)
{
    int classes     = sdca_model_parts(model);
    model->by_class = sdca_alloc_zeroed((size_t)classes, sizeof *model->by_class);
    return model->by_class != NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_MEMORY, "no memory for a model of %d classes", classes);
}

void sdca_model_sum_up(sdca_model *model)
{
    sdca_certificate sum = { 0 };

    model->converged = true;
    for (int k = 0; k < sdca_model_parts(model); k++) {
        const sdca_class_model *part = &model->by_class[k];

        sum.primal += part->certificate.primal;
        sum.dual += part->certificate.dual;
        sum.gap += part->certificate.gap;
        sum.rounding += part->certificate.rounding;
        sum.distance     = hypot(sum.distance, part->certificate.distance);
        model->converged = model->converged && part->converged;
    }
    model->certificate = sum;
}

void sdca_model_clear(sdca_model *model)
{
    for (int k = 0; model->by_class != NULL && k < sdca_model_parts(model); k++) {
        sdca_history_free(&model->by_class[k].history);
    }
    free(model->by_class);
    free(model->w);
    free(model->dual);
    sdca_history_free(&model->history);
    sdca_string_list_free(&model->feature_names);
    sdca_table_schema_free(&model->table);
    sdca_classes_free(&model->labels);
    sdca_calibration_free(&model->calibration);
    model->w        = NULL;
    model->dual     = NULL;
    model->by_class = NULL;
}

/* w of one lane becomes row k of the model's. */
static void copy_weights(sdca_model *model, const sdca_dataset *data, int k,
                         const sdca_iterate *iterate)
{
    double *to       = model->w + (size_t)k * sdca_model_stride(model);
    int32_t features = data->columns - (data->bias > 0.0);
    bool    packed   = model->column_map == data->column_map;

    for (int32_t j = 0; j < features; j++) {
        double w = iterate->w[(int64_t)j * iterate->lanes];

        to[packed ? j : sdca_used_columns_original(data->column_map, j)] =
            data->scale != NULL ? w / data->scale[j] : w;
    }
}

void sdca_model_keep_part(sdca_model *model, const sdca_dataset *data, int k,
                          const sdca_iterate     *iterate,
                          const sdca_certificate *certificate, bool converged,
                          const sdca_history *history)
{
    sdca_class_model *part = &model->by_class[k];

    copy_weights(model, data, k, iterate);
    part->certificate = *certificate;
    part->bias        = sdca_dataset_intercept(data, iterate->w, (size_t)iterate->lanes);
    part->epochs      = sdca_iterate_epochs(&model->objective, iterate);
    part->converged   = converged;
    part->history     = *history;
}
