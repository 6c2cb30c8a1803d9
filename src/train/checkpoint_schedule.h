/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_schedule.h - when a checkpoint is written. */
#ifndef SDCA_TRAIN_CHECKPOINT_SCHEDULE_H
#define SDCA_TRAIN_CHECKPOINT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "train/train_options.h"

typedef struct sdca_checkpoint_schedule {
    const sdca_checkpoint_options *options;
    int64_t                        round; /* of the last checkpoint, or of the start */
    double elapsed;                       /* seconds on the clock after it was written */
    double interval;  /* seconds between two, adapted to their cost; 0: none */
    bool   converged; /* recorded in the last checkpoint */
    bool   failed;    /* the last checkpoint could not be written */
} sdca_checkpoint_schedule;

/* The schedule of a run that begins. The options are kept. Local. */
sdca_checkpoint_schedule sdca_checkpoint_schedule_start(
    const sdca_checkpoint_options *options);

/* Is it time for a checkpoint, by rounds or by the clock? Local. */
bool sdca_checkpoint_schedule_is_due(const sdca_checkpoint_schedule *schedule,
                                     int64_t round, double elapsed);

/* Does the last checkpoint still describe the run? Local. */
bool sdca_checkpoint_schedule_is_current(const sdca_checkpoint_schedule *schedule,
                                         int64_t round, bool converged);

/* Writing a checkpoint has ended, after this many seconds. Local. */
void sdca_checkpoint_schedule_after_write(sdca_checkpoint_schedule *schedule,
                                          int64_t round, double elapsed, double cost,
                                          bool converged, bool failed);

#endif
