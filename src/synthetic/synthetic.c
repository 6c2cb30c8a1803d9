/* SPDX-License-Identifier: BSD-3-Clause
 *
 * synthetic.c - synthetic data sets with the shapes of those in the paper. */
#include "synthetic/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPE_LIST(X)       \
    X(astro_ph, "astro-ph") \
    X(ccat, "ccat")         \
    X(cov1, "cov1")         \
    X(regression, "regression")
#define NAME(id, name) name,
#define SHAPE(id, name) &sdca_synthetic_##id,
#define COUNT_SHAPE(id, name) +1

const char *const sdca_synthetic_names[SDCA_SYNTHETIC_SHAPES] = { SHAPE_LIST(NAME) };
static const sdca_synthetic_shape *const shapes[]             = { SHAPE_LIST(SHAPE) };
_Static_assert(SHAPE_LIST(COUNT_SHAPE) == SDCA_SYNTHETIC_SHAPES, "every shape is there");

static int64_t scale_rows(int64_t rows, double scale)
{
    double scaled = floor((double)rows * scale + 0.5);

    return scaled < 16.0 ? 16 : (int64_t)scaled;
}

sdca_status sdca_synthetic_create(const char *shape, double scale, uint64_t seed,
                                  sdca_synthetic **out)
{
    const double    max_scale = 1e6; /* larger than any disk */
    sdca_synthetic *synthetic = NULL;
    sdca_status     status    = SDCA_OK;
    uint64_t        index     = 0;

    while (index < SDCA_SYNTHETIC_SHAPES &&
           strcmp(shape, sdca_synthetic_names[index]) != 0) {
        index++;
    }
    if (index == SDCA_SYNTHETIC_SHAPES) {
        return SDCA_FAIL(SDCA_USAGE, "there is no shape '%s'", shape);
    }
    if (!(scale > 0.0 && scale <= max_scale)) {
        return SDCA_FAIL(SDCA_USAGE, "the scale must be above 0 and at most %g, not %g",
                         max_scale, scale);
    }
    synthetic = calloc(1, sizeof *synthetic);
    if (synthetic == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the generator");
    }
    synthetic->shape       = shapes[index];
    synthetic->name        = sdca_synthetic_names[index];
    synthetic->seed        = seed;
    synthetic->shape_index = index;
    synthetic->rows        = scale_rows(synthetic->shape->rows, scale);
    synthetic->test_rows   = scale_rows(synthetic->shape->test_rows, scale);
    if (synthetic->shape->prepare != NULL) {
        SDCA_TRY(synthetic->shape->prepare(synthetic));
    }
    *out      = synthetic;
    synthetic = NULL; /* now the caller's */

done:
    sdca_synthetic_free(synthetic);
    return status;
}

void sdca_synthetic_free(sdca_synthetic *synthetic)
{
    if (synthetic != NULL) {
        free(synthetic->word_table);
        free(synthetic->idf);
        free(synthetic->topic_word_table);
        free(synthetic->topic_words);
        free(synthetic->true_weights);
        free(synthetic);
    }
}

sdca_synthetic_info sdca_synthetic_get_info(const sdca_synthetic *synthetic)
{
    sdca_synthetic_info info = { synthetic->name, synthetic->shape->classifies,
                                 synthetic->rows, synthetic->test_rows,
                                 synthetic->shape->columns };

    return info;
}

int sdca_synthetic_draw_row(const sdca_synthetic *synthetic, int64_t row, double *label,
                            int32_t *column, double *value)
{
    sdca_random stream =
        sdca_synthetic_stream(synthetic, (uint64_t)row, SDCA_SYNTHETIC_ROW);

    return synthetic->shape->draw(synthetic, &stream, label, column, value);
}

sdca_status sdca_synthetic_write_rows(const sdca_synthetic *synthetic, sdca_range range,
                                      sdca_dataset_writer  *writer,
                                      sdca_synthetic_stats *stats)
{
    int32_t     column[SDCA_SYNTHETIC_MAX_NONZEROS];
    double      value[SDCA_SYNTHETIC_MAX_NONZEROS];
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < range.count; k++) {
        double label = 0.0;
        int    count =
            sdca_synthetic_draw_row(synthetic, range.first + k, &label, column, value);

        SDCA_TRY(sdca_dataset_writer_append(writer, label, count, column, value));
        stats->min_label =
            stats->rows == 0 || label < stats->min_label ? label : stats->min_label;
        stats->max_label =
            stats->rows == 0 || label > stats->max_label ? label : stats->max_label;
        stats->positive += label > 0.0;
        stats->nonzeros += count;
        stats->rows++;
    }

done:
    return status;
}
