/* SPDX-License-Identifier: BSD-3-Clause
 *
 * synthetic.c - synthetic data sets. */
#include "synthetic/shape_common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPE_LIST(X)           \
    X(astro_ph, "astro-ph")     \
    X(ccat, "ccat")             \
    X(cov1, "cov1")             \
    X(regression, "regression") \
    X(topics, "topics")         \
    X(digits, "digits")         \
    X(ctr, "ctr")
#define NAME(id, name) name,
#define SHAPE(id, name) &sdca_synthetic_##id,
#define COUNT_SHAPE(id, name) +1

const char *const sdca_synthetic_names[SDCA_SYNTHETIC_SHAPES] = { SHAPE_LIST(NAME) };
static const sdca_synthetic_shape *const shapes[]             = { SHAPE_LIST(SHAPE) };
_Static_assert(SHAPE_LIST(COUNT_SHAPE) == SDCA_SYNTHETIC_SHAPES, "every shape is there");

static int64_t scale_rows(int64_t rows, double scale, int32_t classes)
{
    double  scaled = floor((double)rows * scale + 0.5);
    int64_t least  = classes < 16 ? 16 : classes;

    return scaled < (double)least ? least : (int64_t)scaled;
}

static sdca_status check_classes(uint64_t index, int32_t classes)
{
    if (shapes[index]->classes == 0) {
        return SDCA_FAIL(SDCA_USAGE, "the shape %s has no choice of classes",
                         sdca_synthetic_names[index]);
    }
    if (classes < 2 || classes > SDCA_SYNTHETIC_MAX_CLASSES) {
        return SDCA_FAIL(SDCA_USAGE,
                         "the number of classes must be from 2 to %d, not %ld",
                         SDCA_SYNTHETIC_MAX_CLASSES, (long)classes);
    }
    return SDCA_OK;
}

static sdca_status check_columns(uint64_t index, int32_t columns)
{
    if (!shapes[index]->choice_of_columns) {
        return SDCA_FAIL(SDCA_USAGE, "the shape %s has no choice of columns",
                         sdca_synthetic_names[index]);
    }
    if (columns < 1 || columns == INT32_MAX) {
        return SDCA_FAIL(SDCA_USAGE, "the number of columns must be from 1 to %ld",
                         (long)INT32_MAX - 1);
    }
    return SDCA_OK;
}

sdca_status sdca_synthetic_create(const char *shape, sdca_synthetic_size size,
                                  uint64_t seed, sdca_synthetic **out)
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
    if (!(size.scale > 0.0 && size.scale <= max_scale)) {
        return SDCA_FAIL(SDCA_USAGE, "the scale must be above 0 and at most %g, not %g",
                         max_scale, size.scale);
    }
    SDCA_TRY(size.classes != 0 ? check_classes(index, size.classes) : SDCA_OK);
    SDCA_TRY(size.columns != 0 ? check_columns(index, size.columns) : SDCA_OK);
    synthetic = calloc(1, sizeof *synthetic);
    if (synthetic == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the generator");
    }
    synthetic->shape       = shapes[index];
    synthetic->name        = sdca_synthetic_names[index];
    synthetic->seed        = seed;
    synthetic->shape_index = index;
    synthetic->classes     = size.classes != 0 ? size.classes : synthetic->shape->classes;
    synthetic->columns     = size.columns != 0 ? size.columns : synthetic->shape->columns;
    synthetic->rows = scale_rows(synthetic->shape->rows, size.scale, synthetic->classes);
    synthetic->test_rows =
        scale_rows(synthetic->shape->test_rows, size.scale, synthetic->classes);
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
        free(synthetic->blobs);
        free(synthetic);
    }
}

sdca_synthetic_info sdca_synthetic_get_info(const sdca_synthetic *synthetic)
{
    sdca_synthetic_info info = { .shape       = synthetic->name,
                                 .classifies  = synthetic->shape->classifies,
                                 .classes     = synthetic->classes,
                                 .first_label = synthetic->shape->first_label,
                                 .rows        = synthetic->rows,
                                 .test_rows   = synthetic->test_rows,
                                 .columns     = synthetic->columns };

    return info;
}

int sdca_synthetic_draw_row(const sdca_synthetic *synthetic, int64_t row, double *label,
                            int32_t *column, double *value)
{
    sdca_random stream =
        sdca_synthetic_stream(synthetic, (uint64_t)row, SDCA_SYNTHETIC_ROW);

    if (synthetic->classes > 0) {
        *label = (double)(synthetic->shape->first_label + row % synthetic->classes);
    }
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
