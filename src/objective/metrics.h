/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metrics.h - how well scores predict labels, over the rows of all ranks.
 *
 * The results do not depend on the number of ranks, but for rounding. */
#ifndef SDCA_OBJECTIVE_METRICS_H
#define SDCA_OBJECTIVE_METRICS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "data/dataset.h"
#include "objective/calibration.h"
#include "objective/ranking.h"
#include "objective/scorer.h"
#include "sdca/metrics.h"

/* Scores and labels of any rows, each rank giving its own. */
typedef struct sdca_metrics_input {
    int  classes;    /* 0: regression */
    bool log_odds;   /* scores are log-odds: there are log-loss and Brier score */
    bool no_ranking; /* do not compute AUC and average precision */
    const sdca_sigmoid *sigmoid;   /* by score: they make log-odds of scores; or NULL */
    double              threshold; /* of two classes, the second is predicted above it */
    int64_t             rows;      /* of this rank */
    const double *score; /* one per row; for more than two classes, one per row and class,
                            those of a row together */
    const double *label; /* the index of the class, -1 if it is none of them; of
                            regression the label itself */
    const double *weight; /* NULL: all 1, on all ranks that have rows */
} sdca_metrics_input;

typedef struct sdca_class_metrics {
    double support;   /* weight of the rows of the class */
    double predicted; /* weight of the rows that are predicted to be of the class */
    double precision; /* 0 if there is no such row */
    double recall;    /* 0 without rows */
    double f1;        /* 0 without right predictions */
    double auc;       /* against the rest; NaN without rows on one side */
    double average_precision; /* NaN without rows */
} sdca_class_metrics;

/* Rows whose probability of the second of two classes lies in [k, k + 1) / bins. */
enum { SDCA_CALIBRATION_BINS = 10 };
typedef struct sdca_calibration_bin {
    double weight;      /* of these rows; if it is 0, so are the others */
    double probability; /* their mean probability ... */
    double positive;    /* ... and the fraction that is of the second class */
} sdca_calibration_bin;

typedef struct sdca_metrics_result {
    sdca_metrics        total;
    int                 classes;
    double              weight;    /* of all rows */
    double              unknown;   /* weight of the rows whose label is no class */
    sdca_class_metrics *by_class;  /* NULL for regression */
    double             *confusion; /* weights: [label * classes + prediction] */

    /* With two classes, for plots: ROC and precision-recall curve of the second one,
     * and with probabilities their calibration. */
    sdca_curve           curve;
    bool                 has_calibration;
    sdca_calibration_bin calibration[SDCA_CALIBRATION_BINS];
} sdca_metrics_result;

/* Compute all metrics of the task. Takes 48 bytes per row on average, and 8 per pair of
 * classes. Collective. The caller frees out with sdca_metrics_result_free(). */
sdca_status sdca_metrics_compute(MPI_Comm comm, const sdca_metrics_input *input,
                                 sdca_metrics_result *out);
void        sdca_metrics_result_free(sdca_metrics_result *result);

/* The rows of known labels as groups of class k against the rest, for each of which
 * group has room; returns their number. With two classes, the first has the negative
 * score. Local. */
int64_t sdca_metrics_make_groups(const sdca_metrics_input *input, int k,
                                 sdca_score_group *group);

/* Compute all metrics for the scores of the labelled rows of a data set, whose y are
 * values of these classes; the rest is as in sdca_metrics_input. Takes another 8 bytes
 * per row and score. Collective. */
sdca_status sdca_metrics_measure(MPI_Comm comm, const sdca_dataset *data,
                                 const sdca_classes *labels, const sdca_scorer *scorer,
                                 bool log_odds, const sdca_sigmoid *sigmoid,
                                 double threshold, sdca_metrics_result *out);

/* The error only, or the RMSE of a regression, without memory. The first is for one model
 * with scores w.x + bias. Collective. */
double sdca_metrics_test_error(MPI_Comm comm, const sdca_dataset *data,
                               const sdca_classes *labels, const double *w, double bias);
double sdca_metrics_test_error_of_scores(MPI_Comm comm, const sdca_dataset *data,
                                         const sdca_classes *labels,
                                         const sdca_scorer  *scorer);

/* Metrics by name: identifier, name, its field in sdca_metrics, whether larger is better,
 * whether it is for regression. */
#define SDCA_METRIC_LIST(X)                                           \
    X(ERROR, "error", error, false, false)                            \
    X(BALANCED_ERROR, "balanced-error", balanced_error, false, false) \
    X(AUC, "auc", auc, true, false)                                   \
    X(LOG_LOSS, "log-loss", log_loss, false, false)                   \
    X(F1, "f1", f1, true, false)                                      \
    X(RMSE, "rmse", rmse, false, true)                                \
    X(MAE, "mae", mae, false, true)                                   \
    X(R2, "r2", r2, true, true)

#define SDCA_METRIC_ENUM(id, name, field, larger, regression) SDCA_METRIC_##id,
typedef enum sdca_metric { SDCA_METRIC_LIST(SDCA_METRIC_ENUM) SDCA_METRICS } sdca_metric;
#undef SDCA_METRIC_ENUM

/* The metric of a name; SDCA_METRICS if there is none. Local. */
sdca_metric sdca_metric_find(const char *name);

/* Local; the text is static. */
const char *sdca_metric_name(sdca_metric metric);
bool        sdca_metric_larger_is_better(sdca_metric metric);
bool        sdca_metric_is_for_regression(sdca_metric metric);
double      sdca_metric_value(const sdca_metrics *metrics, sdca_metric metric);

#endif
