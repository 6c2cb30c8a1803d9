/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_restart.h - checkpoints and signals of train: locking, the checkpoint to resume
 * from, and requests to stop. */
#ifndef SDCA_CLI_TRAIN_TRAIN_RESTART_H
#define SDCA_CLI_TRAIN_TRAIN_RESTART_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "io/checkpoint_files.h"

typedef struct train_restart {
    sdca_file_lock lock;        /* held by the first rank */
    sdca_path      path;        /* of the checkpoint, with links resolved */
    sdca_path      resume_from; /* the checkpoint to resume from, or "" */
} train_restart;

/* Lock the checkpoint, find the one to resume from, and remove unfinished files of
 * earlier runs. Checkpoints of a run that is not resumed are renamed; files that are not
 * checkpoints are rejected. The caller frees out with train_restart_end(). Collective. */
sdca_status train_restart_prepare(MPI_Comm comm, const train_arguments *arguments,
                                  train_restart *out);
void        train_restart_end(train_restart *restart);

/* Handle SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and SIGINT. Until train_restart_mark_running()
 * each of them ends this process: with the status of an interrupted run if it has
 * checkpoints, else by the signal. After that they request it to stop; a second SIGINT
 * ends it. Local. */
void train_restart_install_signals(bool checkpoints);
void train_restart_mark_running(void);
bool train_restart_is_stop_requested(void *context);

#endif
