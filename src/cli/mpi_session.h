/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_session.h - the start and end of MPI in a parallel subcommand, whose ranks have the
 * same command line. */
#ifndef SDCA_CLI_MPI_SESSION_H
#define SDCA_CLI_MPI_SESSION_H

#include <stdbool.h>

#include "base/status.h"

/* Begin a parallel subcommand, before its words are parsed: if a rank exited because of a
 * wrong option, the others would hang in MPI_Init. With several processes this starts MPI
 * and compares the command lines; otherwise it does nothing. Fails on all ranks if the
 * command lines differ, or if MPI does not connect the processes. Collective. */
sdca_status mpi_session_begin(const char *subcommand, int argc, char **argv);

/* Agree on a status if MPI is initialised, else return it. Collective. */
sdca_status mpi_session_agree(sdca_status status);

/* Start MPI unless mpi_session_begin() did. Collective. */
void mpi_session_init(void);

/* End MPI if it was started. Collective. */
void mpi_session_finalize(void);

/* Does another process report the failures of this one? Local. */
bool mpi_session_is_reported_elsewhere(void);

#endif
