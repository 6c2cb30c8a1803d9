/* SPDX-License-Identifier: BSD-3-Clause
 *
 * kept_fit.h - a model of all rows that may become that of a run with several lambda. */
#ifndef SDCA_CLI_TRAIN_KEPT_FIT_H
#define SDCA_CLI_TRAIN_KEPT_FIT_H

#include "model/field_io.h"
#include "model/model.h"
#include "objective/objective.h"
#include "sdca/train.h"

/* { 0 } is none. */
typedef struct kept_fit {
    sdca_objective    objective;
    sdca_train_result result;
    sdca_status       outcome;
    double           *w;        /* of one model: a copy ... */
    int64_t           steps;    /* ... with its steps ... */
    int64_t           round;    /* ... and rounds */
    double           *class_w;  /* of several classes: the model's ... */
    sdca_class_model *by_class; /* ... arrays */
} kept_fit;

/* Free what a fit of this many classes holds. Local. */
void kept_fit_drop(kept_fit *fit, int classes);

/* The fields of a fit in a checkpoint, of a model of this many parts. weights is the
 * number of all its weights. Local. */
void kept_fit_fields(kept_fit *fit, int parts, int64_t weights, sdca_field_io *io);

/* The fields of the sigmoids of fit k for this many models. Local. */
void kept_fit_calibration_fields(sdca_calibration *calibration, int k, int parts,
                                 sdca_field_io *io);

#endif
