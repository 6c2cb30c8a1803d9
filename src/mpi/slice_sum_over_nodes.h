/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice_sum_over_nodes.h - the sum of an owner's slice over the nodes. */
#ifndef SDCA_MPI_SLICE_SUM_OVER_NODES_H
#define SDCA_MPI_SLICE_SUM_OVER_NODES_H

#include "mpi/slice_sum_within_node.h"

/* Buffers for an owner with several nodes. Local. They are freed with
 * sdca_slice_sum_over_nodes_free(). */
sdca_status sdca_slice_sum_over_nodes_create(sdca_vector_allreduce *allreduce);
void        sdca_slice_sum_over_nodes_free(sdca_vector_allreduce *allreduce);

/* Replace the sum of my slice, which is the node's, its norms, and of the first owner the
 * scalars by those of all nodes. Lines that other nodes have touched are then touched
 * here too. Collective over the owners of the slice. */
void sdca_slice_sum_over_nodes_add(sdca_vector_allreduce *allreduce, double *scalars,
                                   int count, sdca_update_norms *norms);

#endif
