/* SPDX-License-Identifier: BSD-3-Clause
 *
 * node_cores.h - ranks per processor on the nodes of a run. */
#ifndef SDCA_CLI_NODE_CORES_H
#define SDCA_CLI_NODE_CORES_H

#include <mpi.h>
#include <stdint.h>

enum { NODE_CORES_MASK_BYTES = 1024 }; /* of a processor mask, one bit each */

/* The ranks of a node, and the processors (hardware threads) that they may use. */
typedef struct node_load {
    int ranks;
    int cores;
} node_load;

/* The node with the most ranks per processor; the same on every rank. Collective. */
node_load node_cores_find_most_loaded(MPI_Comm comm);

/* Parse a processor mask as Linux writes it: hexadecimal words with commas, the least
 * significant last. Bit k % 8 of byte k / 8 is processor k. Returns the number of
 * processors; 0 if the text is no mask. Local. */
int node_cores_parse_mask(const char *text, uint8_t set[NODE_CORES_MASK_BYTES]);

#endif
