/* SPDX-License-Identifier: BSD-3-Clause
 *
 * warm_start.c - start from the result of an earlier run, also of another problem. */
#include "train/warm_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "data/standardization.h"
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
        double *alpha = &point.alpha[i * point.alpha_stride];

        *alpha =
            project_alpha(objective, sdca_iterate_label(iterate, objective, i), *alpha);
    }

done:
    return status;
}

/* S D(scale alpha), given |w(alpha)|^2; from every step-th row it is an estimate.
 * Collective. */
static double dual_of_scaled_alpha(MPI_Comm comm, const sdca_objective *objective,
                                   const sdca_dataset *data, const sdca_iterate *iterate,
                                   uint32_t step, double norm2, double scale)
{
    double sum = 0.0, rows = 0.0;

    for (uint64_t k = 0; k < data->x.count; k += step) {
        uint32_t i = (uint32_t)k;

        sum +=
            sdca_dataset_weight(data, i) *
            objective->loss->conjugate(objective->parameter,
                                       scale * iterate->alpha[i * iterate->alpha_stride],
                                       sdca_iterate_label(iterate, objective, i));
        rows += 1.0;
    }
    sum *= rows > 0.0 ? data->x.count / rows : 0.0;
    sdca_comm_allreduce_sum(comm, &sum, 1);
    return -sum - scale * scale * norm2 / (2.0 * objective->C);
}

/* Scale alpha by the factor in [0, 1] that maximises the dual, which is concave, by
 * ternary search. Every interval of feasible alpha contains 0. w has space for
 * w(alpha). Collective. */
static void scale_alpha(MPI_Comm comm, const sdca_objective *objective,
                        const sdca_dataset *data, double *w, sdca_iterate *iterate)
{
    double low = 0.0, high = 1.0, norm2 = 0.0;

    sdca_point_recompute_w(comm, objective, data,
                           (sdca_point){ iterate->alpha, iterate->alpha_stride, w, 1 });
    for (int32_t j = 0; j < sdca_dataset_penalized_columns(data); j++) {
        norm2 += w[j] * w[j];
    }
    for (int k = 0; k < 24; k++) {
        double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;

        if (dual_of_scaled_alpha(comm, objective, data, iterate, 1, norm2, first) <
            dual_of_scaled_alpha(comm, objective, data, iterate, 1, norm2, second)) {
            low = first;
        } else {
            high = second;
        }
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        iterate->alpha[i * iterate->alpha_stride] *= high;
    }
}

/* The class of these with the label of class k of others, or -1. */
static int find_label(const sdca_classes *classes, const sdca_classes *others, int k)
{
    const char *name = sdca_classes_name(others, k);

    for (int c = 0; c < classes->count; c++) {
        const char *mine = sdca_classes_name(classes, c);

        if (name != NULL && mine != NULL
                ? strcmp(mine, name) == 0
                : name == mine && classes->value[c] == others->value[k]) {
            return c;
        }
    }
    return -1;
}

/* A row of w of a model, and the sign that its margins are to have. */
typedef struct model_row {
    int    part; /* -1: none */
    double sign;
} model_row;

/* The row for class k of several, or for the class +1 of two. One row is for the class
 * +1 of its model, and with the other sign for the class -1. */
static model_row find_row(const sdca_model *model, const sdca_classes *classes, int k)
{
    bool several = classes->count > 2;
    int  found;

    if (!several && sdca_model_parts(model) == 1) {
        return (model_row){ 0, 1.0 };
    }
    if (classes->count == 0 || model->labels.count == 0) {
        return (model_row){ -1, 0.0 };
    }
    found = find_label(&model->labels, classes, several ? k : classes->count - 1);
    return sdca_model_parts(model) > 1
               ? (model_row){ found, 1.0 }
               : (model_row){ found >= 0 ? 0 : -1, found == 0 ? -1.0 : 1.0 };
}

/* Read a row of w, with a weight for the bias column of the data, as weights for the
 * rows. *bias is what they leave out of the model's bias. Collective. */
static sdca_status read_row(MPI_Comm comm, const sdca_dataset *data,
                            const sdca_model *model, const char *path, int part,
                            double *w, double *bias)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *hdf5   = NULL;

    SDCA_TRY(sdca_hdf5_open(comm, path, &hdf5));
    SDCA_TRY(sdca_comm_agree(
        comm, sdca_model_file_read_part(hdf5, data->column_map, model, part, w)));
    *bias = sdca_dataset_row_weights(data, sdca_model_part(model, part).bias, w);
    if (data->bias > 0.0) { /* the same as a weight of the data's bias column */
        w[data->columns - 1] = *bias / data->bias;
        *bias                = 0.0;
    }

done:
    sdca_hdf5_close(hdf5);
    return status;
}

