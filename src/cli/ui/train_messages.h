/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages.h - what train prints about a run, and its JSON summary. */
#ifndef SDCA_CLI_UI_TRAIN_MESSAGES_H
#define SDCA_CLI_UI_TRAIN_MESSAGES_H

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "cli/train/train_path_files.h"
#include "data/dataset.h"
#include "model/history.h"
#include "model/model.h"
#include "objective/metrics.h"
#include "train/trainer.h"

/* What the messages are about. */
typedef struct run_description {
    const train_arguments        *arguments;
    const sdca_dataset           *data;
    const sdca_objective         *problem;
    const sdca_classes           *labels;
    const train_path             *path;          /* of several lambda, or NULL */
    const struct train_selection *selection;     /* of one of them, or NULL */
    const sdca_model             *model;         /* whose classes are trained */
    int                           ranks;         /* that were started */
    int                           working_ranks; /* that have rows */
    double                        read_seconds;  /* time to read the data */
    const sdca_dataset           *test;          /* or NULL ... */
    const sdca_metrics_result    *metrics;       /* ... at the end, or NULL */
    int64_t                       certain;       /* its proven labels; below 0: unknown */
    double                        w_norm;        /* |w| as the certificate has it */
} run_description;

/* Print the settings to stderr. Local. */
void train_messages_settings(const run_description *run);

/* Print the number of empty columns to stderr. Local. */
void train_messages_empty_columns(int64_t empty, int32_t columns);

/* Print the heading of the table of evaluations, or a row of it, to stderr; for several
 * classes it is that of class k. Local. */
void train_messages_table_head(const run_description *run);
void train_messages_evaluation(const run_description     *run,
                               const sdca_history_record *record, int k);

/* Print the lambda of fit k of a path to stderr, above its evaluations. Local. */
void train_messages_fit(const run_description *run, int k);

/* The relative gap of the result, for several classes the largest. Local. */
double train_messages_relative_gap(const run_description   *run,
                                   const sdca_train_result *result);

/* Print the progress between two evaluations to stderr. seconds_left is an estimate,
 * infinite if there is none. Local. */
void train_messages_progress(const sdca_progress *now, double seconds_left);

/* Report a checkpoint, or the failure to write it, on stderr. Local. */
void train_messages_checkpoint(const run_description *run, sdca_status status,
                               double seconds);

/* Print the result and its certificate to stdout. Local. */
void train_messages_result(const run_description *run, const sdca_train_result *result,
                           sdca_status outcome);

/* The result of a run as a word in JSON. The text is static. Local. */
const char *train_messages_status_name(sdca_status outcome);

/* Write the JSON summary atomically. The iterate is that of one model. Local. */
sdca_status train_messages_write_summary(const run_description   *run,
                                         const sdca_iterate      *iterate,
                                         const sdca_train_result *result,
                                         sdca_status outcome, const char *path);

#endif
