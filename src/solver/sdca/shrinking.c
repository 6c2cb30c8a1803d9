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

sdca_status sdca_shrinking_create(uint32_t rows, double fraction, bool only_unmoved,
                                  sdca_shrinking *out)
{
    sdca_shrinking shrinking = { .rows         = rows,
                                 .fraction     = fraction,
                                 .only_unmoved = only_unmoved,
                                 .max_streak   = SDCA_SHRINKING_MAX_STREAK };

    shrinking.gap_term = sdca_alloc_zeroed(rows, sizeof *shrinking.gap_term);
    shrinking.streak   = malloc((size_t)rows + SDCA_SHRINKING_GROUP_SIZE);
    if (shrinking.gap_term == NULL || shrinking.streak == NULL) {
        sdca_shrinking_free(&shrinking);
        return SDCA_FAIL(SDCA_MEMORY, "no memory for shrinking of %lu rows",
                         (unsigned long)rows);
    }
    memset(shrinking.streak, 0, rows);
    memset(shrinking.streak + rows, SDCA_SHRINKING_NO_ROW,
           SDCA_SHRINKING_GROUP_SIZE); /* padding to whole groups: never active */
    *out = shrinking;
    return SDCA_OK;
}

void sdca_shrinking_leave_out(sdca_shrinking *shrinking, const double *weight)
{
    uint32_t left = 0;

    for (uint32_t i = 0; weight != NULL && i < shrinking->rows; i++) {
        left += weight[i] > 0.0;
    }
    for (uint32_t i = 0; left > 0 && i < shrinking->rows; i++) {
        shrinking->streak[i] = weight[i] > 0.0 ? 0 : SDCA_SHRINKING_NO_ROW;
    }
}

void sdca_shrinking_free(sdca_shrinking *shrinking)
{
    free(shrinking->gap_term);
    free(shrinking->streak);
    *shrinking = (sdca_shrinking){ 0 };
}

static double mean_term(const sdca_shrinking *shrinking)
{
    return shrinking->rows > 0 ? fmax(0.0, shrinking->term_sum) / shrinking->rows : 0.0;
}

/* If the mean term falls that fast, a term that is small now may be large at the next
 * visit: no row that is visited is skipped later. With only_unmoved this does not apply.
 * */
void sdca_shrinking_begin_sweep(sdca_shrinking *shrinking)
{
    double mean = mean_term(shrinking);

    shrinking->max_streak =
        !shrinking->only_unmoved &&
                mean < tuning_shrinking_fast_decrease * shrinking->mean_term
            ? 1.0
            : (double)SDCA_SHRINKING_MAX_STREAK;
    shrinking->mean_term = mean;
    shrinking->threshold = shrinking->fraction * mean;
}

void sdca_shrinking_reactivate(sdca_shrinking *shrinking)
{
    shrinking->term_sum = 0.0;
    for (uint32_t i = 0; i < shrinking->rows; i++) {
        shrinking->term_sum += (double)shrinking->gap_term[i];
    }
    shrinking->threshold = shrinking->fraction * mean_term(shrinking);
    for (uint32_t i = 0; i < shrinking->rows; i++) {
        if ((double)shrinking->gap_term[i] > shrinking->threshold) {
            shrinking->streak[i] = 0;
        }
    }
}
