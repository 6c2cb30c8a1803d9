/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_messages.h - a run of train in words: for people, and for programs. */
#ifndef SDCA_CLI_UI_TRAIN_MESSAGES_H
#define SDCA_CLI_UI_TRAIN_MESSAGES_H

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "data/dataset.h"
#include "model/history.h"
#include "model/model.h"
#include "train/trainer.h"

/* A run as it is told. read is the seconds that reading took. */
typedef struct run_description {
    const train_arguments *arguments;
    const sdca_dataset    *data;
    const sdca_objective  *problem;
    const sdca_classes    *labels;
    int                    ranks;         /* that were started, ... */
    int                    working_ranks; /* ... and that have rows to work on */
    double                 read_seconds;
} run_description;

/* The settings, once; to stderr. Local. */
void train_messages_settings(const run_description *run);

/* One more of them: so many of the columns are empty. Local. */
void train_messages_empty_columns(int64_t empty, int32_t columns);

/* The heading of the table of rounds, and a line of it; to stderr. Local. */
void train_messages_table_head(const run_description *run);
void train_messages_evaluation(const run_description     *run,
                               const sdca_history_record *record);

/* A line between them: how far it has come since, and the seconds that are left by an
 * estimate, infinite where there is none; to stderr. Local. */
void train_messages_progress(const sdca_progress *now, double seconds_left);

/* A checkpoint was written, or could not be; to stderr. Local. */
void train_messages_checkpoint(const run_description *run, sdca_status status,
                               double seconds);

/* The last paragraph: what is certified; to stdout. Local. */
void train_messages_result(const run_description *run, const sdca_train_result *result,
                           sdca_status outcome);

/* How a run has ended, in one word for programs. Local; the result is static. */
const char *train_messages_status_name(sdca_status outcome);

/* Where the time went. Local. */
sdca_model_seconds train_messages_seconds(const run_description   *run,
                                          const sdca_train_result *result);

/* The summary in JSON, whole or not at all. Local. */
sdca_status train_messages_write_summary(const run_description   *run,
                                         const sdca_iterate      *iterate,
                                         const sdca_train_result *result,
                                         sdca_status outcome, const char *path);

#endif
