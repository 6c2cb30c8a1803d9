/* SPDX-License-Identifier: BSD-3-Clause
 *
 * calibration.h - probabilities from scores: a sigmoid for each model, fitted to scores
 * of rows that the model was not trained on (J. Platt, Probabilistic outputs for support
 * vector machines, 1999). */
#ifndef SDCA_OBJECTIVE_CALIBRATION_H
#define SDCA_OBJECTIVE_CALIBRATION_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct sdca_metrics_input;

/* The probability of a score z is 1 / (1 + exp(-(slope z + offset))). */
typedef struct sdca_sigmoid {
    double slope;
    double offset;
} sdca_sigmoid;

/* The sigmoids of a model. { 0 } is none. */
typedef struct sdca_calibration {
    int           models;  /* scores of a row */
    sdca_sigmoid *sigmoid; /* one for each; NULL: none */
    int           folds;   /* whose held-out rows were used; 0: a validation set */
    int64_t       rows;    /* their number, of those with a known label */
} sdca_calibration;

/* The logarithm of the odds for a score of model k; without sigmoids, which are then
 * NULL, it is the score itself. Local. */
static inline double sdca_calibration_log_odds(const sdca_sigmoid *sigmoid, int k,
                                               double z)
{
    return sigmoid != NULL ? sigmoid[k].slope * z + sigmoid[k].offset : z;
}

/* Fit a sigmoid for each score of a row: of two classes for the second, of more for
 * each class against the rest. Minimises the cross-entropy with Platt's targets,
 * weighted as the rows are, by Newton's method with backtracking (H.-T. Lin, C.-J. Lin,
 * R. C. Weng, A note on Platt's probabilistic outputs for support vector machines,
 * 2007). Only rows with a known label and a weight count; name is that of their file in
 * messages. Collective. Fails with SDCA_DATA if there are not two classes with rows.
 * The caller frees out with sdca_calibration_free(). */
sdca_status sdca_calibration_fit(MPI_Comm comm, const struct sdca_metrics_input *held_out,
                                 const char *name, sdca_calibration *out);
void        sdca_calibration_free(sdca_calibration *calibration);

#endif
