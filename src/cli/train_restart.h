/* SPDX-License-Identifier: BSD-3-Clause
 *
 * train_restart.h - what train does around checkpoints: who may write them, which one it
 * goes on from, and who may stop it. */
#ifndef SDCA_CLI_TRAIN_RESTART_H
#define SDCA_CLI_TRAIN_RESTART_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"
#include "cli/options/train_arguments.h"
#include "io/checkpoint_files.h"

typedef struct train_restart {
    sdca_file_lock lock;        /* the first rank's */
    sdca_path      path;        /* of the checkpoint, no link; only with one */
    sdca_path      resume_from; /* the checkpoint to go on from, or "" to begin */
} train_restart;

/* Lock the checkpoint, find the one to go on from, and remove what earlier runs have left
 * unfinished. Checkpoints of a run that does not go on are put aside; files that are not
 * checkpoints are refused. Collective. What out holds is the caller's, to be freed with
 * train_restart_end(). */
sdca_status train_restart_prepare(MPI_Comm comm, const train_arguments *arguments,
                                  train_restart *out);
void        train_restart_end(train_restart *restart);

/* Listen to SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and SIGINT. Until the run begins each of
 * them ends this process at once: as if interrupted, where the run is to have checkpoints
 * and thus loses nothing, and otherwise as the signal does by itself. From then on they
 * only ask it to stop; a second SIGINT ends it. Local. */
void train_restart_install_signals(bool checkpoints);
void train_restart_mark_running(void);
bool train_restart_is_stop_requested(void *context);

#endif
