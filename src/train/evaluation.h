/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluation.h - when the gap is looked at, and what comes of it. */
#ifndef SDCA_TRAIN_EVALUATION_H
#define SDCA_TRAIN_EVALUATION_H

#include "train/training_run.h"

/* If it is time, guess from a sample of rows what an evaluation would find, and decide
 * whether there is one. The same on every rank. Collective. */
void sdca_evaluation_estimate_if_due(sdca_training_run *r);

/* Is it time to look? The same on every rank. Local. */
bool sdca_evaluation_due(const sdca_training_run *r);

/* Tell who watches how far it has come since. Local. */
void sdca_evaluation_report_progress(const sdca_training_run *r);

/* Certify the present iterate, remember it if it is the best, tell, and decide when to
 * look next. Collective. */
sdca_status sdca_evaluation_perform(sdca_training_run *r);

/* Certify an iterate that is to be kept, into r->now: one of SDCA, whose w is rebuilt
 * from alpha, or one of Newton's method, whose w stays as it is. Collective. */
sdca_status sdca_evaluation_certify_output(sdca_training_run *r, sdca_point point,
                                           bool from_newton);

/* Collective. NaN without a test set. */
double sdca_evaluation_test_error(const sdca_training_run *r, const double *w);

#endif
