/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank_subset.h - run on some of the ranks while the others are idle.
 *
 * Idle ranks wait, and forward requests to stop to the first rank. */
#ifndef SDCA_CLI_TRAIN_RANK_SUBSET_H
#define SDCA_CLI_TRAIN_RANK_SUBSET_H

#include <mpi.h>
#include <stdbool.h>

#include "base/status.h"

/* The number of ranks on the node of the first one. Collective. */
int rank_subset_count_first_node(void);

/* A communicator of the first count of them, freed by the caller; MPI_COMM_NULL on the
 * other ranks. Collective. */
MPI_Comm rank_subset_split(int count);

/* Wait for the end of the first rank's work. Ranks without work call this at once.
 * Returns the same status on all ranks. Collective. */
sdca_status rank_subset_wait(sdca_status status);

/* Was this process or an idle one requested to stop? A callback of the trainer. Local. */
bool rank_subset_is_stop_requested(void *context);

#endif
