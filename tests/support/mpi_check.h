/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_check.h - Check under mpirun: all ranks pass or fail together.
 *
 * A failed assertion leaves its test by longjmp. Were one rank alone to leave,
 * the others would wait in their next collective until CTest's TIMEOUT. So in a
 * parallel test only ck_assert_all() is used where ranks may differ. */
#ifndef SDCA_SUPPORT_MPI_CHECK_H
#define SDCA_SUPPORT_MPI_CHECK_H

#include <check.h>
#include <stdbool.h>

/* Fails on every rank where it is false on any. Collective. */
#define ck_assert_all(condition) \
    ck_assert_msg(mpi_check_all(condition), "false on some rank: %s", #condition)

/* Is it true on every rank? A rank where it is not says so on stderr. Collective. */
bool mpi_check_all(bool mine);

/* The body of main: start MPI, run the suite without forking, print on rank 0
 * alone, end MPI. Returns the exit status, the same on every rank. Collective. */
int mpi_check_run(int *argc, char ***argv, Suite *(*suite)(void));

#endif
