/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_start_sample.h - the sample of rows on which Newton's method begins. */
#ifndef SDCA_SOLVER_NEWTON_NEWTON_START_SAMPLE_H
#define SDCA_SOLVER_NEWTON_NEWTON_START_SAMPLE_H

#include <mpi.h>

#include "solver/newton/newton_linearization.h"

/* The number of rows of a sample, or 0 if it would not pay. Local. */
double sdca_newton_sample_size(const sdca_objective *objective, const sdca_dataset *data);

/* Sample this fraction of all rows by their numbers in the file, independent of the
 * number of ranks. Sets lin->sample to this rank's; rows and total_weight are those of
 * all ranks. Collective. */
void sdca_newton_sample_draw(MPI_Comm comm, const sdca_dataset *data, double fraction,
                             sdca_newton_linearization *lin, double *rows,
                             double *total_weight);

#endif
