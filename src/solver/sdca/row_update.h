/* SPDX-License-Identifier: BSD-3-Clause
 *
 * row_update.h - how a round with several ranks records the change of an alpha, for the
 * line search over all changes. To be inlined. */
#ifndef SDCA_SOLVER_SDCA_ROW_UPDATE_H
#define SDCA_SOLVER_SDCA_ROW_UPDATE_H

#include "objective/loss_types.h"
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

#endif
