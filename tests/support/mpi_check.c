/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_check.c - main() of an MPI test, and collective assertions. */
#include "support/mpi_check.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

bool mpi_check_all(bool mine)
{
    int all = mine;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (!mine) {
        int rank;

        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        fprintf(stderr, "rank %d: the next assertion is false here\n", rank);
    }
    return all != 0;
}

int main(int argc, char **argv)
{
    Suite   *suite  = NULL;
    SRunner *runner = NULL;
    int      rank, failed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    suite = suite_create(argv[0]);
    add_tests(suite);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* a forked child has no MPI */
    srunner_run_all(runner, rank == 0 ? CK_NORMAL : CK_SILENT);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