/* alpha from the margins of a row of w. Collective. */
static sdca_status alpha_from_row(MPI_Comm comm, const sdca_objective *objective,
                                  const sdca_dataset *data, const sdca_model *model,
                                  const char *path, model_row row, sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;
    double      bias   = 0.0;
    double     *w      = sdca_alloc_array((size_t)data->columns, sizeof *w);

    SDCA_TRY(sdca_comm_agree(comm, w != NULL ? SDCA_OK
                                             : SDCA_FAIL(SDCA_MEMORY,
                                                         "no memory for %ld weights",
                                                         (long)data->columns)));
    SDCA_TRY(read_row(comm, data, model, path, row.part, w, &bias));
    if (data->intercept) { /* scale_alpha() keeps it in w, too */
        iterate->w[(int64_t)(data->columns - 1) * iterate->lanes] =
            row.sign * w[data->columns - 1];
    }
    for (uint32_t i = 0; i < data->x.count; i++) {
        double z = row.sign * (sdca_rows_dot(&data->x, i, w) + bias);

        iterate->alpha[i * iterate->alpha_stride] = objective->loss->maximizer(
            objective->parameter, 0.0, z, 0.0, sdca_iterate_label(iterate, objective, i));
    }
    scale_alpha(comm, objective, data, w, iterate);

done:
    free(w);
    return status;
}

/* alpha from the margins of a model. Collective. */
static sdca_status alpha_from_model(MPI_Comm comm, const sdca_objective *objective,
                                    const sdca_dataset *data, int k,
                                    const sdca_model *model, const char *path,
                                    sdca_iterate *iterate)
{
    int32_t   features = sdca_dataset_feature_count(data);
    model_row row      = find_row(model, &data->classes, k);

    if (model->columns != features) {
        return SDCA_FAIL(SDCA_DATA, "'%s' has %ld columns, the data set %ld", path,
                         (long)model->columns, (long)features);
    }
    return row.part >= 0
               ? alpha_from_row(comm, objective, data, model, path, row, iterate)
               : SDCA_OK;
}

sdca_status sdca_warm_start(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, int k, const char *path,
                            sdca_iterate *iterate)
{
    sdca_status status = SDCA_OK;
    sdca_model  model  = { 0 };

    iterate->starts_at_zero = false;
    SDCA_TRY(sdca_model_read_metadata(comm, path, &model));
    status = model.interrupted && model.fingerprint == data->fingerprint &&
                     model.objective.rows == data->rows && data->classes.count <= 2
                 ? read_alpha(comm, objective, data, path, iterate)
                 : alpha_from_model(comm, objective, data, k, &model, path, iterate);
    if (status == SDCA_OK && iterate->lanes == 1) {
        sdca_iterate_recompute_w(comm, objective, data, 1, iterate);
    }

done:
    sdca_model_clear(&model);
    return status;
}

/* The factor for alpha with the largest dual: those between 1, which keeps alpha, and
 * C_before/C, which keeps w. A sample of rows is enough, as any of them is feasible, and
 * conjugates may cost logarithms. Collective. */
static double best_scale(MPI_Comm comm, const sdca_objective *objective,
                         const sdca_dataset *data, double C_before,
                         const sdca_iterate *iterate)
{
    enum { STEPS = 4, SAMPLE = 4096 };
    double   norm2 = 0.0, best = -INFINITY, scale = 1.0;
    uint32_t step = data->x.count / SAMPLE | 1U; /* odd, so that rows may alternate */

    for (int32_t j = 0; j < sdca_dataset_penalized_columns(data); j++) {
        double w = iterate->w[(int64_t)j * iterate->lanes];

        norm2 += w * w;
    }
    for (int k = 0; k <= STEPS; k++) {
        double t = pow(C_before / objective->C, (double)k / STEPS);
        double dual =
            dual_of_scaled_alpha(comm, objective, data, iterate, step, norm2, t);

        if (dual > best) {
            best  = dual;
            scale = t;
        }
    }
    return scale;
}

void sdca_warm_start_next_lambda(MPI_Comm comm, const sdca_objective *objective,
                                 const sdca_dataset *data, int models, double C_before,
                                 bool w_of_alpha, sdca_iterate *iterate)
{
    sdca_iterate_change_lambda(objective, models, C_before, w_of_alpha, iterate);
    for (int m = 0; w_of_alpha && m < models; m++) {
        double before = C_before * (objective[m].C / objective[0].C);
        double scale  = best_scale(comm, &objective[m], data, before, &iterate[m]);

        for (uint32_t i = 0; i < data->x.count; i++) {
            if (iterate->row[i].weighted_norm2 > 0.0) {
                iterate[m].alpha[i * iterate[m].alpha_stride] *= scale;
            }
        }
        for (int32_t j = 0; j < sdca_dataset_penalized_columns(data); j++) {
            iterate[m].w[(int64_t)j * iterate->lanes] *= scale;
        }
        if (data->intercept) {
            sdca_iterate_scale_centre(scale, &iterate[m]);
        }
    }
    if (w_of_alpha) {
        sdca_iterate_w_changed(iterate);
    }
}
