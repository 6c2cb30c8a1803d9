/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_session.h - the ranks of a parallel subcommand: MPI is started, and all have the
 * same command line. */
#ifndef SDCA_CLI_MPI_SESSION_H
#define SDCA_CLI_MPI_SESSION_H

#include <stdbool.h>

#include "base/status.h"

/* Begin a parallel subcommand, before its words are parsed: a rank that left with a wrong
 * option would keep the others waiting in MPI_Init. Under a launcher of several processes
 * this starts MPI and compares the words; otherwise it does nothing. Fails on all ranks
 * where the words differ, or where MPI does not connect the processes. Collective. */
sdca_status mpi_session_begin(const char *subcommand, int argc, char **argv);

/* One status of all ranks, as far as MPI is on. Collective. */
sdca_status mpi_session_agree(sdca_status status);

/* Start MPI, unless mpi_session_begin() has. Collective. */
void mpi_session_init(void);

/* End MPI if it was started. Collective. */
void mpi_session_finalize(void);

/* Does another process report the failures of this one? Local. */
bool mpi_session_is_reported_elsewhere(void);

#endif
