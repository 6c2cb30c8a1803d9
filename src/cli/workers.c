/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.c - where one rank works alone, and the others wait for it.
 *
 * Each rank that waits sends one empty message: when it is asked to stop, or else at the
 * end. */
#include "workers.h"

#include <mpi.h>
#include <time.h>

#include "restart.h"
#include "sdca/comm.h"

enum { STOP = 1 }; /* the message's tag */

bool workers_are_asked_to_stop(void *context)
{
    int told = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, STOP, MPI_COMM_WORLD, &told, MPI_STATUS_IGNORE);
    return told != 0 || restart_is_asked_to_stop(context);
}

/* Sleep until the first rank is at the end, and tell it if this one is asked to stop. */
static void wait_for_first(MPI_Request *end)
{
    const struct timespec nap  = { .tv_nsec = 5000000 };
    bool                  told = false;
    int                   over = 0;

    while (!told || over == 0) {
        MPI_Test(end, &over, MPI_STATUS_IGNORE); /* true once it is over, for ever */
        if (!told && (over != 0 || restart_is_asked_to_stop(NULL))) {
            MPI_Send(NULL, 0, MPI_BYTE, 0, STOP, MPI_COMM_WORLD);
            told = true;
        }
        nanosleep(&nap, NULL);
    }
}

sdca_status workers_meet(sdca_status status)
{
    MPI_Comm    all = MPI_COMM_WORLD;
    MPI_Request end;

    MPI_Ibarrier(all, &end);
    if (sdca_comm_rank(all) == 0) {
        MPI_Wait(&end, MPI_STATUS_IGNORE);
        for (int k = 1; k < sdca_comm_size(all); k++) {
            MPI_Recv(NULL, 0, MPI_BYTE, k, STOP, all, MPI_STATUS_IGNORE);
        }
    } else {
        wait_for_first(&end);
    }
    return sdca_comm_agree(all, status);
}
