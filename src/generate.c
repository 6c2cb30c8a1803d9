/* SPDX-License-Identifier: BSD-3-Clause
 *
 * generate.c - synthetic data sets of the shapes that the paper uses. */
#include "generate_shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPE_LIST(X)       \
    X(astro_ph, "astro-ph") \
    X(ccat, "ccat")         \
    X(cov1, "cov1")         \
    X(regression, "regression")
#define NAME(id, name) name,
#define RECIPE(id, name) &sdca_recipe_##id,
#define COUNT_SHAPE(id, name) +1

const char *const sdca_generate_names[SDCA_GENERATE_SHAPES] = { SHAPE_LIST(NAME) };
static const sdca_recipe *const recipes[]                   = { SHAPE_LIST(RECIPE) };
_Static_assert(SHAPE_LIST(COUNT_SHAPE) == SDCA_GENERATE_SHAPES, "every shape is there");

static int64_t scale_rows(int64_t rows, double scale)
{
    double scaled = floor((double)rows * scale + 0.5);

    return scaled < 16.0 ? 16 : (int64_t)scaled;
}

sdca_status sdca_generate_create(const char *shape, double scale, uint64_t seed,
                                 sdca_generator **out)
{
    const double    most      = 1e6; /* far beyond any disk */
    sdca_generator *generator = NULL;
    sdca_status     status    = SDCA_OK;
    uint64_t        number    = 0;

    while (number < SDCA_GENERATE_SHAPES &&
           strcmp(shape, sdca_generate_names[number]) != 0) {
        number++;
    }
    if (number == SDCA_GENERATE_SHAPES) {
        return SDCA_FAIL(SDCA_USAGE, "no shape is called '%s'", shape);
    }
    if (!(scale > 0.0 && scale <= most)) {
        return SDCA_FAIL(SDCA_USAGE, "a scale is above 0 and at most %g, not %g", most,
                         scale);
    }
    generator = calloc(1, sizeof *generator);
    if (generator == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the generator");
    }
    generator->recipe    = recipes[number];
    generator->name      = sdca_generate_names[number];
    generator->seed      = seed;
    generator->shape     = number;
    generator->rows      = scale_rows(generator->recipe->rows, scale);
    generator->test_rows = scale_rows(generator->recipe->test_rows, scale);
    if (generator->recipe->prepare != NULL) {
        SDCA_TRY(generator->recipe->prepare(generator));
    }
    *out      = generator;
    generator = NULL; /* now the caller's */

done:
    sdca_generate_free(generator);
    return status;
}

void sdca_generate_free(sdca_generator *generator)
{
    if (generator != NULL) {
        free(generator->language);
        free(generator->weight);
        free(generator->position);
        free(generator->topic);
        free(generator->model);
        free(generator);
    }
}

sdca_generate_facts sdca_generate_describe(const sdca_generator *generator)
{
    sdca_generate_facts facts = { generator->name, generator->recipe->classifies,
                                  generator->rows, generator->test_rows,
                                  generator->recipe->columns };

    return facts;
}

int sdca_generate_row(const sdca_generator *generator, int64_t row, double *label,
                      int32_t *column, double *value)
{
    sdca_random stream = sdca_generate_stream(generator, (uint64_t)row, SDCA_PART_ROW);

    return generator->recipe->draw(generator, &stream, label, column, value);
}

sdca_status sdca_generate_rows(const sdca_generator *generator, sdca_range range,
                               sdca_writer *writer, sdca_generate_tally *tally)
{
    int32_t     column[SDCA_GENERATE_LONGEST];
    double      value[SDCA_GENERATE_LONGEST];
    sdca_status status = SDCA_OK;

    for (int64_t k = 0; k < range.count; k++) {
        double label = 0.0;
        int count = sdca_generate_row(generator, range.first + k, &label, column, value);

        SDCA_TRY(sdca_writer_row(writer, label, count, column, value));
        tally->low  = tally->rows == 0 || label < tally->low ? label : tally->low;
        tally->high = tally->rows == 0 || label > tally->high ? label : tally->high;
        tally->positive += label > 0.0;
        tally->nonzeros += count;
        tally->rows++;
    }

done:
    return status;
}
