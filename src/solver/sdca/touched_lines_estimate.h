/* SPDX-License-Identifier: BSD-3-Clause
 *
 * touched_lines_estimate.h - how many lines of w the rows of a round touch.
 *
 * Frequent columns are in every round, rare ones in few: m rows touch
 *
 *     lines (1 - exp(-rate m^power))
 *
 * of all lines, with a power of 1 where columns are drawn evenly, and less where few of
 * them are in most rows. */
#ifndef SDCA_SOLVER_SDCA_TOUCHED_LINES_ESTIMATE_H
#define SDCA_SOLVER_SDCA_TOUCHED_LINES_ESTIMATE_H

#include <mpi.h>

#include "data/dataset.h"

typedef struct sdca_touched_lines {
    double rate; /* 0: not known, all lines count as touched */
    double power;
} sdca_touched_lines;

/* From a sample of the first rank's rows, for models side by side in lanes. Collective.
 */
sdca_touched_lines sdca_touched_lines_estimate(MPI_Comm comm, const sdca_dataset *data,
                                               int lanes);

/* The fraction of all lines that this many rows touch. Local. */
double sdca_touched_lines_fraction(sdca_touched_lines touched, double rows);

#endif
