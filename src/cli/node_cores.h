/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_cores.h - how crowded the nodes are on which ranks run. */
#ifndef SDCA_CLI_NODE_CORES_H
#define SDCA_CLI_NODE_CORES_H

#include <mpi.h>
#include <stdint.h>

enum { NODE_CORES_MASK_BYTES = 1024 }; /* of a set of processors, a bit for each */

/* A node's ranks, and the processors that any of them may run on: hardware threads, as
 * the system counts them. */
typedef struct node_load {
    int ranks;
    int cores;
} node_load;

/* The node with the most ranks per processor; the same on every rank. Collective. */
node_load node_cores_find_most_loaded(MPI_Comm comm);

/* The set that Linux writes as hexadecimal words with commas between them, the least
 * significant last: bit k of byte k / 8 for processor k. Returns how many there are; 0
 * where it is not such a text. Local. */
int node_cores_parse_mask(const char *text, uint8_t set[NODE_CORES_MASK_BYTES]);

#endif
