/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank_subset.c - run on some of the ranks while the others are idle.
 *
 * Each rank but the first sends one empty message: when it is requested to stop, or else
 * at the end. */
#include "cli/train/rank_subset.h"

#include <mpi.h>
#include <time.h>

#include "cli/train/train_signals.h"
#include "mpi/comm.h"

enum { STOP_TAG = 1 }; /* the message's tag */

/* The number of this rank on the first rank's node, or -1 if it is on another one, and
 * the number of ranks there. Collective. */
static int rank_on_first_node(int *count)
{
    MPI_Comm all = MPI_COMM_WORLD, node;
    int      first, node_rank;

    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    first     = sdca_comm_rank(all);
    node_rank = sdca_comm_rank(node);
    *count    = sdca_comm_size(node);
    MPI_Bcast(&first, 1, MPI_INT, 0, node); /* ranks of a node are in the order of all */
    MPI_Bcast(count, 1, MPI_INT, 0, all);
    MPI_Comm_free(&node);
    return first == 0 ? node_rank : -1;
}

int rank_subset_count_first_node(void)
{
    int count;

    (void)rank_on_first_node(&count);
    return count;
}

MPI_Comm rank_subset_split(int count)
{
    MPI_Comm all = MPI_COMM_WORLD, workers;
    int      node_ranks, node_rank = rank_on_first_node(&node_ranks);

    MPI_Comm_split(all, node_rank >= 0 && node_rank < count ? 0 : MPI_UNDEFINED,
                   sdca_comm_rank(all), &workers);
    return workers;
}

bool rank_subset_is_stop_requested(void *context)
{
    int is_notified = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, STOP_TAG, MPI_COMM_WORLD, &is_notified, MPI_STATUS_IGNORE);
    return is_notified != 0 || train_signals_is_stop_requested(context);
}

/* Sleep until the first rank is at the end; notify it if this one is requested to stop.
 */
static void wait_for_first(MPI_Request *barrier)
{
    const struct timespec pause       = { .tv_nsec = 5000000 };
    bool                  is_notified = false;
    int                   is_finished = 0;

    while (!is_notified || is_finished == 0) {
        MPI_Test(barrier, &is_finished, MPI_STATUS_IGNORE); /* stays true */
        if (!is_notified && (is_finished != 0 || train_signals_is_stop_requested(NULL))) {
            MPI_Send(NULL, 0, MPI_BYTE, 0, STOP_TAG, MPI_COMM_WORLD);
            is_notified = true;
        }
        nanosleep(&pause, NULL);
    }
}

sdca_status rank_subset_wait(sdca_status status)
{
    MPI_Comm    all = MPI_COMM_WORLD;
    MPI_Request barrier;

    MPI_Ibarrier(all, &barrier);
    if (sdca_comm_rank(all) == 0) {
        MPI_Wait(&barrier, MPI_STATUS_IGNORE);
        for (int k = 1; k < sdca_comm_size(all); k++) {
            MPI_Recv(NULL, 0, MPI_BYTE, k, STOP_TAG, all, MPI_STATUS_IGNORE);
        }
    } else {
        wait_for_first(&barrier);
    }
    return sdca_comm_agree(all, status);
}
