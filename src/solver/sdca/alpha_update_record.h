/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alpha_update_record.h - how a round with several ranks records the change of an alpha,
 * for the line search over all changes. To be inlined. */
#ifndef SDCA_SOLVER_SDCA_ALPHA_UPDATE_RECORD_H
#define SDCA_SOLVER_SDCA_ALPHA_UPDATE_RECORD_H

#include "data/rows_inline.h"
#include "objective/loss_results.h"
#include "solver/sdca/coordinate_ascent.h"

/* Append an update, and add it to the sums of its model. Local. */
SDCA_INLINE void append_update(sdca_ascent *ascent, sdca_row_update update, double weight,
                               const step_result *result, sdca_update_sums *sums)
{
    double change   = update.alpha_after - update.alpha_before;
    double weighted = weight * change;

    ascent->update[ascent->updates++] = update;
    sums->derivative_before += result->derivative_before * weighted;
    sums->derivative_after += result->derivative_after * weighted;
    sums->curvature_after += result->curvature_after * weighted * change;
}

/* Mark what a change of w along a sparse row has touched. */
SDCA_INLINE void mark_row(row_format format, const sdca_rows *x, int64_t first,
                          int64_t width, const sdca_vector_marks *marks)
{
    uint8_t *const line = marks->line, *const chunk = marks->chunk;
    const int shift = marks->shift;

    for (int64_t k = first; k < first + width; k++) {
        int64_t at = (int64_t)entry_column(format, x, k) >> shift;

        line[at]                     = 1;
        chunk[at / SDCA_CHUNK_LINES] = 1;
    }
}

/* The marks of this rank's changes; NULL if it does not mark them. */
SDCA_INLINE const sdca_vector_marks *marks_of(const sdca_iterate *iterate)
{
    return iterate->allreduce != NULL && iterate->allreduce->marked
               ? &iterate->allreduce->marks
               : NULL;
}

#endif
