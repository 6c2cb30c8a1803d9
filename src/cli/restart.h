/* SPDX-License-Identifier: BSD-3-Clause
 *
 * restart.h - what train does around checkpoints: who may write them, which one it goes
 * on from, and who may stop it. */
#ifndef SDCA_RESTART_H
#define SDCA_RESTART_H

#include <mpi.h>
#include <stdbool.h>

#include "sdca/output.h"
#include "sdca/status.h"
#include "train_options.h"

typedef struct restart {
    sdca_lock lock; /* the first rank's */
    sdca_name from; /* the checkpoint to go on from, or "" to begin */
} restart;

/* Lock the checkpoint, remove what an earlier run has left unfinished, and find the one
 * to go on from. Without --resume, one that is there is put aside, not overwritten.
 * Collective. What out holds is the caller's, to be freed with restart_end(). */
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
