/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model.c - models as objects: reading, predicting, and what they are made of. */
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

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
    size_t      parts  = (size_t)sdca_model_parts(model);
    sdca_scorer scorer = { 0 };

    SDCA_TRY(sdca_model_make_scorer(model, data, &scorer));
    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t row = sdca_dataset_global_row(data, i) - data->local_range.first;

        memcpy(scores + (size_t)row * parts, sdca_scorer_row(&scorer, &data->x, i),
               parts * sizeof *scores);
    }

done:
    sdca_scorer_free(&scorer);
    return status;
}

int sdca_model_score_count(const sdca_model *model)
{
    return sdca_model_parts(model);
}

double sdca_model_label_of_scores(const sdca_model *model, const double *scores)
{
    return sdca_scorer_predict(&model->labels, sdca_model_parts(model), scores);
}

double sdca_model_label(const sdca_model *model, double score)
{
    return sdca_classes_predict(&model->labels, score);
}

int sdca_model_class_count(const sdca_model *model)
{
    return model->labels.count;
}

/* A class that there is, for any k. */
static int nearest_class(const sdca_classes *labels, int k)
{
    return k < 0 ? 0 : k < labels->count ? k : labels->count - 1;
}

double sdca_model_class_label(const sdca_model *model, int k)
{
    const sdca_classes *labels = &model->labels;

    return labels->count > 0 ? labels->value[nearest_class(labels, k)] : 0.0;
}

const char *sdca_model_class_name(const sdca_model *model, int k)
{
    return sdca_classes_name(&model->labels, nearest_class(&model->labels, k));
}

/* Class k of several, or the only model. */
static sdca_class_model part_of_class(const sdca_model *model, int k)
{
    return sdca_model_part(model, nearest_class(&model->labels, k));
}

sdca_certificate sdca_model_class_certificate(const sdca_model *model, int k)
{
    return part_of_class(model, k).certificate;
}

double sdca_model_class_bias(const sdca_model *model, int k)
{
    return part_of_class(model, k).bias;
}

double sdca_model_class_epochs(const sdca_model *model, int k)
{
    return part_of_class(model, k).epochs;
}

const double *sdca_model_class_weights(const sdca_model *model, int k)
{
    return model->by_class != NULL ? model->w + (size_t)nearest_class(&model->labels, k) *
                                                    (size_t)model->columns
                                   : model->w;
}

const sdca_history *sdca_model_class_history(const sdca_model *model, int k)
{
    return model->by_class != NULL
               ? &model->by_class[nearest_class(&model->labels, k)].history
               : &model->history;
}

double sdca_model_largest_relative_gap(const sdca_model *model)
{
    return sdca_model_relative_gap(model);
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
