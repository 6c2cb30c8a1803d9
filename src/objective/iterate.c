/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iterate.c - alpha, w and how far training has come: all that a method changes. */
#include "objective/iterate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "mpi/comm.h"

_Static_assert((int)SDCA_MAX_LANES == (int)SDCA_VECTOR_ALLREDUCE_MAX_LANES,
               "the allreduce has all lanes");

int sdca_iterate_lanes(int models)
{
    return models == 1 ? 1 : models <= 4 ? 4 : 8;
}

/* The records of my rows, alpha if it is not in them, and with a single rank w. */
static sdca_status allocate(const sdca_dataset *data, bool single_rank,
                            sdca_iterate *iterate)
{
    size_t lanes = (size_t)iterate->lanes;
    bool   complete;

    iterate->row = sdca_alloc_array((size_t)data->x.count + 1, sizeof *iterate->row);
    if (lanes > 1) {
        iterate->alpha =
            sdca_alloc_zeroed((size_t)data->x.count * lanes, sizeof *iterate->alpha);
        iterate->alpha_stride = lanes;
    }
    if (single_rank) {
        iterate->w = sdca_alloc_zeroed((size_t)data->columns * lanes, sizeof *iterate->w);
    } else {
        iterate->allreduce = calloc(1, sizeof *iterate->allreduce);
    }
    complete = iterate->row != NULL && (lanes == 1 || iterate->alpha != NULL) &&
               (iterate->w != NULL || iterate->allreduce != NULL);
    return complete ? SDCA_OK
                    : SDCA_FAIL(SDCA_MEMORY,
                                "no memory for alpha and w (%lu rows, %ld columns)",
                                (unsigned long)data->x.count, (long)data->columns);
}

sdca_status sdca_iterate_check_rows(const sdca_objective *objective,
                                    const sdca_dataset   *data)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        const sdca_row *row   = &data->x.row[i];
        double          norm2 = sdca_dataset_weight(data, i) * row->norm2;

        if (!isfinite(objective->C * norm2) || !isfinite(row->y * row->y)) {
            return SDCA_FAIL(
                SDCA_DATA, "row %lld is too large for double precision with this lambda",
                (long long)sdca_dataset_global_row(data, i));
        }
    }
    return SDCA_OK;
}

static void fill_rows(const sdca_objective *objective, const sdca_dataset *data,
                      sdca_iterate *iterate)
{
    for (uint32_t i = 0; i < data->x.count; i++) {
        const sdca_row *row   = &data->x.row[i];
        double          norm2 = sdca_dataset_weight(data, i) * row->norm2;
        double y = iterate->lanes == 1 ? sdca_objective_label(objective, row->y) : row->y;

        iterate->row[i] = (sdca_iterate_row){ row->start, norm2, y, 0.0 };
    }
    iterate->row[data->x.count] =
        (sdca_iterate_row){ .start = data->x.row[data->x.count].start };
}

/* The best alpha of rows that do not change w, in the lane of one model. */
static void set_fixed_alpha(const sdca_objective *objective, sdca_iterate *iterate)
{
    iterate->starts_at_zero = iterate->constant == 0.0; /* else b is chosen */
    for (uint32_t i = 0; i < iterate->rows; i++) {
        if (iterate->row[i].weighted_norm2 == 0.0) {
            iterate->starts_at_zero = false;
            iterate->alpha[i * iterate->alpha_stride] =
                objective->loss->maximizer(objective->parameter, 0.0, 0.0, 0.0,
                                           sdca_iterate_label(iterate, objective, i));
        }
    }
}

