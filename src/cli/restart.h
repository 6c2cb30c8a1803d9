/* SPDX-License-Identifier: BSD-3-Clause
 *
 * restart.h - what train does around checkpoints: who may write them, which one it goes
 * on from, and who may stop it. */
#ifndef SDCA_RESTART_H
#define SDCA_RESTART_H

#include <mpi.h>
#include <stdbool.h>

#include "sdca/checkpoint.h"
#include "sdca/status.h"
#include "train_options.h"

typedef struct restart {
    sdca_file_lock lock; /* the first rank's */
    sdca_path      path; /* of the checkpoint, no link; only with one */
    sdca_path      from; /* the checkpoint to go on from, or "" to begin */
} restart;

/* Lock the checkpoint, find the one to go on from, and remove what earlier runs have left
 * unfinished. Checkpoints of a run that does not go on are put aside; files that are not
 * checkpoints are refused. Collective. What out holds is the caller's, to be freed with
 * restart_end(). */
sdca_status restart_prepare(MPI_Comm comm, const train_options *options, restart *out);
void        restart_end(restart *me);

/* Listen to SIGUSR1, SIGUSR2, SIGTERM, SIGHUP and SIGINT. Until the run begins each of
 * them ends this process at once: as if interrupted, where the run is to have checkpoints
 * and thus loses nothing, and otherwise as the signal does by itself. From then on they
 * only ask it to stop; a second SIGINT ends it. Local. */
void restart_listen(bool checkpoints);
void restart_begin(void);
bool restart_is_asked_to_stop(void *context);

#endif
