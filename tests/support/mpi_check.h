/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_check.h - Check under mpirun: all ranks pass or fail together.
 *
 * A failed assertion leaves its test by longjmp. If it failed on one rank only, the
 * others would wait in their next collective call until CTest's TIMEOUT. MPI tests
 * therefore use ck_assert_all() wherever ranks may differ. */
#ifndef SDCA_SUPPORT_MPI_CHECK_H
#define SDCA_SUPPORT_MPI_CHECK_H

#include <stdbool.h>

#include "support/check_main.h"

/* Fails on every rank if it is false on any. Collective. */
#define ck_assert_all(condition) \
    ck_assert_msg(mpi_check_all(condition), "false on some rank: %s", #condition)

/* Whether it is true on every rank. A rank where it is false reports it on stderr.
 * Collective. */
bool mpi_check_all(bool mine);

#endif
