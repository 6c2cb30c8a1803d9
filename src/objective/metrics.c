/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.c - how well w predicts the labels of a data set. */
#include "objective/metrics.h"

#include <math.h>

#include "mpi/comm.h"

sdca_metrics sdca_metrics_measure_scores(MPI_Comm comm, const sdca_dataset *data,
                                         const sdca_classes *labels,
                                         const sdca_scorer  *scorer)
{
    enum { WRONG, SQUARES, ABSOLUTES, SUMS };
    double       sum[SUMS] = { 0.0 };
    double       n         = data->total_weight;
    sdca_metrics metric;

    for (uint32_t i = 0; i < data->x.count; i++) {
        const double *score     = sdca_scorer_row(scorer, &data->x, i);
        double        predicted = sdca_scorer_predict(labels, scorer->models, score);
        double        residual  = predicted - data->x.row[i].y;
        double        weight    = sdca_dataset_weight(data, i);

        sum[WRONG] += residual != 0.0 ? weight : 0.0;
        sum[SQUARES] += weight * residual * residual;
        sum[ABSOLUTES] += weight * fabs(residual);
    }
    sdca_comm_allreduce_sum(comm, sum, SUMS);
    metric.rmse  = sqrt(sum[SQUARES] / n);
    metric.mae   = sum[ABSOLUTES] / n;
    metric.error = labels->count > 0 ? sum[WRONG] / n : metric.rmse;
    return metric;
}

sdca_metrics sdca_metrics_measure(MPI_Comm comm, const sdca_dataset *data,
                                  const sdca_classes *labels, const double *w,
                                  double bias)
{
    double      score;
    sdca_scorer scorer = { .models  = 1,
                           .columns = data->columns,
                           .w       = (double *)w, /* not changed */
                           .bias    = &bias,
                           .score   = &score };

    return sdca_metrics_measure_scores(comm, data, labels, &scorer);
}
