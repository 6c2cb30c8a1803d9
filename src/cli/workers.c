/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.c - where some ranks work, and the others wait for them.
 *
 * Each rank but the first sends one empty message: when it is asked to stop, or else at
 * the end. */
#include "workers.h"

#include <mpi.h>
#include <time.h>

#include "restart.h"
#include "sdca/comm.h"

enum { STOP = 1 }; /* the message's tag */

/* The number of this rank among those of the first one's node, and how many these are;
 * -1 on other nodes. Collective. */
static int place_near(int *count)
{
    MPI_Comm all = MPI_COMM_WORLD, node;
    int      first, place;

    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    first  = sdca_comm_rank(all);
    place  = sdca_comm_rank(node);
    *count = sdca_comm_size(node);
    MPI_Bcast(&first, 1, MPI_INT, 0, node); /* ranks of a node are in the order of all */
    MPI_Bcast(count, 1, MPI_INT, 0, all);
    MPI_Comm_free(&node);
    return first == 0 ? place : -1;
}

int workers_near(void)
{
    int count;

    (void)place_near(&count);
    return count;
}

MPI_Comm workers_take(int count)
{
    MPI_Comm all = MPI_COMM_WORLD, workers;
    int      near, place = place_near(&near);

    MPI_Comm_split(all, place >= 0 && place < count ? 0 : MPI_UNDEFINED,
                   sdca_comm_rank(all), &workers);
    return workers;
}

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
