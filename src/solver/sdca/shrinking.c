/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shrinking.c - shrinking with exponential back-off: rows with small gap terms are
 * skipped for some sweeps. */
#include "solver/sdca/shrinking.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/tuning.h"

sdca_status sdca_shrinking_create(uint32_t rows, int lanes, double fraction,
                                  bool only_unmoved, sdca_shrinking *out)
{
    size_t         count     = (size_t)rows * (size_t)lanes;
    size_t         padding   = (size_t)SDCA_SHRINKING_GROUP_SIZE * (size_t)lanes;
    sdca_shrinking shrinking = {
        .rows = rows, .lanes = lanes, .fraction = fraction, .only_unmoved = only_unmoved
    };

    shrinking.gap_term = sdca_alloc_zeroed(count, sizeof *shrinking.gap_term);
    shrinking.streak   = malloc(count + padding);
    if (shrinking.gap_term == NULL || shrinking.streak == NULL) {
        sdca_shrinking_free(&shrinking);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for shrinking of %lu rows",
                         (unsigned long)rows);
    }
    for (int m = 0; m < lanes; m++) {
        shrinking.lane[m].max_streak = SDCA_SHRINKING_MAX_STREAK;
    }
    memset(shrinking.streak, 0, count);
    memset(shrinking.streak + count, SDCA_SHRINKING_NO_ROW,
           padding); /* to whole groups: never active */
    *out = shrinking;
    return SDCA_OK;
}

void sdca_shrinking_leave_out(sdca_shrinking *shrinking, const double *weight)
{
    size_t   lanes = (size_t)shrinking->lanes;
    uint32_t left  = 0;

    for (uint32_t i = 0; weight != NULL && i < shrinking->rows; i++) {
        left += weight[i] > 0.0;
    }
    for (uint32_t i = 0; left > 0 && i < shrinking->rows; i++) {
        if (weight[i] == 0.0) {
            memset(shrinking->streak + i * lanes, SDCA_SHRINKING_NO_ROW, lanes);
        }
    }
}

void sdca_shrinking_leave_out_fold(sdca_shrinking *shrinking, int lane,
                                   const int32_t *fold, int held_out)
{
    size_t lanes = (size_t)shrinking->lanes;

    for (uint32_t i = 0; i < shrinking->rows; i++) {
        if (fold[i] == held_out) {
            shrinking->streak[i * lanes + (size_t)lane] = SDCA_SHRINKING_NO_ROW;
        }
    }
}

void sdca_shrinking_free(sdca_shrinking *shrinking)
{
    free(shrinking->gap_term);
    free(shrinking->streak);
    *shrinking = (sdca_shrinking){ 0 };
}

static double mean_term(const sdca_shrinking *shrinking, const sdca_shrinking_lane *lane)
{
    return shrinking->rows > 0 ? fmax(0.0, lane->term_sum) / shrinking->rows : 0.0;
}

/* If the mean term falls that fast, a term that is small now may be large at the next
 * visit: no row that is visited is skipped later. With only_unmoved this does not apply.
 */
void sdca_shrinking_begin_sweep(sdca_shrinking *shrinking)
{
    for (int m = 0; m < shrinking->lanes; m++) {
        sdca_shrinking_lane *lane = &shrinking->lane[m];
        double               mean = mean_term(shrinking, lane);

        lane->max_streak = !shrinking->only_unmoved &&
                                   mean < tuning_shrinking_fast_decrease * lane->mean_term
                               ? 1.0
                               : (double)SDCA_SHRINKING_MAX_STREAK;
        lane->mean_term  = mean;
        lane->threshold  = shrinking->fraction * mean;
    }
}

void sdca_shrinking_reactivate(sdca_shrinking *shrinking, int lane)
{
    sdca_shrinking_lane *at    = &shrinking->lane[lane];
    size_t               lanes = (size_t)shrinking->lanes;
    size_t               end   = shrinking->rows * lanes;

    at->term_sum = 0.0;
    for (size_t i = (size_t)lane; i < end; i += lanes) {
        at->term_sum += (double)shrinking->gap_term[i];
    }
    at->threshold = shrinking->fraction * mean_term(shrinking, at);
    for (size_t i = (size_t)lane; i < end; i += lanes) {
        if ((double)shrinking->gap_term[i] > at->threshold) {
            shrinking->streak[i] = 0;
        }
    }
}
