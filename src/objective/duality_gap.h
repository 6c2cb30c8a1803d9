/* SPDX-License-Identifier: BSD-3-Clause
 *
 * duality_gap.h - the duality gap: how far from the optimum w can be at most. */
#ifndef SDCA_OBJECTIVE_DUALITY_GAP_H
#define SDCA_OBJECTIVE_DUALITY_GAP_H

#include <mpi.h>
#include <stdbool.h>

#include "base/random.h"
#include "base/status.h"
#include "data/dataset.h"
#include "objective/iterate.h"
#include "objective/objective.h"
#include "sdca/certificate.h"

/* The gap that training is to reach: P - D <= gap, or (P - D) / P <= rel_gap if gap is
 * 0. */
typedef struct sdca_target {
    double gap;
    double rel_gap;
} sdca_target;

/* Does a certificate meet the target? Local. */
bool sdca_target_is_met(const sdca_target *target, const sdca_certificate *certificate);

/* The gap of the target, for this P. Local. */
double sdca_target_gap(const sdca_target *target, double primal);

/* Evaluate P, D and the gap of a state afresh, over all rows, without a bound on rounding
 * errors. term, if it is not NULL, gets each of my rows' term of the gap. Collective.
 * Fails with SDCA_DEFECT if a number is not finite, or negative beyond rounding. */
sdca_status sdca_duality_gap_measure(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     float *gap_term, sdca_certificate *out);

/* The same as a proof: the gap includes a bound on the errors of its own arithmetic, so
 * that P(w) - min P <= gap, and min P >= primal - gap, in exact arithmetic. w must be
 * what sdca_iterate_recompute_w() makes of alpha; wanted is as below. Collective. */
sdca_status sdca_duality_gap_certify(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     double target_gap, float *gap_term,
                                     sdca_certificate *out);

/* The same for w and alpha that need not belong together. dual_w has room for w(alpha).
 * Collective. */
sdca_status sdca_duality_gap_certify_pair(MPI_Comm comm, const sdca_objective *objective,
                                          const sdca_dataset *data, sdca_point point,
                                          double target_gap, double *dual_w,
                                          sdca_certificate *out);

/* The same for a w that comes from elsewhere: alpha_i becomes -phi_i'(w.x_i), which is
 * feasible. dual_w has room for w(alpha). Collective. */
sdca_status sdca_duality_gap_certify_primal(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            double target_gap, double *dual_w,
                                            sdca_certificate *out);

/* What a bound on rounding errors needs to know of a certificate. */
typedef struct sdca_duality_gap_means {
    double mean_loss;  /* the mean of phi_i(z_i) ... */
    double mean_term;  /* ... and of the rows' terms of the gap */
    double w_norm;     /* |w| */
    double w_distance; /* |w - w(alpha)| */
} sdca_duality_gap_means;

/* Add a bound on rounding errors to a certificate that was computed in so many additions,
 * rows before the others, from margins as of sdca_rows_dot(). Local. */
void sdca_duality_gap_add_rounding(const sdca_objective         *objective,
                                   const sdca_dataset           *data,
                                   const sdca_duality_gap_means *means, double additions,
                                   sdca_certificate *out);

/* Is that bound so large a part of the gap that another pass over the rows is worth
 * while, as the gap is not far below the wanted one either? Functions that certify make
 * this pass by themselves. Local. */
bool sdca_duality_gap_rounding_dominates(const sdca_certificate *certificate,
                                         double                  target_gap);

/* P and the gap as some of the rows tell them. */
typedef struct sdca_duality_gap_estimate {
    double primal;
    double gap;
    double standard_error; /* of the gap: its standard deviation */
} sdca_duality_gap_estimate;

/* Guess from a share of the rows, drawn from the stream, a few neighbours at a time;
 * alpha is that of the rows, and w is w(alpha). The same on every rank. Collective. */
sdca_duality_gap_estimate sdca_duality_gap_sample(MPI_Comm              comm,
                                                  const sdca_objective *objective,
                                                  const sdca_dataset   *data,
                                                  const sdca_iterate   *iterate,
                                                  double fraction, sdca_random stream);

/* gap / P, the relative gap; 0 where both are 0. Local. */
double sdca_duality_gap_relative(const sdca_certificate *certificate);

/* |w - w*| where nothing is known but the gap, P being strongly convex with lambda.
 * Local. */
double sdca_duality_gap_distance_bound(double lambda, double gap);

#endif
