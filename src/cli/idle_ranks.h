/* SPDX-License-Identifier: BSD-3-Clause
 *
 * idle_ranks.h - where some ranks work, and the others wait for them.
 *
 * Ranks that wait sleep, and pass it on if they are asked to stop. */
#ifndef SDCA_CLI_IDLE_RANKS_H
#define SDCA_CLI_IDLE_RANKS_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"

/* How many ranks share a node with the first one, itself included. Collective. */
int idle_ranks_count_first_node(void);

/* The first so many of them, on these ranks, to be freed; MPI_COMM_NULL on the others.
 * Collective. */
MPI_Comm idle_ranks_split(int count);

/* The end of the first rank's work, with its status; all other ranks have been waiting
 * since they called this, and get the same. Collective. */
sdca_status idle_ranks_wait(sdca_status status);

/* Is this process asked to stop, or one that waits for it? For a watcher. Local. */
bool idle_ranks_is_stop_requested(void *context);

#endif