sdca_status sdca_iterate_create_lanes(MPI_Comm comm, const sdca_objective *objective,
                                      const sdca_dataset *data, int models,
                                      sdca_iterate *out)
{
    bool         single_rank = sdca_comm_size(comm) == 1;
    sdca_iterate iterate     = { .rows     = data->x.count,
                                 .columns  = data->columns,
                                 .lanes    = sdca_iterate_lanes(models),
                                 .weight   = data->weight,
                                 .constant = data->intercept ? data->bias : 0.0 };
    sdca_status  status      = allocate(data, single_rank, &iterate);

    for (int m = 0; status == SDCA_OK && m < models; m++) {
        status = sdca_iterate_check_rows(&objective[m], data);
    }
    if (status == SDCA_OK) {
        fill_rows(objective, data, &iterate);
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    if (!single_rank) {
        SDCA_TRY(sdca_vector_allreduce_create(comm, data->columns, iterate.lanes,
                                              iterate.allreduce));
        iterate.w = iterate.allreduce->local;
        memset(iterate.w, 0, (size_t)iterate.allreduce->length * sizeof *iterate.w);
        sdca_iterate_w_changed(&iterate);
    }
    if (iterate.lanes == 1) {
        iterate.alpha        = &iterate.row[0].alpha;
        iterate.alpha_stride = sizeof *iterate.row / sizeof(double);
    }
    for (int m = 0; m < models; m++) {
        out[m] = iterate;
        out[m].alpha += m;
        out[m].w += m;
        set_fixed_alpha(&objective[m], &out[m]);
    }
    iterate = (sdca_iterate){ 0 }; /* now the caller's */

done:
    sdca_iterate_free(&iterate);
    return status;
}

sdca_status sdca_iterate_create(MPI_Comm comm, const sdca_objective *objective,
                                const sdca_dataset *data, sdca_iterate *out)
{
    return sdca_iterate_create_lanes(comm, objective, data, 1, out);
}

void sdca_iterate_free(sdca_iterate *iterate)
{
    free(iterate->row);
    if (iterate->lanes > 1) {
        free(iterate->alpha);
    }
    if (iterate->allreduce == NULL) {
        free(iterate->w);
    } else {
        sdca_vector_allreduce_free(iterate->allreduce);
        free(iterate->allreduce);
    }
    *iterate = (sdca_iterate){ 0 };
}

sdca_point sdca_iterate_point(const sdca_iterate *iterate)
{
    return (sdca_point){ .alpha        = iterate->alpha,
                         .alpha_stride = iterate->alpha_stride,
                         .w            = iterate->w,
                         .w_stride     = (size_t)iterate->lanes };
}

void sdca_iterate_w_changed(sdca_iterate *iterate)
{
    if (iterate->allreduce != NULL) {
        sdca_vector_allreduce_rebase(iterate->allreduce);
    }
}

void sdca_iterate_intercept_changed(sdca_iterate *iterate)
{
    if (iterate->allreduce != NULL) {
        sdca_vector_allreduce_rebase_column(iterate->allreduce, iterate->columns - 1);
    }
}

/* w(alpha). The weight of an intercept stays; returns what it would be with a penalty.
 * Collective. */
static double recompute_point(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, sdca_point point)
{
    int32_t last   = data->columns - 1;
    double  weight = data->intercept ? point.w[last] : 0.0, penalized = 0.0;

    memset(point.w, 0, (size_t)data->columns * sizeof *point.w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        double alpha = point.alpha[i * point.alpha_stride];

        if (alpha != 0.0) {
            sdca_rows_axpy(&data->x, i, sdca_dataset_weight(data, i) * alpha, point.w);
        }
    }
    sdca_comm_allreduce_sum(comm, point.w, data->columns);
    for (int32_t j = 0; j < data->columns; j++) {
        point.w[j] *= objective->C;
    }
    if (data->intercept) {
        penalized     = point.w[last];
        point.w[last] = weight;
    }
    return penalized;
}

void sdca_point_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, sdca_point point)
{
    (void)recompute_point(comm, objective, data, point);
}

/* The same for all lanes at once. */
static void recompute_lanes(MPI_Comm comm, const sdca_objective *objective,
                            const sdca_dataset *data, int models, sdca_iterate *iterate)
{
    int                      lanes   = iterate->lanes;
    int64_t                  length  = (int64_t)data->columns * lanes;
    const sdca_lane_kernels *kernels = sdca_lane_kernels_find(&data->x, lanes);
    double                  *last    = iterate->w + length - lanes;
    double                   intercept[SDCA_MAX_LANES]; /* its weights */

    memcpy(intercept, last, (size_t)lanes * sizeof *intercept);
    memset(iterate->w, 0, (size_t)length * sizeof *iterate->w);
    for (uint32_t i = 0; i < data->x.count; i++) {
        int64_t first = data->x.row[i].start, width = data->x.row[i + 1].start - first;
        double  weight = sdca_dataset_weight(data, i), factor[SDCA_MAX_LANES];
        bool    any    = false;

        for (int m = 0; m < lanes; m++) {
            factor[m] = weight * iterate->alpha[i * iterate->alpha_stride + (size_t)m];
            any       = any || factor[m] != 0.0;
        }
        if (any) {
            kernels->axpy(&data->x, first, width, factor, iterate->w);
        }
    }
    sdca_comm_allreduce_sum(comm, iterate->w, length);
    for (int64_t j = 0; j < length; j += lanes) {
        for (int m = 0; m < models; m++) {
            iterate->w[j + m] *= objective[m].C;
        }
    }
    for (int m = 0; data->intercept && m < models; m++) {
        iterate[m].centre = intercept[m] - last[m];
        last[m]           = intercept[m];
    }
}

void sdca_iterate_recompute_w(MPI_Comm comm, const sdca_objective *objective,
                              const sdca_dataset *data, int models, sdca_iterate *iterate)
{
    if (iterate->lanes == 1) {
        double penalized =
            recompute_point(comm, objective, data, sdca_iterate_point(iterate));

        iterate->centre =
            data->intercept ? iterate->w[data->columns - 1] - penalized : 0.0;
    } else {
        recompute_lanes(comm, objective, data, models, iterate);
    }
    sdca_iterate_w_changed(iterate);
}

void sdca_iterate_scale_centre(double ratio, sdca_iterate *iterate)
{
    double weight = sdca_iterate_intercept(iterate) / iterate->constant;

    iterate->centre = weight - ratio * (weight - iterate->centre);
}

void sdca_iterate_change_lambda(const sdca_objective *objective, int models,
                                double C_before, bool w_of_alpha, sdca_iterate *iterate)
{
    int64_t length = (int64_t)sdca_iterate_penalized_columns(iterate) * iterate->lanes;
    double  ratio  = objective->C / C_before;

    for (int m = 0; m < models; m++) {
        iterate[m].round           = 0;
        iterate[m].steps           = 0;
        iterate[m].starts_at_zero  = false;
        iterate[m].of_other_lambda = !w_of_alpha;
    }
    if (w_of_alpha) {
        for (int64_t j = 0; j < length; j++) {
            iterate->w[j] *= ratio;
        }
        for (int m = 0; iterate->constant > 0.0 && m < models; m++) {
            sdca_iterate_scale_centre(ratio, &iterate[m]);
        }
        sdca_iterate_w_changed(iterate);
    }
}

double sdca_iterate_epochs(const sdca_objective *objective, const sdca_iterate *iterate)
{
    return (double)iterate->steps / (double)objective->rows;
}
