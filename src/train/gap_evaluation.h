/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gap_evaluation.h - evaluations and sampled estimates of the duality gap in a run. */
#ifndef SDCA_TRAIN_GAP_EVALUATION_H
#define SDCA_TRAIN_GAP_EVALUATION_H

#include "train/training_run.h"

/* Estimate the gap if that is due, and evaluate it if that is due then. Collective. */
sdca_status sdca_gap_evaluation_if_due(sdca_training_run *r);

/* Evaluate the present iterates of all models, keep those that are the best, call the
 * callback, and schedule the next evaluations. Collective. */
sdca_status sdca_gap_evaluation_perform(sdca_training_run *r);

/* Certify the present iterate by the method that made it, into m->last. Collective. */
sdca_status sdca_gap_evaluation_certify(sdca_model_run           *m,
                                        const sdca_active_solver *solver);

/* The test error of w; NaN without a test set. Collective. */
double sdca_gap_evaluation_test_error(const sdca_training_run *r, const double *w);

/* The part of m->last in a checkpoint. Local. */
void sdca_gap_evaluation_fields(sdca_model_run *m, sdca_field_io *io);

#endif
