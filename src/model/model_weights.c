/* SPDX-License-Identifier: BSD-3-Clause
 *
 * model_weights.c - the weights of a model: reading them from a file, visiting them, and
 * selecting those of a data set. Weights that are not finite are rejected. */
#include "model/model.h"

#include <math.h>

#include "base/alloc.h"
#include "io/hdf5_file.h"
#include "model/weight_file.h"

/* Fail if a weight of the range is not finite. */
static sdca_status check_finite(const char *path, const sdca_column_map *column_map,
                                sdca_range columns, const double *w)
{
    for (int64_t k = 0; k < columns.count; k++) {
        if (!isfinite(w[k])) {
            int32_t place = (int32_t)(columns.first + k);

            return SDCA_FAIL(SDCA_DATA, "w in '%s' is not finite in column %ld", path,
                             (long)sdca_column_map_original(column_map, place));
        }
    }
    return SDCA_OK;
}

static sdca_status check_bias(const char *path, const sdca_model *model)
{
    return isfinite(model->bias)
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "the bias in '%s' is not finite", path);
}

sdca_status sdca_model_file_read_weights(sdca_hdf5_file        *hdf5,
                                         const sdca_column_map *column_map,
                                         sdca_model            *model)
{
    sdca_status status = SDCA_OK;
    const char *path   = sdca_hdf5_path(hdf5);
    int32_t     count =
        column_map != NULL ? sdca_column_map_count(column_map) : model->columns;

    model->column_map = column_map;
    model->w          = sdca_alloc_array((size_t)count, sizeof *model->w);
    if (model->w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)count);
    }
    SDCA_TRY(sdca_weight_file_read(hdf5, "w", column_map, model->columns, model->w));
    SDCA_TRY(check_bias(path, model));
    SDCA_TRY(check_finite(path, column_map, (sdca_range){ 0, count }, model->w));

done:
    return status;
}

/* A visitor, and the name of the model in messages. */
typedef struct checked_visit {
    const char          *path;
    sdca_weight_visitor *visitor;
    void                *context;
} checked_visit;

static sdca_status check_and_visit(void *context, sdca_range columns, const double *w)
{
    const checked_visit *v      = context;
    sdca_status          status = check_finite(v->path, NULL, columns, w);

    return status == SDCA_OK ? v->visitor(v->context, columns, w) : status;
}

sdca_status sdca_model_visit_weights(const sdca_model *model, sdca_hdf5_file *hdf5,
                                     sdca_weight_visitor *visitor, void *context)
{
    sdca_status   status = SDCA_OK;
    checked_visit v      = { hdf5 != NULL ? sdca_hdf5_path(hdf5) : "this model", visitor,
                        context };

    SDCA_TRY(check_bias(v.path, model));
    if (hdf5 != NULL) {
        SDCA_TRY(sdca_weight_file_visit(hdf5, "w", model->columns, check_and_visit, &v));
    } else {
        SDCA_TRY(check_and_visit(&v, (sdca_range){ 0, model->columns }, model->w));
    }

done:
    return status;
}

sdca_status sdca_model_select_weights(const sdca_model *model, const sdca_dataset *data,
                                      double **out)
{
    int32_t features = data->columns - (data->bias > 0.0);
    double *w        = NULL;

    if (model->normalized != data->normalized) {
        return SDCA_FAIL(
            SDCA_USAGE, "the model was trained on rows that %s normalised, and these %s",
            model->normalized ? "are" : "are not", data->normalized ? "are" : "are not");
    }
    w = sdca_alloc_zeroed((size_t)data->columns, sizeof *w);
    if (w == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld weights", (long)data->columns);
    }
    for (int32_t j = 0; j < features; j++) {
        int32_t column = sdca_column_map_original(data->column_map, j);

        w[j] = column < model->columns ? model->w[column] : 0.0;
    }
    *out = w;
    return SDCA_OK;
}
