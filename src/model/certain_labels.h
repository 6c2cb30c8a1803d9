/* SPDX-License-Identifier: BSD-3-Clause
 *
 * certain_labels.h - predictions that are proven to be those of the exact optimum.
 *
 * The optimum w* is within the certified distance r of w, so that a score w.x is within
 * r |x| of that of the optimum. docs/certificates.md derives what follows. */
#ifndef SDCA_MODEL_CERTAIN_LABELS_H
#define SDCA_MODEL_CERTAIN_LABELS_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/model.h"

typedef struct sdca_certain_labels {
    int     models;    /* scores of a row */
    double  threshold; /* of two classes, the second is predicted above it */
    double  bias2;     /* the square of the constant column, which has a penalty */
    double *radius;    /* by score: what it may change per unit of |x|; NULL: not known */
    double *below; /* by score: how far the intercept of the optimum may be below ... */
    double *above; /* ... or above that of the model; 0 without one */
    const sdca_sigmoid *sigmoid; /* of a calibrated model, or NULL; borrowed */
} sdca_certain_labels;

/* Is the certified distance that of the model's weights? Not for a certificate of other
 * weights, and not with standardised columns. An intercept is no part of them. Local. */
bool sdca_model_distance_holds(const sdca_model *model);

/* What the certificate of a model says about its predictions; radius stays NULL where
 * it says nothing: for regression, and where the distance does not hold. Local. The
 * caller frees out with sdca_certain_labels_free(). */
sdca_status sdca_certain_labels_create(const sdca_model *model, double threshold,
                                       sdca_certain_labels *out);
void        sdca_certain_labels_free(sdca_certain_labels *certain);

/* Allocate space for radius, below and above, one number of each for each score, one
 * array after the other. Local. */
sdca_status sdca_certain_labels_make_room(sdca_certain_labels *certain);

/* |x| with the constant column, given |x|^2 without. Local. */
double sdca_certain_labels_norm(const sdca_certain_labels *certain, double norm2);

/* Is the label of these scores proven to be that of the optimum, for a row of this norm?
 * Local. */
bool sdca_certain_labels_is_certain(const sdca_certain_labels *certain,
                                    const double *score, double norm);

/* An interval for the probability of class k of the optimum: for log-odds as scores, or
 * what the sigmoids of a calibrated model make of the scores of the optimum. Local. */
typedef struct sdca_probability_interval {
    double low, high;
} sdca_probability_interval;
sdca_probability_interval sdca_certain_labels_probability(
    const sdca_certain_labels *certain, const double *score, double norm, int k);

/* The number of rows with a proven label. Collective. */
int64_t sdca_certain_labels_count(MPI_Comm comm, const sdca_certain_labels *certain,
                                  const sdca_scorer *scorer, const sdca_dataset *data);

#endif
