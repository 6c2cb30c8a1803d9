/* SPDX-License-Identifier: BSD-3-Clause
 *
 * digits.c - rows like images of handwritten digits: digits.
 *
 * A class has a few prototypes, as a digit is written in a few ways. A prototype is a
 * stroke: a chain of smooth round blobs on a grid of 28 x 28 pixels. An image shows the
 * stroke of one prototype, shifted as a whole, with each blob displaced and some noise on
 * the ink. Pixels without ink are 0. */
#include "synthetic/shape_common.h"

#include <stdlib.h>

enum {
    SIDE       = 28, /* pixels */
    PIXELS     = SIDE * SIDE,
    PROTOTYPES = 3, /* of a class */
    BLOBS      = 8  /* of a prototype */
};

/* The centre of a blob, in pixels. */
typedef struct sdca_synthetic_blob {
    double x, y;
} blob;

static const double low = 6.0, high = 21.0; /* strokes stay within, before the shift */

static double clamp(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* A random walk with momentum, which gives a smooth stroke. */
static void draw_stroke(sdca_random *stream, blob *stroke)
{
    blob at   = { low + (high - low) * sdca_random_uniform(stream),
                  low + (high - low) * sdca_random_uniform(stream) };
    blob step = { 0.0, 0.0 };

    for (int k = 0; k < BLOBS; k++) {
        stroke[k] = at;
        step.x    = 0.6 * step.x + 2.0 * sdca_synthetic_normal(stream);
        step.y    = 0.6 * step.y + 2.0 * sdca_synthetic_normal(stream);
        at.x      = clamp(at.x + step.x, low, high);
        at.y      = clamp(at.y + step.y, low, high);
    }
}

static sdca_status prepare(sdca_synthetic *synthetic)
{
    const uint64_t strokes = (uint64_t)synthetic->classes * PROTOTYPES;

    synthetic->blobs = calloc(strokes * BLOBS, sizeof *synthetic->blobs);
    if (synthetic->blobs == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for the prototypes of %s",
                         synthetic->name);
    }
    for (uint64_t k = 0; k < strokes; k++) {
        sdca_random stream = sdca_synthetic_stream(synthetic, k, SDCA_SYNTHETIC_TOPICS);

        draw_stroke(&stream, synthetic->blobs + k * BLOBS);
    }
    return SDCA_OK;
}

/* Add a blob to an image: (1 - |p - centre|^2 / radius^2)^2 for pixels p within. */
static void add_blob(double *ink, blob centre, double radius)
{
    const int first_x = (int)clamp(centre.x - radius, 0.0, SIDE - 1.0);
    const int first_y = (int)clamp(centre.y - radius, 0.0, SIDE - 1.0);
    const int last_x  = (int)clamp(centre.x + radius, 0.0, SIDE - 1.0);
    const int last_y  = (int)clamp(centre.y + radius, 0.0, SIDE - 1.0);

    for (int y = first_y; y <= last_y; y++) {
        for (int x = first_x; x <= last_x; x++) {
            double dx = x - centre.x, dy = y - centre.y;
            double share = 1.0 - (dx * dx + dy * dy) / (radius * radius);

            if (share > 0.0) {
                ink[y * SIDE + x] += share * share;
            }
        }
    }
}

static int draw(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const double least      = 0x1p-8; /* ink that is seen */
    int32_t class           = (int32_t)*label - synthetic->shape->first_label;
    int32_t     prototype   = (int32_t)sdca_random_below(stream, PROTOTYPES);
    const blob *stroke      = synthetic->blobs + (class * PROTOTYPES + prototype) * BLOBS;
    double      shift_x     = 0.9 * sdca_synthetic_normal(stream);
    double      shift_y     = 0.9 * sdca_synthetic_normal(stream);
    double      radius      = 4.0 + 0.5 * sdca_synthetic_normal(stream);
    double      ink[PIXELS] = { 0.0 };
    int         count       = 0;

    for (int k = 0; k < BLOBS; k++) {
        blob at = { stroke[k].x + shift_x + 0.7 * sdca_synthetic_normal(stream),
                    stroke[k].y + shift_y + 0.7 * sdca_synthetic_normal(stream) };

        add_blob(ink, at, radius);
    }
    for (int32_t pixel = 0; pixel < PIXELS; pixel++) {
        if (ink[pixel] > 0.0) {
            double shade =
                clamp(ink[pixel], 0.0, 1.0) * (1.0 + 0.2 * sdca_synthetic_normal(stream));

            if (shade > least) {
                column[count]  = pixel;
                value[count++] = clamp(shade, least, 1.0);
            }
        }
    }
    sdca_synthetic_normalize(value, count);
    return count;
}

const sdca_synthetic_shape sdca_synthetic_digits = { .rows       = 60000,
                                                     .test_rows  = 10000,
                                                     .columns    = PIXELS,
                                                     .classifies = true,
                                                     .classes    = 10,
                                                     .prepare    = prepare,
                                                     .draw       = draw };
