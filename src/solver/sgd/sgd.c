/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sgd.c - stochastic gradient descent, the paper's baseline, and Modified-SGD, its
 * initialisation of SDCA. */
#include "solver/sgd/sgd.h"

#include <stdlib.h>

#include "base/alloc.h"

/* Different from the seed of SDCA's row orders. */
static uint64_t sgd_seed(uint64_t seed)
{
    return ~seed;
}

static sdca_status create(sdca_row_order_kind kind, const sdca_dataset *data,
                          uint64_t seed, int rank, sdca_sgd *out)
{
    sdca_status status = SDCA_OK;
    sdca_sgd    sgd    = { .t = 0 };

    sgd.v = sdca_alloc_zeroed((size_t)data->columns, sizeof *sgd.v);
    if (sgd.v == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for %ld columns", (long)data->columns);
    }
    SDCA_TRY(
        sdca_row_order_create(kind, sgd_seed(seed), rank, data->x.count, &sgd.order));
    *out = sgd;

done:
    if (status != SDCA_OK) {
        sdca_sgd_free(&sgd);
    }
    return status;
}

sdca_status sdca_sgd_create(const sdca_dataset *data, uint64_t seed, int rank,
                            sdca_sgd *out)
{
    return create(SDCA_ROW_ORDER_RANDOM, data, seed, rank, out);
}

void sdca_sgd_free(sdca_sgd *sgd)
{
    sdca_row_order_free(&sgd->order);
    free(sgd->v);
    sgd->v = NULL;
}

/* w.x_i, with w = v/(lambda t) of the steps made so far. */
static double margin(const sdca_objective *objective, const sdca_dataset *data,
                     const sdca_sgd *sgd, uint32_t i)
{
    double z = sdca_rows_dot(&data->x, i, sgd->v);

    return sgd->t > 0 ? z / (objective->lambda * (double)sgd->t) : 0.0;
}

/* For q = 0 the dual maximiser is minus a derivative of the loss. */
static double negative_derivative(const sdca_objective *objective, double z, double y)
{
    return objective->loss->maximizer(objective->parameter, 0.0, z, 0.0, y);
}

/* The weight of a row in a mean over n rows, s_i n / S. */
static double relative_weight(const sdca_dataset *data, uint32_t i)
{
    return sdca_dataset_weight(data, i) * ((double)data->rows / data->total_weight);
}

void sdca_sgd_run(const sdca_objective *objective, const sdca_dataset *data,
                  sdca_sgd *sgd, int64_t steps)
{
    while (steps > 0 && data->x.count > 0) {
        uint32_t        count = 0;
        const uint32_t *row   = sdca_row_order_next(&sgd->order, NULL, steps, &count);

        for (uint32_t k = 0; k < count; k++) {
            uint32_t i = row[k];
            double   g =
                negative_derivative(objective, margin(objective, data, sgd, i),
                                    sdca_objective_label(objective, data->x.row[i].y)) *
                relative_weight(data, i);

            sgd->t++;
            if (g != 0.0) {
                sdca_rows_axpy(&data->x, i, g, sgd->v);
            }
        }
        steps -= count;
    }
}

void sdca_sgd_weights(const sdca_objective *objective, const sdca_dataset *data,
                      const sdca_sgd *sgd, double *w)
{
    double scale = sgd->t > 0 ? 1.0 / (objective->lambda * (double)sgd->t) : 0.0;

    for (int32_t j = 0; j < data->columns; j++) {
        w[j] = scale * sgd->v[j];
    }
}

sdca_status sdca_sgd_initial_alpha(const sdca_objective *objective,
                                   const sdca_dataset *data, uint64_t seed, int rank,
                                   sdca_iterate *iterate)
{
    sdca_sgd        sgd;
    uint32_t        count  = 0;
    const uint32_t *row    = NULL;
    sdca_status     status = create(SDCA_ROW_ORDER_PERMUTATION, data, seed, rank, &sgd);

    if (status != SDCA_OK) {
        return status;
    }
    row = sdca_row_order_next(&sgd.order, NULL, data->x.count, &count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i     = row[k];
        double   z     = margin(objective, data, &sgd, i);
        double   s     = relative_weight(data, i);
        double   q     = s * data->x.row[i].norm2 / (objective->lambda * (double)++sgd.t);
        double   alpha = objective->loss->maximizer(objective->parameter, 0.0, z, q,
                                                    iterate->row[i].y);

        sdca_rows_axpy(&data->x, i, s * alpha, sgd.v);
        iterate->row[i].alpha = alpha;
    }
    sdca_sgd_free(&sgd);
    return SDCA_OK;
}
