/* SPDX-License-Identifier: BSD-3-Clause
 *
 * evaluate.h - when the gap is looked at, and what comes of it. */
#ifndef SDCA_EVALUATE_H
#define SDCA_EVALUATE_H

#include "run.h"

/* If it is time, guess from a sample of rows what an evaluation would find, and decide
 * whether there is one. The same on every rank. Collective. */
void sdca_evaluate_guess(sdca_run *r);

/* Is it time to look? The same on every rank. Local. */
bool sdca_evaluate_is_due(const sdca_run *r);

/* Tell who watches how far it has come since. Local. */
void sdca_evaluate_between(const sdca_run *r);

/* Certify the present iterate, remember it if it is the best, tell, and decide when to
 * look next. Collective. */
sdca_status sdca_evaluate(sdca_run *r);

/* Certify an iterate that is to be kept, into r->now: one of SDCA, whose w is rebuilt
 * from alpha, or one of Newton's method, whose w stays as it is. Collective. */
sdca_status sdca_evaluate_kept(sdca_run *r, sdca_iterate *iterate, bool is_newtons);

/* Collective. NaN without a test set. */
double sdca_evaluate_test(const sdca_run *r, const sdca_iterate *iterate);

#endif
