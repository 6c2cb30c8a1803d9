/* SPDX-License-Identifier: BSD-3-Clause
 *
 * narrate.h - a run of train in words: for people, and for programs. */
#ifndef SDCA_NARRATE_H
#define SDCA_NARRATE_H

#include "sdca/dataset.h"
#include "sdca/history.h"
#include "sdca/model.h"
#include "sdca/status.h"
#include "sdca/train.h"
#include "train_options.h"

/* A run as it is told. read is the seconds that reading took. */
typedef struct story {
    const train_options  *options;
    const sdca_dataset   *data;
    const sdca_objective *problem;
    const sdca_classes   *labels;
    int                   ranks;   /* that were started, ... */
    int                   working; /* ... and that have rows to work on */
    double                read;
} story;

/* The settings, once; to stderr. Local. */
void narrate_settings(const story *s);

/* One more of them: so many of the columns are empty. Local. */
void narrate_empty(int64_t empty, int32_t columns);

/* The heading of the table of rounds, and a line of it; to stderr. Local. */
void narrate_heading(const story *s);
void narrate_round(const story *s, const sdca_history_record *record);

/* A line between them: how far it has come since, and the seconds that are left by an
 * estimate, infinite where there is none; to stderr. Local. */
void narrate_moment(const sdca_progress *now, double left);

/* A checkpoint was written, or could not be; to stderr. Local. */
void narrate_saved(const story *s, sdca_status status, double seconds);

/* The last paragraph: what is certified; to stdout. Local. */
void narrate_result(const story *s, const sdca_train_result *result, sdca_status outcome);

/* How a run has ended, in one word for programs. Local; the result is static. */
const char *narrate_status(sdca_status outcome);

/* Where the time went. Local. */
sdca_model_seconds narrate_seconds(const story *s, const sdca_train_result *result);

/* The summary in JSON, whole or not at all. Local. */
sdca_status narrate_summary(const story *s, const sdca_iterate *iterate,
                            const sdca_train_result *result, sdca_status outcome,
                            const char *path);

#endif
