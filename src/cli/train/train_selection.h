/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_selection.h - train with several lambda of which one is chosen, by folds or by a
 * validation set. */
#ifndef SDCA_CLI_TRAIN_TRAIN_SELECTION_H
#define SDCA_CLI_TRAIN_TRAIN_SELECTION_H

#include <mpi.h>
#include <stdio.h>

#include "cli/options/train_arguments.h"
#include "cli/train/kept_fit.h"
#include "model/selection.h"
#include "objective/iterate.h"
#include "objective/metrics.h"
#include "train/fold_training.h"
#include "train/validation_bound.h"

/* { 0 } is none. */
typedef struct train_selection {
    MPI_Comm               comm;
    const train_arguments *arguments;
    sdca_dataset          *data;
    sdca_dataset          *validation; /* or NULL: folds. Borrowed */
    sdca_metric            metric;
    sdca_selection         table;
    sdca_fold_training     folds;
    kept_fit *kept; /* by fit, on the rank that writes; empty: it cannot be chosen */
    sdca_calibration *calibration; /* by fit, on request; or NULL */
    sdca_status       worst;       /* of the fits of folds */
    bool              stopped;
    bool              bounds; /* what the fits say about all other lambda is known ... */
    sdca_validation_bound bound;      /* ... from this */
    bool                  w_of_alpha; /* of the fits */
} train_selection;

/* Prepare the choice: divide the rows into folds, or take the validation set. classes is
 * the number of parts of a model. Collective. What out holds is freed by
 * train_selection_free(), which is Collective too. */
sdca_status train_selection_create(MPI_Comm comm, const train_arguments *arguments,
                                   sdca_dataset *data, sdca_dataset *validation,
                                   int classes, train_selection *out);
void        train_selection_free(train_selection *selection);

/* The model of all rows is trained for the lambda of its objective: train the models of
 * the folds, with the seconds of options that are left, and measure. Collective. */
sdca_status train_selection_test(train_selection *selection, const sdca_model *model,
                                 const sdca_train_options   *options,
                                 const sdca_train_callbacks *callbacks);

/* Keep the model of the last fit if it may be chosen: takes over its arrays. Local. */
sdca_status train_selection_keep(train_selection *selection, sdca_status outcome,
                                 const sdca_iterate *iterate, sdca_model *model,
                                 sdca_train_result *result);

/* Make the chosen fit that of iterate, model and result. Local. Returns its outcome. */
sdca_status train_selection_restore(train_selection *selection, sdca_iterate *iterate,
                                    sdca_model *model, sdca_train_result *result);

/* A bound on the error of all lambda of the range, where it is derived: several
 * classes, fits with w = w(alpha). Allocate space for it; add the scores of the rows
 * that the last fit is tested on; set the bound of the table. Collective. */
sdca_status train_selection_create_bound(train_selection *selection);
sdca_status train_selection_add_bound(train_selection *selection, const sdca_model *model,
                                      const double *score);
sdca_status train_selection_finish_bound(train_selection *selection);

/* Write the folds of all rows to the file of --fold-file, unless it is NULL: from 1 on,
 * one per line in the order of the data; 0 for a row of weight 0. Collective. */
sdca_status train_selection_write_folds(MPI_Comm comm, const sdca_dataset *data,
                                        const char *path);

/* Print the result of the last fit as one line. Local. */
void train_selection_print_test(const train_selection *selection, FILE *file);

/* Print the choice to stdout, or as a part of the JSON summary. Local. */
void train_selection_print(const train_selection *selection);
void train_selection_write_json(const train_selection *selection, FILE *file);

#endif
