/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpich_yield.c - make waiting ranks yield the core; preloaded in tests with MPICH.
 *
 * MPICH polls UCX continuously while it waits, so ranks on a shared core exchange one
 * message per time slice. Here a rank sleeps between polls after many without an event.
 * Open MPI has an option for it (mpi_yield_when_idle). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <time.h>

enum {
    POLLS    = 300,  /* without an event, before the rank sleeps */
    PAUSE_NS = 10000 /* between two polls */
};

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *) = NULL;
    static int            idle          = 0;
    const struct timespec pause         = { .tv_sec = 0, .tv_nsec = PAUSE_NS };
    unsigned              events        = 0;

    if (progress == NULL) {
        void *address = dlsym(RTLD_NEXT, "ucp_worker_progress");

        memcpy(&progress, &address, sizeof progress); /* C has no cast for this */
    }
    events = progress(worker);
    idle   = events == 0 ? idle + 1 : 0;
    if (idle > POLLS) {
        nanosleep(&pause, NULL);
        idle = POLLS;
    }
    return events;
}
