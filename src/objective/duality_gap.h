/* SPDX-License-Identifier: BSD-3-Clause
 *
 * duality_gap.h - the duality gap: an upper bound on the suboptimality of w. */
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

/* Evaluate P, D and the gap of a point over all rows, without a bound on rounding errors.
 * If gap_term is not NULL, it gets the gap term of each of my rows. Collective. Fails
 * with SDCA_DEFECT if a number is not finite, or negative beyond rounding. */
sdca_status sdca_duality_gap_measure(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     float *gap_term, sdca_certificate *out);

/* The same with a bound on the errors of its own arithmetic included in the gap, so that
 * P(w) - min P <= gap, and min P >= primal - gap, in exact arithmetic. w must be as
 * computed from alpha by sdca_point_recompute_w(). target is as below. Collective. */
sdca_status sdca_duality_gap_certify(MPI_Comm comm, const sdca_objective *objective,
                                     const sdca_dataset *data, sdca_point point,
                                     const sdca_target *target, float *gap_term,
                                     sdca_certificate *out);

/* The same two for several models side by side, in one pass: iterate, objective and out
 * have one element for each, models the bits of those to be evaluated, and gap_term is
 * rows x lanes. Collective. */
sdca_status sdca_duality_gap_measure_lanes(MPI_Comm comm, const sdca_objective *objective,
                                           const sdca_dataset *data,
                                           const sdca_iterate *iterate, unsigned models,
                                           float *gap_term, sdca_certificate *out);
sdca_status sdca_duality_gap_certify_lanes(MPI_Comm comm, const sdca_objective *objective,
                                           const sdca_dataset *data,
                                           const sdca_iterate *iterate, unsigned models,
                                           const sdca_target *target, float *gap_term,
                                           sdca_certificate *out);

/* Certify any w and alpha. dual_w has space for w(alpha). Collective. */
sdca_status sdca_duality_gap_certify_pair(MPI_Comm comm, const sdca_objective *objective,
                                          const sdca_dataset *data, sdca_point point,
                                          const sdca_target *target, double *dual_w,
                                          sdca_certificate *out);

/* The same for a w without an alpha: alpha_i becomes -phi_i'(w.x_i), which is feasible.
 * dual_w has space for w(alpha). Collective. */
sdca_status sdca_duality_gap_certify_primal(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            const sdca_target *target, double *dual_w,
                                            sdca_certificate *out);

/* The input of a bound on rounding errors. */
typedef struct sdca_duality_gap_means {
    double mean_loss;  /* the mean of phi_i(z_i) ... */
    double mean_term;  /* ... and of the rows' terms of the gap */
    double w_norm;     /* |w|, with the weight of an intercept */
    double w_distance; /* |w - w(alpha)| */
    double imbalance;  /* sdca_intercept_imbalance(), or 0 */
} sdca_duality_gap_means;

/* Add a bound on rounding errors to a certificate that was computed with this many
 * additions per sum, from margins by sdca_rows_dot(). Local. */
void sdca_duality_gap_add_rounding(const sdca_objective         *objective,
                                   const sdca_dataset           *data,
                                   const sdca_duality_gap_means *means, double additions,
                                   sdca_certificate *out);

/* Is that bound a large part of the gap, and the gap not far below the target, so that
 * another pass over the rows pays? Functions that certify make this pass by themselves.
 * Local. */
bool sdca_duality_gap_rounding_dominates(const sdca_certificate *certificate,
                                         const sdca_target      *target);

/* P and the gap, estimated from a sample of the rows. */
typedef struct sdca_duality_gap_estimate {
    double primal;
    double gap;
    double standard_error; /* of the gap: its standard deviation */
} sdca_duality_gap_estimate;

/* Estimate from a fraction of the rows, drawn from the stream in blocks of consecutive
 * rows, for the models of an iterate whose bits are set (1 for the only one). alpha is
 * that of the rows, and w is w(alpha). The same on every rank. Collective. */
void sdca_duality_gap_sample(MPI_Comm comm, const sdca_objective *objective,
                             const sdca_dataset *data, const sdca_iterate *iterate,
                             unsigned models, double fraction, sdca_random stream,
                             sdca_duality_gap_estimate *out);

/* gap / P, the relative gap; 0 where both are 0. Local. */
double sdca_duality_gap_relative(const sdca_certificate *certificate);

/* A bound on |w - w*| from the gap alone, P being strongly convex with lambda. Local. */
double sdca_duality_gap_distance_bound(double lambda, double gap);

#endif
