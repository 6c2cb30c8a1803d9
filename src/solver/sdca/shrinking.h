/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shrinking.h - shrinking with exponential back-off: rows with small gap terms are
 * skipped for some sweeps.
 *
 * Each visit of a row computes its term of the duality gap. A row whose term is far
 * below the mean can gain little: after 1, 2, 3, ... such visits in succession it is
 * active in every 1st, 2nd, 4th, ... 64th sweep only. An exact evaluation computes all
 * terms and reactivates every row with a large one, so that no certificate depends on
 * shrinking.
 *
 * With several models side by side, in lanes, a row may be active for some of them only:
 * everything by row is then by row and lane. */
#ifndef SDCA_SOLVER_SDCA_SHRINKING_H
#define SDCA_SOLVER_SDCA_SHRINKING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "base/tuning.h"
#include "data/lane_row_kernels.h"

enum {
    SDCA_SHRINKING_MAX_STREAK =
        TUNING_SHRINKING_MAX_STREAK, /* a row is active at least every 2^6 sweeps */
    SDCA_SHRINKING_GROUP_SIZE = TUNING_ROW_GROUP, /* consecutive rows with equal streaks
                                                     are active in the same sweeps */
    SDCA_SHRINKING_NO_ROW = 0x7f,                 /* a streak that is never active */
};

/* The state of one model. */
typedef struct sdca_shrinking_lane {
    double mean_term;  /* mean term at the start of the last sweep ... */
    double threshold;  /* ... times fraction */
    double max_streak; /* longest streak that is counted in this sweep */
    double term_sum;   /* of the terms of all rows at their last visits */
} sdca_shrinking_lane;

typedef struct sdca_shrinking {
    uint32_t rows;
    int      lanes;
    bool     only_unmoved; /* skip only rows whose step does not change alpha */
    double   fraction;     /* of the mean term, below which a term is small */
    sdca_shrinking_lane lane[SDCA_MAX_LANES];
    float              *gap_term; /* rows x lanes: the gap term at the last visit */
    uint8_t *streak; /* the same, in whole groups of rows: small terms in succession */
} sdca_shrinking;

/* All rows are active at first, for all lanes. only_unmoved is for losses with a kink:
 * there a row at an end of its interval can be skipped, but small changes of the other
 * rows add up. Local. The caller frees out with sdca_shrinking_free(). */
sdca_status sdca_shrinking_create(uint32_t rows, int lanes, double fraction,
                                  bool only_unmoved, sdca_shrinking *out);
void        sdca_shrinking_free(sdca_shrinking *shrinking);

/* Leave out the rows whose weight is 0 for good, unless that is all of them; weight may
 * be NULL. Local. */
void sdca_shrinking_leave_out(sdca_shrinking *shrinking, const double *weight);

/* Leave out the rows of a fold for good, in one lane of several. fold has that of each
 * row. Local. */
void sdca_shrinking_leave_out_fold(sdca_shrinking *shrinking, int lane,
                                   const int32_t *fold, int held_out);

/* The longest streak with which the rows of group g are active in this sweep. After a
 * streak of k small terms a row is active in every 2^(k-1)-th sweep, with a phase that
 * depends on the group: if 2^t divides sweep + g, streaks up to t + 1 are active. Local.
 */
static inline uint64_t sdca_shrinking_active_streak(uint32_t g, int64_t sweep)
{
    uint64_t turn = (uint64_t)sweep + g;
    uint64_t most = 1;

    while (most < SDCA_SHRINKING_MAX_STREAK && (turn & 1) == 0) {
        turn >>= 1;
        most++;
    }
    return most;
}

/* Which of eight streaks are active: a byte for each, the first in the lowest; 0x80 if it
 * is. Local. */
static inline uint64_t sdca_shrinking_compare(const uint8_t *streak, uint64_t most)
{
    const uint64_t bytes = 0x0101010101010101U;
    uint64_t       streaks;

    memcpy(&streaks, streak, sizeof streaks);
    return ((most | 0x80) * bytes - streaks) & (0x80 * bytes);
}

/* With one lane: the rows of group g that are active in this sweep, as bytes of 0x80.
 * Local. */
static inline uint64_t sdca_shrinking_active_mask(const sdca_shrinking *shrinking,
                                                  uint32_t g, int64_t sweep)
{
    return sdca_shrinking_compare(shrinking->streak +
                                      (size_t)g * SDCA_SHRINKING_GROUP_SIZE,
                                  sdca_shrinking_active_streak(g, sweep));
}

/* The lanes for which row i is active, as bits, given the longest active streak of its
 * group. Bits beyond the lanes are undefined. Local. */
static inline unsigned sdca_shrinking_active_lanes(const sdca_shrinking *shrinking,
                                                   uint32_t i, uint64_t most)
{
    uint64_t active = sdca_shrinking_compare(
        shrinking->streak + (size_t)i * (size_t)shrinking->lanes, most);

    return (unsigned)((active >> 7) * 0x0102040810204080U >> 56);
}

/* A row was visited: its number times the lanes, plus the lane; its term before the step,
 * and whether the step changed its alpha. Local. */
static inline void sdca_shrinking_update(sdca_shrinking      *shrinking,
                                         sdca_shrinking_lane *lane, size_t i,
                                         double gap_term, bool moved)
{
    float stored = (float)gap_term;
    bool  small  = (gap_term <= lane->threshold) &
                 !(moved & shrinking->only_unmoved); /* branchless */
    int most   = (int)lane->max_streak;
    int streak = (shrinking->streak[i] + 1) * small;

    lane->term_sum += (double)stored - (double)shrinking->gap_term[i];
    shrinking->gap_term[i] = stored;
    shrinking->streak[i]   = (uint8_t)(streak < most ? streak : most);
}

/* Begin a sweep: update the threshold from the mean term, and the longest streak from how
 * fast the mean falls. Local. */
void sdca_shrinking_begin_sweep(sdca_shrinking *shrinking);

/* gap_term[] of one lane has been set by an exact evaluation: sum it, and reactivate all
 * rows with a large term. Local. */
void sdca_shrinking_reactivate(sdca_shrinking *shrinking, int lane);

#endif
