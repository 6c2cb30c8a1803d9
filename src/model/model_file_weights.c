/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_file_weights.c - the weights of a model: reading them from a file, visiting them,
 * and selecting those of a data set. Weights that are not finite are rejected. */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "data/standardization.h"
#include "io/hdf5_file.h"
#include "model/column_vector_file.h"

/* Fail if a weight of the range is not finite. */
static sdca_status check_finite(const char *path, const sdca_used_columns *column_map,
                                sdca_range columns, const double *w)
{
    for (int64_t k = 0; k < columns.count; k++) {
        if (!isfinite(w[k])) {
            int32_t place = (int32_t)(columns.first + k);

            return SDCA_FAIL(SDCA_DATA, "w in '%s' is not finite in column %ld", path,
                             (long)sdca_used_columns_original(column_map, place));
        }
    }
    return SDCA_OK;
}

static sdca_status check_bias(const char *path, const sdca_model *model)
{
    for (int k = 0; k < sdca_model_parts(model); k++) {
        if (!isfinite(sdca_model_part(model, k).bias)) {
            return SDCA_FAIL(SDCA_DATA, "the bias in '%s' is not finite", path);
        }
    }
    return SDCA_OK;
}

sdca_status sdca_model_file_read_part(sdca_hdf5_file          *hdf5,
                                      const sdca_used_columns *column_map,
                                      const sdca_model *model, int k, double *w)
{
    sdca_status status = SDCA_OK;
    const char *path   = sdca_hdf5_path(hdf5);
    int64_t     count =
        column_map != NULL ? sdca_used_columns_count(column_map) : model->columns;

    SDCA_TRY(sdca_column_vector_file_read(hdf5, "w", column_map, sdca_model_parts(model),
                                          (sdca_range){ k, 1 }, model->columns, w));
    SDCA_TRY(check_bias(path, model));
    SDCA_TRY(check_finite(path, column_map, (sdca_range){ 0, count }, w));

done:
    return status;
}

sdca_status sdca_model_file_read_weights(sdca_hdf5_file          *hdf5,
                                         const sdca_used_columns *column_map,
                                         sdca_model              *model)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(model);
    size_t      count;

    model->column_map = column_map;
    count             = sdca_model_stride(model) * (size_t)parts;
    model->w          = sdca_alloc_array(count, sizeof *model->w);
    if (model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld weights", (long long)count);
    }
    for (int k = 0; k < parts; k++) {
        SDCA_TRY(sdca_model_file_read_part(
            hdf5, column_map, model, k, model->w + (size_t)k * sdca_model_stride(model)));
    }

done:
    return status;
}

/* A visitor, and the name of the model in messages. */
typedef struct checked_visit {
    const char          *path;
    int                  parts;
    sdca_weight_visitor *visitor;
    void                *context;
} checked_visit;

static sdca_status check_and_visit(void *context, sdca_range columns, const double *w)
{
    const checked_visit *v      = context;
    sdca_status          status = SDCA_OK;

    for (int k = 0; k < v->parts; k++) {
        SDCA_TRY(check_finite(v->path, NULL, columns, w + k * columns.count));
    }
    SDCA_TRY(v->visitor(v->context, columns, w));

done:
    return status;
}

/* Pass some parts to a visitor. */
static sdca_status visit_parts(const sdca_model *model, sdca_hdf5_file *hdf5,
                               sdca_range parts, sdca_weight_visitor *visitor,
                               void *context)
{
    sdca_status   status = SDCA_OK;
    checked_visit v      = { hdf5 != NULL ? sdca_hdf5_path(hdf5) : "this model",
                        (int)parts.count, visitor, context };

    SDCA_TRY(check_bias(v.path, model));
    if (hdf5 != NULL) {
        SDCA_TRY(sdca_column_vector_file_visit(hdf5, "w", sdca_model_parts(model), parts,
                                               model->columns, check_and_visit, &v));
    } else {
        SDCA_TRY(check_and_visit(&v, (sdca_range){ 0, model->columns },
                                 model->w + parts.first * model->columns));
    }

done:
    return status;
}

sdca_status sdca_model_visit_weights(const sdca_model *model, sdca_hdf5_file *hdf5,
                                     sdca_weight_visitor *visitor, void *context)
{
    return visit_parts(model, hdf5, (sdca_range){ 0, sdca_model_parts(model) }, visitor,
                       context);
}

sdca_status sdca_model_visit_part(const sdca_model *model, sdca_hdf5_file *hdf5, int k,
                                  sdca_weight_visitor *visitor, void *context)
{
    return visit_parts(model, hdf5, (sdca_range){ k, 1 }, visitor, context);
}

/* The weights of row k of w for the columns of a data set. */
static void select_weights(const sdca_model *model, int k, const sdca_dataset *data,
                           double *w)
{
    const double *from     = model->w + (size_t)k * (size_t)model->columns;
    int32_t       features = data->columns - (data->bias > 0.0);

    for (int32_t j = 0; j < features; j++) {
        int32_t column = sdca_used_columns_original(data->column_map, j);

        w[j] = column < model->columns ? from[column] : 0.0;
    }
}

static sdca_status check_normalization(const sdca_model *model, const sdca_dataset *data)
{
    return model->normalized == data->normalized
               ? SDCA_OK
               : SDCA_FAIL(
                     SDCA_USAGE,
                     "the model was trained on rows that %s normalised, and these %s",
                     model->normalized ? "are" : "are not",
                     data->normalized ? "are" : "are not");
}

sdca_status sdca_model_make_scorer(const sdca_model *model, const sdca_dataset *data,
                                   sdca_scorer *out)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(model);
    double     *w      = NULL, bias;
    sdca_scorer scorer = { 0 };

    SDCA_TRY(check_normalization(model, data));
    SDCA_TRY(sdca_scorer_create(parts, data->columns, &scorer));
    w = sdca_alloc_zeroed((size_t)data->columns, sizeof *w);
    if (w == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)data->columns);
        goto done;
    }
    for (int k = 0; k < parts; k++) {
        select_weights(model, k, data, w);
        bias = sdca_dataset_row_weights(data, sdca_model_part(model, k).bias, w);
        sdca_scorer_set(&scorer, k, w, bias);
    }
    *out   = scorer;
    scorer = (sdca_scorer){ 0 }; /* now the caller's */

done:
    sdca_scorer_free(&scorer);
    free(w);
    return status;
}

sdca_status sdca_model_file_read_scorer(sdca_hdf5_file *hdf5, const sdca_model *model,
                                        const sdca_dataset *data, sdca_scorer *out)
{
    sdca_status status = SDCA_OK;
    int         parts  = sdca_model_parts(model);
    int32_t columns = data->column_map != NULL ? sdca_used_columns_count(data->column_map)
                                               : model->columns;
    double *w       = NULL, bias;
    sdca_scorer scorer = { 0 };

    SDCA_TRY(sdca_scorer_create(parts, columns, &scorer));
    w = parts > 1 ? sdca_alloc_array((size_t)columns, sizeof *w) : scorer.w;
    if (w == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)columns);
        goto done;
    }
    for (int k = 0; k < parts; k++) {
        SDCA_TRY(sdca_model_file_read_part(hdf5, data->column_map, model, k, w));
        bias = sdca_dataset_row_weights(data, sdca_model_part(model, k).bias, w);
        sdca_scorer_set(&scorer, k, w, bias);
    }
    *out = scorer;

done:
    if (w != scorer.w) {
        free(w);
    }
    if (status != SDCA_OK) {
        sdca_scorer_free(&scorer);
    }
    return status;
}
