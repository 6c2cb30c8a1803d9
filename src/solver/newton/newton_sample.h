/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_sample.h - the rows on which Newton's method begins. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_SAMPLE_H
#define SDCA_SOLVER_NEWTON_NEWTON_SAMPLE_H

#include <mpi.h>

#include "solver/newton/newton_linearization.h"

/* How many rows a sample should have, or 0 where it would not pay. Local. */
double sdca_newton_sample_size(const sdca_objective *objective, const sdca_dataset *data);

/* Sample that share of all rows, by their numbers in the file, so that ranks have no say
 * in it: mine become lines->sample. Returns how many all are. Collective. */
double sdca_newton_sample_draw(MPI_Comm comm, const sdca_dataset *data, double fraction,
                               sdca_newton_linearization *lin);

#endif
