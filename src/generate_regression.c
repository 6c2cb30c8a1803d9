/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate_regression.c - rows for regression: sparse normal numbers, a planted w and
 * noise. */
#include "generate_shape.h"

#include <stdlib.h>

static sdca_status prepare(sdca_generator *generator)
{
    const int32_t columns = generator->recipe->columns;
    sdca_random   stream  = sdca_generate_stream(generator, 0, SDCA_PART_MODEL);

    generator->model = calloc((size_t)columns, sizeof *generator->model);
    if (generator->model == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the model of %s", generator->name);
    }
    for (int32_t k = 0; k < columns; k++) {
        generator->model[k] = sdca_generate_normal(&stream);
    }
    return SDCA_OK;
}

static int draw(const sdca_generator *generator, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const int least  = 20;
    int       drawn  = least + (int)sdca_random_below(stream, 22);
    int       count  = 0;
    double    signal = 0.0;

    for (int k = 0; k < drawn; k++) {
        column[k] =
            (int32_t)sdca_random_below(stream, (uint32_t)generator->recipe->columns);
    }
    sdca_generate_sort(column, drawn);
    for (int k = 0; k < drawn; k++) {
        if (count == 0 || column[k] != column[count - 1]) {
            column[count] = column[k];
            value[count]  = sdca_generate_normal(stream);
            count++;
        }
    }
    sdca_generate_unit(value, count);
    for (int k = 0; k < count; k++) {
        signal += generator->model[column[k]] * value[k];
    }
    /* The signal has variance 1, the noise 1/4: R^2 is 0.8 at best. */
    *label = signal + 0.5 * sdca_generate_normal(stream);
    return count;
}

const sdca_recipe sdca_recipe_regression = {
    .rows = 100000, .test_rows = 10000, .columns = 1000, .prepare = prepare, .draw = draw
};
