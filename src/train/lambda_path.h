/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lambda_path.h - models for several lambda in one run, the largest lambda first.
 *
 * Each fit starts from the alpha of the one before it, which is feasible for every
 * lambda. Under SDCA w(alpha) is proportional to 1/lambda; Newton's method keeps w. Each
 * fit is certified like a run of its own. */
#ifndef SDCA_TRAIN_LAMBDA_PATH_H
#define SDCA_TRAIN_LAMBDA_PATH_H

#include <mpi.h>

#include "base/status.h"
#include "data/dataset.h"
#include "model/model.h"
#include "objective/iterate.h"
#include "train/class_training.h"
#include "train/train_options.h"

/* The fits, and what the caller does before and after each of them. */
typedef struct sdca_lambda_path {
    int           count;
    const double *lambda; /* largest first */
    void         *context;

    /* A run that is resumed begins with the first fit that is missing: these and iterate
     * are those of the fit before. */
    int                  first;
    sdca_class_iterates *classes; /* of several classes, { 0 } at the start of a path */
    sdca_status          worst;   /* outcome so far */

    /* Fit k begins: the model has its objective. Local. */
    void (*on_fit)(void *context, int k);

    /* The fit has ended with this outcome, SDCA_OK or SDCA_BUDGET; result and, for
     * several classes, the model are those of this fit until the next one begins.
     * Collective. */
    sdca_status (*on_fitted)(void *context, sdca_status outcome);

    /* This many fits are finished, with this worst outcome: save them. NULL: runs are not
     * saved. Else a fit during which a request or the end of time came is given up, as it
     * may have other bits than one that was not disturbed. Collective. */
    void (*save)(void *context, int fits, sdca_status worst);

    /* Was the path stopped in on_fitted()? NULL: never. The same on every rank. Local. */
    bool (*is_over)(void *context);
} sdca_lambda_path;

/* Train the models of a path. objective is that of any lambda, and becomes that of each
 * fit; options have a solver that is not AUTO, the model has its labels, and iterate is
 * the start, of several classes not used.
 * Budgets of epochs and rounds are for each fit, that of seconds is for all. A request to
 * stop and the end of time end the path after the fit under way. Collective. Returns the
 * worst outcome, SDCA_BUDGET also if fits are missing; where runs are saved,
 * SDCA_INTERRUPTED then. */
sdca_status sdca_lambda_path_run(const sdca_train_setup *setup,
                                 const sdca_lambda_path *path, sdca_objective *objective,
                                 sdca_model *model, sdca_iterate *iterate,
                                 sdca_train_result *result);

#endif
