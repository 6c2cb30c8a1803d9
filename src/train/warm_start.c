/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_start.c - start from the result of an earlier run, also of another problem. */
#include "train/warm_start.h"

#include <math.h>

#include "model/field_io.h"
#include "model/model.h"
#include "mpi/comm.h"

static double project_alpha(const sdca_objective *objective, double y, double alpha)
{
    sdca_interval allowed = sdca_objective_feasible(objective, y);

    return fmin(allowed.high, fmax(allowed.low, alpha));
}

/* Read the alpha of a checkpoint. Collective. */
static sdca_status read_alpha(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, const char *path,
                              sdca_iterate *iterate)
{
    sdca_status   status = SDCA_OK;
    sdca_point    point  = sdca_iterate_point(iterate);
    sdca_field_io io;

    SDCA_TRY(sdca_field_io_open(comm, data, path, &io));
    sdca_field_io_per_row(&io, "alpha", SDCA_FLOAT64, point.alpha, point.alpha_stride);
    SDCA_TRY(sdca_field_io_close(&io));
    for (uint32_t i = 0; i < data->x.count; i++) {
        sdca_iterate_row *row = &iterate->row[i];

        row->alpha = project_alpha(objective, row->y, row->alpha);
    }
    sdca_iterate_recompute_w(comm, objective, data, iterate);

done:
    return status;
}

/* S D(scale alpha), given |w(alpha)|^2. Collective. */
static double dual_of_scaled_alpha(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset *data, const sdca_iterate *iterate,
                                   double norm2, double scale)
{
    double sum = 0.0;

    for (uint32_t i = 0; i < data->x.count; i++) {
        sum +=
            sdca_dataset_weight(data, i) *
            objective->loss->conjugate(objective->parameter,
                                       scale * iterate->row[i].alpha, iterate->row[i].y);
    }
    sdca_comm_allreduce_sum(comm, &sum, 1);
    return -sum - scale * scale * norm2 / (2.0 * objective->C);
}

/* Scale alpha by the factor in [0, 1] that maximises the dual, which is concave, by
 * ternary search. Every interval of feasible alpha contains 0. Collective. */
static void scale_alpha(MPI_Comm comm, const sdca_objective *objective,
                        const sdca_dataset *data, sdca_iterate *iterate)
{
    double low = 0.0, high = 1.0, norm2 = 0.0;

    sdca_iterate_recompute_w(comm, objective, data, iterate);
    for (int32_t j = 0; j < data->columns; j++) {
        norm2 += iterate->w[j] * iterate->w[j];
    }
    for (int k = 0; k < 24; k++) {
        double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;

        if (dual_of_scaled_alpha(comm, objective, data, iterate, norm2, first) <
            dual_of_scaled_alpha(comm, objective, data, iterate, norm2, second)) {
            low = first;
        } else {
            high = second;
        }
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        iterate->row[i].alpha *= high;
    }
    sdca_iterate_recompute_w(comm, objective, data, iterate);
}

/* alpha from the margins of a model. Collective. */
static sdca_status alpha_from_model(MPI_Comm comm, const sdca_objective *objective,
                                    const sdca_dataset *data, sdca_model *model,
                                    const char *path, sdca_iterate *iterate)
{
    int32_t     features = sdca_dataset_feature_count(data);
    double      bias     = model->bias;
    sdca_status status   = SDCA_OK;

    if (model->columns != features) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %ld columns, the data set %ld", path,
                         (long)model->columns, (long)features);
    }
    SDCA_TRY(sdca_model_read_weights(comm, path, data->column_map, model));
    if (data->bias > 0.0) { /* the same as a weight of the data's bias column */
        model->w[data->columns - 1] = bias / data->bias;
        bias                        = 0.0;
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = sdca_rows_dot(&data->x, i, model->w) + bias;

        iterate->row[i].alpha = objective->loss->maximizer(objective->parameter, 0.0, z,
                                                           0.0, data->x.row[i].y);
    }
    scale_alpha(comm, objective, data, iterate);

done:
    return status;
}

sdca_status sdca_warm_start(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, const char *path,
                            sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    SDCA_TRY(sdca_model_read_metadata(comm, path, &model));
    status = model.interrupted && model.fingerprint == data->fingerprint &&
                     model.objective.rows == data->rows
                 ? read_alpha(comm, objective, data, path, iterate)
                 : alpha_from_model(comm, objective, data, &model, path, iterate);

done:
    sdca_model_clear(&model);
    return status;
}
