/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.h - how well a model predicts the labels of a data set. */
#ifndef SDCA_METRICS_H
#define SDCA_METRICS_H

#include <mpi.h>

#include "dataset.h"
#include "model.h"
#include "status.h"

/* Means over the rows, with their weights if the data set has any. What does not apply to
 * the task or the loss, or is not defined for these labels, is NaN. */
typedef struct sdca_metrics {
    /* Classification. Rows with a label that the model does not know count as wrong in
     * error and majority_error, and are left out of all others. */
    double error;           /* fraction of wrong labels */
    double majority_error;  /* the same if all rows were given the most frequent label */
    double balanced_error;  /* 1 - the mean of the recall of the classes with rows */
    double macro_precision; /* means over the classes that have rows or predictions */
    double macro_recall;
    double macro_f1;
    double f1;                /* two classes: that of the greater label; else macro_f1 */
    double auc;               /* area under the ROC curve; for more than two classes the
                                 mean of those of each class against the rest */
    double average_precision; /* two classes: that of the greater label; else the mean */
    double log_loss;          /* of the probabilities; logistic loss only */
    double brier;             /* two classes: mean of (p - [y is the greater label])^2;
                                 else of the sum of these squares over the classes */

    /* Regression; mean_ is that of the mean label in place of the predictions. */
    double rmse;
    double mean_rmse;
    double mae;
    double mean_mae;
    double r2; /* 1 - (rmse / mean_rmse)^2 */
} sdca_metrics;

#ifdef __cplusplus
extern "C" {
#endif

/* Measure a model on the labelled rows of all ranks. Takes memory for the scores of the
 * rows, and another 56 bytes per row. Collective. */
SDCA_API sdca_status sdca_model_evaluate(MPI_Comm comm, const sdca_model *model,
                                         const sdca_dataset *data, sdca_metrics *out);

#ifdef __cplusplus
}
#endif

#endif
