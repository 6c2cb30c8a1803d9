/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpi_session.c - the start and end of MPI in a parallel subcommand. */
#include "cli/mpi_session.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/launcher_environment.h"
#include "mpi/comm.h"

enum { QUOTE_SIZE = 256 }; /* bytes for a quoted word */

static bool is_initialized;     /* of MPI */
static bool reported_elsewhere; /* another process prints the error */

void mpi_session_init(void)
{
    if (!is_initialized) {
        MPI_Init(NULL, NULL);
        is_initialized = true;
    }
}

void mpi_session_finalize(void)
{
    if (is_initialized) {
        MPI_Finalize();
    }
    is_initialized = false;
}

sdca_status mpi_session_agree(sdca_status status)
{
    return is_initialized ? sdca_comm_agree(MPI_COMM_WORLD, status) : status;
}

bool mpi_session_is_reported_elsewhere(void)
{
    return reported_elsewhere;
}

static bool is_open_mpi(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int  length;

    MPI_Get_library_version(version, &length);
    return strncmp(version, "Open MPI", strlen("Open MPI")) == 0;
}

/* MPI does not connect the processes: the first one reports it. A launcher may kill all
 * processes when one has failed, so the others exit later. */
static sdca_status fail_unconnected(const launcher *launch)
{
    const struct timespec second = { .tv_sec = 1 };

    reported_elsewhere = launch->rank > 0;
    if (reported_elsewhere) {
        nanosleep(&second, NULL);
    }
    return SDCA_FAIL(SDCA_USAGE,
                     "the launcher has started %d processes that MPI does not connect: "
                     "use srun --mpi=%s, or the mpirun of %s",
                     launch->size, is_open_mpi() ? "pmix" : "pmi2",
                     is_open_mpi() ? "Open MPI" : "the MPI that sdca was built with");
}

/* The k-th word of a command line, or NULL after its end. */
static const char *nth_word(const char *subcommand, int argc, char **argv, int k)
{
    return k == 0 ? subcommand : k <= argc ? argv[k - 1] : NULL;
}

static const char *quote(const char *text_or_null, char text[QUOTE_SIZE])
{
    if (text_or_null == NULL) {
        return "nothing";
    }
    snprintf(text, QUOTE_SIZE, "'%.200s'", text_or_null);
    return text;
}

/* Compare this rank's words with those of rank 0, which are stored consecutively up to
 * end. */
static sdca_status compare_words(const char *first, const char *end,
                                 const char *subcommand, int argc, char **argv)
{
    char        mine_quoted[QUOTE_SIZE], first_quoted[QUOTE_SIZE];
    const char *mine = subcommand;

    for (int k = 1; first < end && mine != NULL && strcmp(mine, first) == 0; k++) {
        first += strlen(first) + 1;
        mine = nth_word(subcommand, argc, argv, k);
    }
    return first == end && mine == NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "the command lines of the ranks differ: %s on rank 0, %s on "
                           "rank %d",
                           quote(first < end ? first : NULL, first_quoted),
                           quote(mine, mine_quoted), sdca_comm_rank(MPI_COMM_WORLD));
}

/* Fail on all ranks if a command line differs from that of rank 0. Collective. */
static sdca_status compare_with_rank0(const char *subcommand, int argc, char **argv)
{
    MPI_Comm    comm   = MPI_COMM_WORLD;
    sdca_status status = SDCA_OK;
    int         size   = 0;
    char       *text   = NULL;

    for (int k = 0; k <= argc; k++) {
        size += (int)strlen(nth_word(subcommand, argc, argv, k)) + 1;
    }
    sdca_comm_broadcast(comm, &size, sizeof size);
    text = malloc((size_t)size);
    SDCA_TRY(sdca_comm_agree(
        comm, text != NULL ? SDCA_OK
                           : SDCA_FAIL(SDCA_MEMORY, "no memory for the command line")));
    for (int k = 0, at = 0; sdca_comm_rank(comm) == 0 && k <= argc; k++) {
        const char *mine = nth_word(subcommand, argc, argv, k);

        strcpy(text + at, mine);
        at += (int)strlen(mine) + 1;
    }
    sdca_comm_broadcast(comm, text, size);
    status =
        sdca_comm_agree(comm, compare_words(text, text + size, subcommand, argc, argv));

done:
    free(text);
    return status;
}

sdca_status mpi_session_begin(const char *subcommand, int argc, char **argv)
{
    sdca_status status = SDCA_OK;
    launcher    launch = launcher_detect();

    if (launch.size == 1) {
        return SDCA_OK;
    }
    if (launch.size > 1 && launch.lacks_pmi && is_open_mpi()) { /* MPI_Init would fail */
        return fail_unconnected(&launch);
    }
    mpi_session_init();
    if (launch.size > 1 && sdca_comm_size(MPI_COMM_WORLD) == 1) {
        return fail_unconnected(&launch);
    }
    reported_elsewhere = sdca_comm_rank(MPI_COMM_WORLD) > 0;
    if (reported_elsewhere &&
        freopen("/dev/null", "w", stdout) == NULL) { /* rank 0 prints the results */
        status = SDCA_FAIL(SDCA_IO, "cannot write to standard output");
    }
    SDCA_TRY(mpi_session_agree(status));
    SDCA_TRY(compare_with_rank0(subcommand, argc, argv));

done:
    return status;
}
