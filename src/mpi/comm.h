/* SPDX-License-Identifier: BSD-3-Clause
 *
 * comm.h - agreement on failures, reductions, broadcast and gather.
 *
 * Communicators keep MPI_ERRORS_ARE_FATAL, so the return codes of MPI need no check: a
 * failing MPI call ends the job. */
#ifndef SDCA_MPI_COMM_H
#define SDCA_MPI_COMM_H

#include <mpi.h>
#include <stdint.h>

#include "base/range.h"
#include "base/status.h"

/* Combine the status of local work into one status for all ranks. Every rank passes its
 * own status and gets the most severe one; the message of the lowest rank that has it
 * replaces those of all others, so any rank may report it. Call it after local work that
 * can fail and before the next collective call: a rank may skip work, but never a
 * collective call. Collective. */
sdca_status sdca_comm_agree(MPI_Comm comm, sdca_status mine);

/* Replace x[0 .. count - 1] by their sums, minima or maxima over all ranks, with the
 * same bits on every rank; count may exceed INT_MAX. Collective. */
void sdca_comm_allreduce_sum(MPI_Comm comm, double *x, int64_t count);
void sdca_comm_allreduce_min(MPI_Comm comm, double *x, int64_t count);
void sdca_comm_allreduce_max(MPI_Comm comm, double *x, int64_t count);

/* The same for integers. Collective. */
void sdca_comm_allreduce_sum_int64(MPI_Comm comm, int64_t *x, int64_t count);
void sdca_comm_allreduce_min_int64(MPI_Comm comm, int64_t *x, int64_t count);

/* Replace x[0 .. count - 1] by their bitwise OR over all ranks. Collective. */
void sdca_comm_allreduce_or(MPI_Comm comm, uint64_t *x, int64_t count);

/* Replace x by that of rank 0. Collective. */
void sdca_comm_broadcast(MPI_Comm comm, void *x, int bytes);

/* The same for x[0 .. count - 1]; count may exceed INT_MAX. Collective. */
void sdca_comm_broadcast_numbers(MPI_Comm comm, double *x, int64_t count);

/* Pass the values of all ranks, in rank order and in chunks of bounded size, to
 * callback(context, values, count) on rank 0. All ranks get its status. Collective. */
typedef sdca_status (*sdca_comm_gather_callback)(void *context, const double *values,
                                                 int64_t count);
sdca_status sdca_comm_gather(MPI_Comm comm, const double *mine, int64_t count,
                             sdca_comm_gather_callback callback, void *context);

/* The same for records of several numbers each, which make(context, records, x) puts into
 * x when they are needed. A chunk has whole records. Collective. */
typedef void (*sdca_comm_make_records)(void *context, sdca_range records, double *x);
sdca_status sdca_comm_gather_records(MPI_Comm comm, int64_t records, int width,
                                     sdca_comm_make_records    make,
                                     sdca_comm_gather_callback callback, void *context);

/* Local. */
int sdca_comm_rank(MPI_Comm comm);
int sdca_comm_size(MPI_Comm comm);

#endif
