/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.h - how well a model predicts the labels of a data set. */
#ifndef SDCA_METRICS_H
#define SDCA_METRICS_H

#include <mpi.h>

#include "dataset.h"
#include "model.h"
#include "status.h"

/* Means over the rows, with their weights if the data set has any. */
typedef struct sdca_metrics {
    double error; /* fraction of wrong labels; for regression the same as rmse */
    double rmse;  /* root mean squared error of the predicted labels */
    double mae;   /* mean absolute error of the predicted labels */
} sdca_metrics;

#ifdef __cplusplus
extern "C" {
#endif

/* Measure a model on the labelled rows of all ranks. Collective. */
SDCA_API sdca_status sdca_model_evaluate(MPI_Comm comm, const sdca_model *model,
                                         const sdca_dataset *data, sdca_metrics *out);

#ifdef __cplusplus
}
#endif

#endif
