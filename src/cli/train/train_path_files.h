/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_path_files.h - train with several lambda: the files of --path, and a record of
 * each fit. */
#ifndef SDCA_CLI_TRAIN_TRAIN_PATH_FILES_H
#define SDCA_CLI_TRAIN_TRAIN_PATH_FILES_H

#include <stdio.h>

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "io/atomic_file.h"
#include "model/model.h"
#include "sdca/train.h"

/* What the summary and the table at the end say about a fit. */
typedef struct path_fit {
    double           lambda;
    double           C;
    sdca_certificate certificate; /* of several classes the sums */
    double           relative_gap;
    double           epochs; /* of several classes the sums, as of rounds */
    double           rounds;
    double           seconds;
    double           test_error; /* or NaN */
    sdca_status      outcome;
} path_fit;

/* The fits that have been made. { 0 } is none. */
typedef struct train_path {
    int       count;
    int       finished; /* where runs are saved: with their folds, and saved */
    path_fit *fit;
    double    seconds;        /* of the whole run, with writing the models */
    FILE     *history_stream; /* to the rows of --history in memory */
    char     *history;
    size_t    history_size;
} train_path;

/* Allocate the fits of a command line. out is { 0 }, and may not be copied as long as
 * its stream is open. Local. The caller frees out with train_path_free(). */
sdca_status train_path_create(const train_arguments *arguments, train_path *out);
void        train_path_free(train_path *path);

/* The file of fit k below the directory of --path: its number and its lambda. Local. */
sdca_path train_path_file(const train_arguments *arguments, int k);

/* Fail if the directory or its files cannot be made, or if it has models of another path,
 * which would mix with those of this one. Local. */
sdca_status train_path_check(const train_arguments *arguments);

/* A fit was made: keep its record and history, and write its model, if there is --path.
 * Called by the rank that writes, like the next function. Local. */
sdca_status train_path_add(train_path *path, const train_arguments *arguments,
                           const sdca_model *model, const path_fit *fit);

/* Write the histories of all fits, one after the other, as CSV: one more column has the
 * lambda. several: there is a column for the class too. Local. */
sdca_status train_path_write_history(const train_path *path, bool several,
                                     const char *name);

#endif
