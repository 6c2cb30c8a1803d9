/* SPDX-License-Identifier: BSD-3-Clause
 *
 * covertype.c - rows like those of covertype: cov1.
 *
 * A few correlated dense columns and two groups of indicators, with so much label noise
 * that the best error is about a quarter. Two latent variables, height and wetness,
 * drive all columns: soil types depend on the height, areas on both. The planted rule is
 * the same for all seeds, and so is the best error; its product term cannot be expressed
 * by a linear model. */
#include "synthetic/shape_common.h"

/* Numeric columns, then two one-hot groups. */
enum { NUMERIC = 10, AREAS = 4, SOILS = 40 };

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static int draw(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const double min_value = 0x1p-10; /* not zero: each row has all numeric columns */
    double       height    = sdca_synthetic_normal(stream);
    double       wetness   = sdca_synthetic_normal(stream);
    int32_t      soil      = 0;
    int32_t      area      = 0;
    double       score     = 0.0;

    (void)synthetic;
    for (int32_t k = 0; k < NUMERIC; k++) {
        /* Loadings between -1 and 1 that differ from column to column. */
        double on_height  = (5 - k) / 5.0;
        double on_wetness = (k * 3 % 10 - 4) / 5.0;
        double signal     = on_height * height + on_wetness * wetness;

        column[k] = k;
        value[k]  = clamp(0.5 + 0.14 * (signal + 0.6 * sdca_synthetic_normal(stream)),
                          min_value, 1.0);
    }
    soil =
        (int32_t)clamp(SOILS * (0.5 + 0.2 * height + 0.1 * sdca_synthetic_normal(stream)),
                       0.0, SOILS - 1.0);
    area = (int32_t)clamp(
        AREAS * (0.5 + 0.15 * (height - wetness) + 0.15 * sdca_synthetic_normal(stream)),
        0.0, AREAS - 1.0);
    column[NUMERIC]     = NUMERIC + area;
    column[NUMERIC + 1] = NUMERIC + AREAS + soil;
    value[NUMERIC]      = 1.0;
    value[NUMERIC + 1]  = 1.0;

    score = height + 0.5 * wetness + 0.4 * height * wetness +
            1.2 * ((soil * 7 % SOILS) / (SOILS - 1.0) - 0.5) +
            1.15 * sdca_synthetic_normal(stream);
    *label = score > 0.55 ? 1.0 : -1.0;
    sdca_synthetic_normalize(value, NUMERIC + 2);
    return NUMERIC + 2;
}

const sdca_synthetic_shape sdca_synthetic_cov1 = { .rows       = 522911,
                                                   .test_rows  = 58101,
                                                   .columns    = NUMERIC + AREAS + SOILS,
                                                   .classifies = true,
                                                   .draw       = draw };
