/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_job.h - a run of train: what its parts share, from the command line to the files.
 *
 * train.c has the order of the parts. */
#ifndef SDCA_CLI_TRAIN_TRAIN_JOB_H
#define SDCA_CLI_TRAIN_TRAIN_JOB_H

#include <mpi.h>

#include "cli/options/train_arguments.h"
#include "cli/train/train_path_files.h"
#include "cli/train/train_resume.h"
#include "cli/train/train_selection.h"
#include "cli/ui/live_progress.h"
#include "cli/ui/train_monitor.h"
#include "data/dataset.h"
#include "model/model.h"
#include "objective/iterate.h"
#include "train/class_training.h"

/* A run of the command and its resources. */
typedef struct train_job {
    MPI_Comm            comm;  /* of the ranks that work */
    double              start; /* of reading */
    train_arguments     arguments;
    sdca_solver         requested_solver; /* arguments have the one that is used */
    train_resume        checkpoints;
    live_progress       display;
    sdca_dataset       *data;
    sdca_dataset       *test; /* or NULL */
    sdca_objective      problem;
    sdca_model          model;
    sdca_iterate        state;
    option_advice_facts advice;   /* unless quiet */
    double             *source_w; /* space for weights of the source's columns, or NULL */
    sdca_train_result   result;
    run_description     run;
    train_path          path;           /* of several lambda */
    train_selection     selection;      /* of one of them */
    sdca_fold_training  folds;          /* of one lambda, to calibrate */
    sdca_dataset       *validation;     /* to choose or to calibrate by, or NULL */
    sdca_class_iterates class_iterates; /* of several classes and lambda */
    double              path_start;
    sdca_status         path_worst; /* of the finished fits of several lambda */
    bool                path_checkpoint_failed; /* the last one was not written */
    const sdca_train_callbacks *callbacks;      /* of the training */
    sdca_status                 last_outcome; /* of the fit of several that is written */
    train_monitor              *monitor;      /* during the training */
} train_job;

/* Test set and model must have the same columns as the data. Collective. */
sdca_status train_job_check_feature_names(const train_job *j);

/* Read the rows, divided among the ranks of j->comm, and make the objective. Collective.
 */
sdca_status train_job_read_rows(train_job *j);

/* Read another data set with the columns of the first; NULL: none. Collective. */
sdca_status train_job_read_other(train_job *j, const char *path, sdca_dataset **out);

/* Fail if the validation set, if there is one, cannot choose a model of these data: it
 * has more columns, or labels of others only. Collective. */
sdca_status train_job_check_validation(const train_job *j);

/* The method that should be fastest on this number of ranks, unless one is requested.
 * Local. */
sdca_solver train_job_resolve_solver(const train_job *j, int ranks);

/* Make the model with its settings and names of columns, and the initial iterate.
 * Collective. */
sdca_status train_job_prepare_model(train_job *j);

/* The model with the result of its training. It has the arrays of the run. Local. */
sdca_model train_job_complete_model(const train_job *j, sdca_status outcome);

/* The outcome of the model of -o: the outcome of a path is that of its worst fit. Local.
 */
sdca_status train_job_model_outcome(const train_job *j, sdca_status outcome);

/* Show folds while they are trained, on the rank that prints. Local. */
void train_job_watch_folds(train_job *j, sdca_fold_training *folds);

/* Train the models of several lambda. Collective. */
sdca_status train_job_run_path(train_job *j, const sdca_train_options *training,
                               const sdca_train_callbacks *callbacks);

/* Write the outputs and print the result of a run that did not fail. Collective. */
sdca_status train_job_finish(const train_job *j, sdca_status outcome,
                             const char *checkpoint_error);

#endif
