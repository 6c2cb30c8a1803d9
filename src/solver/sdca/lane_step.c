/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_step.c - the steps of several models on one row, and what follows from them for
 * shrinking.
 *
 * The loops over the lanes become vector instructions. */
#define SDCA_VECTOR_LOOPS

#include "solver/sdca/lane_step.h"

#include <string.h>

#include "objective/kernel_dispatch.h"
#include "objective/lane_dispatch.h"

typedef void steps_function(int lanes, double p, unsigned due, lane_steps *at);

/* A byte of 0xff for each bit that is set, of eight. */
SDCA_INLINE uint64_t spread_bits(uint64_t bits)
{
    const uint64_t bytes = 0x0101010101010101U;
    uint64_t       one   = (bits * bytes) & 0x8040201008040201U;

    return ((one + 0x7f * bytes) >> 7 & bytes) * 0xff;
}

/* sdca_shrinking_update() of the streaks of the lanes in due, of which those in small had
 * a small term: bytes of at most 0x7f. */
SDCA_INLINE void update_streaks(int lanes, unsigned due, unsigned small,
                                uint64_t max_streak, uint8_t *streak)
{
    const uint64_t high = 0x8080808080808080U;
    uint64_t       old = 0, updated, more, mask = spread_bits(due);

    memcpy(&old, streak, (size_t)lanes);
    updated = (old + 0x0101010101010101U) & spread_bits(small);
    more    = (((updated | high) - max_streak) & high) >> 7; /* or as many */
    more *= 0xff;
    updated = (max_streak & more) | (updated & ~more);
    updated = (updated & mask) | (old & ~mask);
    memcpy(streak, &updated, (size_t)lanes);
}

SDCA_INLINE unsigned step_lanes(steps_function *steps_of, int lanes,
                                sdca_lane_models *models, const sdca_lane_row *row,
                                lane_steps *steps, double *factor)
{
    const double   label = row->label, weight = row->weight, norm2 = row->weighted_norm2;
    const double   projection      = row->projection;
    const uint64_t due             = row->due;
    const uint64_t moves_are_large = models->only_unmoved ? 0xff : 0;
    double *const  alpha           = row->alpha;
    float *const   gap_term        = row->gap_term;
    lane_bits      moved, small;

#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        double sign = label == models->positive[m] ? 1.0 : -1.0;

        steps->y[m]      = models->positive[m] < 0.0 ? label : sign;
        steps->before[m] = alpha[m];
        steps->q[m]      = models->scale[m] * norm2 +
                      models->mean_scale[m] * weight * projection * projection;
        steps->z[m] += models->extra_sigma[m] * projection * models->mean_change[m];
    }
    steps_of(lanes, models->p, row->due, steps);
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        bool  is_due   = (due & lane_bit[m]) != 0;
        float old_term = gap_term[m];
        float term     = is_due ? (float)(weight * steps->gap_term[m]) : old_term;

        models->term_sum[m] += (double)term - (double)old_term;
        gap_term[m] = term;
    }
#pragma omp simd
    for (int m = 0; m < lanes; m++) {
        uint64_t bit    = due & lane_bit[m];
        double   before = steps->before[m], after = steps->after[m];
        uint64_t moves    = after != before ? bit : 0;
        bool     is_small = weight * steps->gap_term[m] <= models->threshold[m];

        alpha[m]  = moves != 0 ? after : before;
        factor[m] = moves != 0 ? models->scale[m] * (weight * (after - before)) : 0.0;
        moved[m]  = moves;
        small[m]  = (is_small ? bit : 0) & ~(moves & moves_are_large);
    }
    update_streaks(lanes, row->due, collect_bits(lanes, small), models->max_streak,
                   row->streak);
    return collect_bits(lanes, moved);
}

/* The steps for one loss, number of lanes and instruction set. */
#define DEFINE_STEP(id, lanes, set, attribute)                                 \
    attribute static unsigned step_##id##_##lanes##_##set(                     \
        sdca_lane_models *models, const sdca_lane_row *row, lane_steps *steps, \
        double *factor)                                                        \
    {                                                                          \
        return step_lanes(id##_steps, lanes, models, row, steps, factor);      \
    }

SDCA_DEFINE_LANE_KERNELS(DEFINE_STEP)
static sdca_lane_step_function *const step_table[][SDCA_LANE_VARIANTS] =
    SDCA_LANE_KERNEL_TABLE(step);
SDCA_KERNEL_TABLE_IS_COMPLETE(step_table);

sdca_lane_step_function *sdca_lane_step_find(sdca_loss_kind kind, int lanes)
{
    return step_table[kind][sdca_lane_variant(lanes)];
}
