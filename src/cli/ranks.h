/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.h - the ranks of a parallel subcommand: MPI is started, and all have the same
 * command line. */
#ifndef RANKS_H
#define RANKS_H

#include <stdbool.h>

#include "sdca/status.h"

/* Begin a parallel subcommand, before its words are parsed: a rank that left with a wrong
 * option would keep the others waiting in MPI_Init. Under a launcher of several processes
 * this starts MPI and compares the words; otherwise it does nothing. Fails on all ranks
 * where the words differ, or where MPI does not connect the processes. Collective. */
sdca_status ranks_begin(const char *subcommand, int argc, char **argv);

/* One status of all ranks, as far as MPI is on. Collective. */
sdca_status ranks_agree(sdca_status status);

/* Start MPI, unless ranks_begin() has. Collective. */
void ranks_start(void);

/* End MPI if it was started. Collective. */
void ranks_end(void);

/* Does another process report the failures of this one? Local. */
bool ranks_are_reported(void);

#endif
