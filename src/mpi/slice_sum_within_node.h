/* SPDX-License-Identifier: BSD-3-Clause
 *
 * slice_sum_within_node.h - sums of the changes that the ranks of a node made in an
 * owner's slice of w, and the new w: loops over all lines or over those that are touched.
 */
#ifndef SDCA_MPI_SLICE_SUM_WITHIN_NODE_H
#define SDCA_MPI_SLICE_SUM_WITHIN_NODE_H

#include "mpi/vector_allreduce.h"

/* What a rank shares with those of its node beside its copy of w. */
typedef struct sdca_rank_area {
    double            scalars[SDCA_VECTOR_ALLREDUCE_MAX_SCALARS];
    double            totals[SDCA_VECTOR_ALLREDUCE_MAX_SCALARS]; /* first owner: of all */
    sdca_update_norms norms[SDCA_VECTOR_ALLREDUCE_MAX_LANES];    /* of its slice */
    int64_t           touched;                                   /* lines of its slice */
    int64_t           marked; /* its marks are complete */
} sdca_rank_area;

/* List the lines of my slice that any rank has touched, and clear their marks. Sets
 * sparse: not if a rank has not marked its changes or if most lines are touched. Local.
 */
void sdca_slice_sum_within_node_list(sdca_vector_allreduce *allreduce);

/* Sum the changes of the node's ranks in all touched lines of my slice, with norms of all
 * lanes. Local. */
void sdca_slice_sum_within_node_changes(sdca_vector_allreduce *allreduce,
                                        sdca_update_norms     *norms);

/* The norms but local_norm2 of the sum in the first lines of the list, or, with line
 * NULL, in all count lines. Local. */
void sdca_slice_sum_within_node_norms(const sdca_vector_allreduce *allreduce,
                                      const uint32_t *line, int64_t count,
                                      sdca_update_norms *norms);

/* base += factor sum in all touched lines, lane by lane, and into all copies. Local. */
void sdca_slice_sum_within_node_apply(sdca_vector_allreduce *allreduce,
                                      const double          *factor);

#endif
