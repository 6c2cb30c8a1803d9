/* SPDX-License-Identifier: BSD-3-Clause
 *
 * regression.c - rows for regression: sparse normal values, a planted w and noise. */
#include "synthetic/shape_common.h"

#include <stdlib.h>

static sdca_status prepare(sdca_synthetic *synthetic)
{
    const int32_t columns = synthetic->shape->columns;
    sdca_random   stream  = sdca_synthetic_stream(synthetic, 0, SDCA_SYNTHETIC_WEIGHTS);

    synthetic->true_weights = calloc((size_t)columns, sizeof *synthetic->true_weights);
    if (synthetic->true_weights == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the model of %s", synthetic->name);
    }
    for (int32_t k = 0; k < columns; k++) {
        synthetic->true_weights[k] = sdca_synthetic_normal(&stream);
    }
    return SDCA_OK;
}

static int draw(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const int min_drawn = 20;
    int       drawn     = min_drawn + (int)sdca_random_below(stream, 22);
    int       count     = 0;
    double    signal    = 0.0;

    for (int k = 0; k < drawn; k++) {
        column[k] =
            (int32_t)sdca_random_below(stream, (uint32_t)synthetic->shape->columns);
    }
    sdca_synthetic_sort_columns(column, drawn);
    for (int k = 0; k < drawn; k++) {
        if (count == 0 || column[k] != column[count - 1]) {
            column[count] = column[k];
            value[count]  = sdca_synthetic_normal(stream);
            count++;
        }
    }
    sdca_synthetic_normalize(value, count);
    for (int k = 0; k < count; k++) {
        signal += synthetic->true_weights[column[k]] * value[k];
    }
    /* The signal has variance 1, the noise 1/4: R^2 is 0.8 at best. */
    *label = signal + 0.5 * sdca_synthetic_normal(stream);
    return count;
}

const sdca_synthetic_shape sdca_synthetic_regression = {
    .rows = 100000, .test_rows = 10000, .columns = 1000, .prepare = prepare, .draw = draw
};
