/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shrinking.h - which rows can be left alone for a while.
 *
 * Each visit of a row shows its term of the duality gap. A row whose term is far
 * below the mean has next to nothing to gain: it rests, and after each such
 * visit in a row twice as long. An exact evaluation sees all terms and wakes every row
 * that rests in error, so that no certificate depends on any of this. */
#ifndef SDCA_SOLVER_SDCA_SHRINKING_H
#define SDCA_SOLVER_SDCA_SHRINKING_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

enum {
    SDCA_SHRINKING_MAX_STREAK = 7, /* a row is due at least every 2^6 sweeps */
    SDCA_SHRINKING_GROUP_SIZE =
        8,                        /* neighbours that rest equally long are due together */
    SDCA_SHRINKING_NO_ROW = 0x7f, /* a streak that is never due */
};

typedef struct sdca_shrinking {
    uint32_t rows;
    bool     only_unmoved; /* only rows that do not move rest */
    double   fraction;     /* of the mean term, below which a row rests */
    double   mean_term;    /* term, as the last sweep began ... */
    double   threshold;    /* ... times share */
    double   max_streak;   /* streak in this sweep */
    double   term_sum;     /* of all terms, as last seen */
    float   *gap_term;     /* by row: its term of the gap, as last seen */
    uint8_t *streak; /* by row, in whole groups: visits in a row with a small term */
} sdca_shrinking;

/* Nobody rests yet. stuck is for losses with a kink: there a row at the end of its
 * interval is done with, but the small moves of the others add up. Local. What out holds
 * is the caller's, to be freed with sdca_shrinking_free(). */
sdca_status sdca_shrinking_create(uint32_t rows, double fraction, bool only_unmoved,
                                  sdca_shrinking *out);
void        sdca_shrinking_free(sdca_shrinking *shrinking);

/* Which of the group of neighbours g are visited in the sweep of this number? After a
 * streak of k small terms a row is due every 2^(k-1)-th sweep, each group at its own
 * turn: if 2^t divides the turn, those with streaks up to t + 1. A byte for each
 * row, the first row's lowest; 0x80 if it is due. Local. */
static inline uint64_t sdca_shrinking_active_mask(const sdca_shrinking *shrinking,
                                                  uint32_t g, int64_t sweep)
{
    const uint64_t bytes = 0x0101010101010101U;
    uint64_t       turn  = (uint64_t)sweep + g;
    uint64_t       most  = 1; /* the longest streak that is due */
    uint64_t       streaks;

    while (most < SDCA_SHRINKING_MAX_STREAK && (turn & 1) == 0) {
        turn >>= 1;
        most++;
    }
    memcpy(&streaks, shrinking->streak + (size_t)g * SDCA_SHRINKING_GROUP_SIZE,
           sizeof streaks);
    return ((most | 0x80) * bytes - streaks) & (0x80 * bytes);
}

/* Row i was visited; its term was this before, and then it moved or not. Local. */
static inline void sdca_shrinking_update(sdca_shrinking *shrinking, uint32_t i,
                                         double gap_term, bool moved)
{
    float stored = (float)gap_term;
    bool  small  = (gap_term <= shrinking->threshold) &
                 !(moved & shrinking->only_unmoved); /* no jumps */
    int most   = (int)shrinking->max_streak;
    int streak = (shrinking->streak[i] + 1) * small;

    shrinking->term_sum += (double)stored - (double)shrinking->gap_term[i];
    shrinking->gap_term[i] = stored;
    shrinking->streak[i]   = (uint8_t)(streak < most ? streak : most);
}

/* A sweep begins: the threshold follows the mean, and who may rest follows how fast that
 * falls. Local. */
void sdca_shrinking_begin_sweep(sdca_shrinking *shrinking);

/* term[] holds what an exact evaluation found: add it up, and wake all rows that
 * have something to gain. Local. */
void sdca_shrinking_reactivate(sdca_shrinking *shrinking);

#endif
