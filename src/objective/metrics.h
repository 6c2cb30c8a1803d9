/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.h - how well w predicts the labels of a data set. */
#ifndef SDCA_OBJECTIVE_METRICS_H
#define SDCA_OBJECTIVE_METRICS_H

#include <mpi.h>

#include "data/dataset.h"
#include "objective/scorer.h"
#include "sdca/metrics.h"

/* Compute the metrics over the rows of all ranks, for scores w.x + bias, as means with
 * the weights of the rows. data has the original labels, and the columns of w.
 * Collective. */
sdca_metrics sdca_metrics_measure(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *labels, const double *w,
                                  double bias);

/* The same for the scores of one model, or of several classes. Collective. */
sdca_metrics sdca_metrics_measure_scores(MPI_Comm comm, const sdca_dataset *data,
                                         const sdca_classes *labels,
                                         const sdca_scorer  *scorer);

#endif
