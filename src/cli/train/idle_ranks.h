/* SPDX-License-Identifier: BSD-3-Clause
 *
 * idle_ranks.h - run on some of the ranks while the others are idle.
 *
 * Idle ranks wait, and forward requests to stop to the first rank. */
#ifndef SDCA_CLI_TRAIN_IDLE_RANKS_H
#define SDCA_CLI_TRAIN_IDLE_RANKS_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"

/* The number of ranks on the node of the first one. Collective. */
int idle_ranks_count_first_node(void);

/* A communicator of the first count of them, freed by the caller; MPI_COMM_NULL on the
 * other ranks. Collective. */
MPI_Comm idle_ranks_split(int count);

/* Wait for the end of the first rank's work. Ranks without work call this at once.
 * Returns the same status on all ranks. Collective. */
sdca_status idle_ranks_wait(sdca_status status);

/* Was this process or an idle one requested to stop? A callback of the trainer. Local. */
bool idle_ranks_is_stop_requested(void *context);

#endif
