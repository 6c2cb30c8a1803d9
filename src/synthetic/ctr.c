/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ctr.c - rows like those of a click log: hashed categories of many fields.
 *
 * A row has one category of each field. Field f has 2^b categories, with b from MIN_BITS
 * to MAX_BITS, drawn log-uniformly: an octave [2^k, 2^(k+1)) with probability
 * 1 / b, and a category in it uniformly. So a few categories are in most rows, and most
 * categories are in very few. Each has a column and a planted weight, both a hash of
 * field and category; there are no tables. Categories of the same column collide, as
 * they do in logs. */
#include "synthetic/shape_common.h"

enum { FIELDS = 39, MIN_BITS = 1, MAX_BITS = 22 };

/* A category of this field, from 1. */
static uint64_t draw_category(sdca_random *stream, int field)
{
    uint32_t bits   = MIN_BITS + (uint32_t)field * (MAX_BITS - MIN_BITS) / (FIELDS - 1);
    uint32_t octave = sdca_random_below(stream, bits);

    return (UINT64_C(1) << octave) + sdca_random_below(stream, UINT32_C(1) << octave);
}

/* A hash of a category of a field. */
static sdca_random hash_category(const sdca_synthetic *synthetic, int field,
                                 uint64_t category, sdca_synthetic_purpose purpose)
{
    return sdca_synthetic_stream(synthetic, (uint64_t)field << MAX_BITS | category,
                                 purpose);
}

/* Two neighbours of an octave, which are as frequent as each other, have opposite
 * weights, so that the share of the labels does not depend on the seed. */
static double planted_weight(const sdca_synthetic *synthetic, int field,
                             uint64_t category)
{
    sdca_random hash =
        hash_category(synthetic, field, category / 2, SDCA_SYNTHETIC_WEIGHTS);
    double weight = sdca_synthetic_normal(&hash);

    return category == 1 ? 0.0 : category % 2 == 0 ? weight : -weight;
}

static int draw(const sdca_synthetic *synthetic, sdca_random *stream, double *label,
                int32_t *column, double *value)
{
    const double noise = 4.0, threshold = 4.0; /* 28 % of the labels are +1 */
    double       score = noise * sdca_synthetic_normal(stream);
    int          count = 0;

    for (int field = 0; field < FIELDS; field++) {
        uint64_t    category = draw_category(stream, field);
        sdca_random hash =
            hash_category(synthetic, field, category, SDCA_SYNTHETIC_COLUMNS);

        column[field] = (int32_t)sdca_random_below(&hash, (uint32_t)synthetic->columns);
        score += planted_weight(synthetic, field, category);
    }
    sdca_synthetic_sort_columns(column, FIELDS);
    for (int field = 0; field < FIELDS; field++) {
        if (count > 0 && column[field] == column[count - 1]) {
            value[count - 1] += 1.0;
        } else {
            column[count]  = column[field];
            value[count++] = 1.0;
        }
    }
    sdca_synthetic_normalize(value, count);
    *label = score > threshold ? 1.0 : -1.0;
    return count;
}

const sdca_synthetic_shape sdca_synthetic_ctr = { .rows              = 600000,
                                                  .test_rows         = 60000,
                                                  .columns           = 1 << 20,
                                                  .choice_of_columns = true,
                                                  .classifies        = true,
                                                  .draw              = draw };
