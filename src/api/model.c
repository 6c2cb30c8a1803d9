/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c - models as objects: reading, predicting, and what they are made of. */
#include "model/model.h"

#include <stdlib.h>

#include "mpi/comm.h"

sdca_status sdca_model_read(MPI_Comm comm, const char *path, sdca_model **out)
{
    sdca_status status = SDCA_OK;
    sdca_model *model  = calloc(1, sizeof *model);

    SDCA_TRY(sdca_comm_agree(
        comm, model != NULL ? SDCA_OK : SDCA_FAIL(SDCA_MEMORY, "no memory for a model")));
    SDCA_TRY(sdca_model_read_all(comm, path, model));
    *out  = model;
    model = NULL; /* now the caller's */

done:
    free(model);
    return status;
}

void sdca_model_free(sdca_model *model)
{
    if (model != NULL) {
        sdca_model_clear(model);
        free(model);
    }
}

sdca_status sdca_model_predict(const sdca_model *model, const sdca_dataset *data,
                               double *scores)
{
    sdca_status status = SDCA_OK;
    double     *w      = NULL;

    SDCA_TRY(sdca_model_select_weights(model, data, &w));
    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t row = sdca_dataset_global_row(data, i) - data->local_range.first;

        scores[row] = sdca_rows_dot(&data->x, i, w) + model->bias;
    }

done:
    free(w);
    return status;
}

double sdca_model_label(const sdca_model *model, double score)
{
    return sdca_classes_predict(&model->labels, score);
}

int sdca_model_class_count(const sdca_model *model)
{
    return model->labels.count;
}

double sdca_model_class_label(const sdca_model *model, int k)
{
    const sdca_classes *labels = &model->labels;
    int                 index  = k > 0 ? labels->count - 1 : 0;

    return labels->count > 0 ? labels->value[index] : 0.0;
}

const char *sdca_model_class_name(const sdca_model *model, int k)
{
    return sdca_classes_name(&model->labels, k > 0 ? model->labels.count - 1 : 0);
}

int32_t sdca_model_columns(const sdca_model *model)
{
    return model->columns;
}

const double *sdca_model_weights(const sdca_model *model)
{
    return model->w;
}

double sdca_model_bias(const sdca_model *model)
{
    return model->bias;
}

const char *sdca_model_loss(const sdca_model *model)
{
    return model->objective.loss->name;
}

double sdca_model_loss_parameter(const sdca_model *model)
{
    return model->objective.parameter;
}

double sdca_model_lambda(const sdca_model *model)
{
    return model->objective.lambda;
}

bool sdca_model_is_normalized(const sdca_model *model)
{
    return model->normalized;
}

bool sdca_model_converged(const sdca_model *model)
{
    return model->converged;
}

sdca_certificate sdca_model_certificate(const sdca_model *model)
{
    return model->certificate;
}

const sdca_history *sdca_model_history(const sdca_model *model)
{
    return &model->history;
}
