/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm.h - how ranks agree and add up: the only wrappers around MPI.
 *
 * Communicators keep MPI_ERRORS_ARE_FATAL, so MPI's own return codes need no
 * check: a failing MPI call ends the job. */
#ifndef SDCA_MPI_COMM_H
#define SDCA_MPI_COMM_H

#include <mpi.h>
#include <stdint.h>

#include "base/status.h"

/* Turn the outcome of local work into one outcome for all.
 *
 * Collective. Every rank passes its own status and receives the worst one;
 * the message of the lowest rank that has it replaces everyone's, so any rank
 * may report it. Call it after local work that can fail and before the next
 * collective: a rank may skip work, never a collective. */
sdca_status sdca_comm_agree(MPI_Comm comm, sdca_status mine);

/* x[0 .. count - 1] become their sums, minima or maxima over all ranks, the
 * same bits everywhere; count may exceed what an int holds. Collective. */
void sdca_comm_allreduce_sum(MPI_Comm comm, double *x, int64_t count);
void sdca_comm_allreduce_min(MPI_Comm comm, double *x, int64_t count);
void sdca_comm_allreduce_max(MPI_Comm comm, double *x, int64_t count);

/* The same for whole numbers. Collective. */
void sdca_comm_allreduce_sum_int64(MPI_Comm comm, int64_t *x, int64_t count);
void sdca_comm_allreduce_min_int64(MPI_Comm comm, int64_t *x, int64_t count);

/* x[0 .. count - 1] get the bits that they have on any rank. Collective. */
void sdca_comm_allreduce_or(MPI_Comm comm, uint64_t *x, int64_t count);

/* x, which has that many bytes, becomes that of rank 0. Collective. */
void sdca_comm_broadcast(MPI_Comm comm, void *x, int bytes);

/* Hand count values of mine to rank 0, which passes every rank's, in rank order
 * and in bounded pieces, to take(context, values, count). take's failure is
 * everyone's: the result is agreed. Collective. */
typedef sdca_status (*sdca_comm_gather_callback)(void *context, const double *values,
                                                 int64_t count);
sdca_status sdca_comm_gather(MPI_Comm comm, const double *mine, int64_t count,
                             sdca_comm_gather_callback callback, void *context);

/* My number among how many. Local. */
int sdca_comm_rank(MPI_Comm comm);
int sdca_comm_size(MPI_Comm comm);

#endif
