/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_scorer.c - the scores of a model that was trained, for another data set. */
#include "cli/train/train_scorer.h"

sdca_status train_scorer_create(const sdca_model *model, const sdca_dataset *data,
                                const sdca_dataset *other, sdca_scorer *out)
{
    int     parts   = sdca_model_parts(model);
    int32_t columns = data->columns - (data->bias > 0.0);

    if (sdca_scorer_create(parts, columns, out) != SDCA_OK) {
        return SDCA_MEMORY;
    }
    for (int k = 0; k < parts; k++) {
        sdca_scorer_set_scaled(out, k, model->w + (size_t)k * sdca_model_stride(model),
                               sdca_model_part(model, k).bias, other->scale);
    }
    return SDCA_OK;
}
