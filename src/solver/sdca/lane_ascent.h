/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lane_ascent.h - steps of coordinate ascent for several models in one walk over a row.
 */
#ifndef SDCA_SOLVER_SDCA_LANE_ASCENT_H
#define SDCA_SOLVER_SDCA_LANE_ASCENT_H

#include "solver/sdca/coordinate_ascent.h"

/* Visit rows for all models that are due, at most visits of them and to the end of the
 * sweep; sdca_ascent_run() has prepared ascent. Returns the number of visits. Local. */
int64_t sdca_lane_ascent_run(const sdca_objective *objective, const sdca_dataset *data,
                             sdca_iterate *iterate, sdca_ascent *ascent, int64_t visits);

#endif
