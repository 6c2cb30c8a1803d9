/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm_chunked.h - a reduction in chunks that one MPI call can handle.
 *
 * Counts of MPI are int. The limit is a parameter so that a test can have several chunks
 * without arrays of 2^31 elements. */
#ifndef SDCA_MPI_COMM_CHUNKED_H
#define SDCA_MPI_COMM_CHUNKED_H

#include <mpi.h>
#include <stdint.h>

/* Reduce x[0 .. count - 1], of 8 bytes each, over all ranks, at most max_chunk elements
 * at a time. Collective. */
static inline void allreduce_chunked(MPI_Comm comm, void *x, int64_t count,
                                     MPI_Datatype type, MPI_Op op, int max_chunk)
{
    for (int64_t done = 0; done < count; done += max_chunk) {
        int64_t left = count - done;

        MPI_Allreduce(MPI_IN_PLACE, (char *)x + 8 * done,
                      left < max_chunk ? (int)left : max_chunk, type, op, comm);
    }
}

#endif
