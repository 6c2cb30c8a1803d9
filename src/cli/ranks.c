/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ranks.c - the ranks of a parallel subcommand. */
#include "ranks.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "launcher.h"
#include "sdca/comm.h"

enum { QUOTE_SIZE = 256 }; /* bytes for a word in a sentence */

static bool on;       /* MPI is */
static bool reported; /* by another process */

void ranks_start(void)
{
    if (!on) {
        MPI_Init(NULL, NULL);
        on = true;
    }
}

void ranks_end(void)
{
    if (on) {
        MPI_Finalize();
    }
    on = false;
}

sdca_status ranks_agree(sdca_status status)
{
    return on ? sdca_comm_agree(MPI_COMM_WORLD, status) : status;
}

bool ranks_are_reported(void)
{
    return reported;
}

static bool is_open_mpi(void)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int  length;

    MPI_Get_library_version(version, &length);
    return strncmp(version, "Open MPI", strlen("Open MPI")) == 0;
}

/* Every process is alone: the first one reports it. A launcher may end all processes when
 * one has failed, so the others leave later. */
static sdca_status refuse(const launcher *by)
{
    const struct timespec second = { .tv_sec = 1 };

    reported = by->rank > 0;
    if (reported) {
        nanosleep(&second, NULL);
    }
    return SDCA_FAIL(SDCA_USAGE,
                     "the launcher has started %d processes that MPI does not connect: "
                     "use srun --mpi=%s, or the mpirun of %s",
                     by->size, is_open_mpi() ? "pmix" : "pmi2",
                     is_open_mpi() ? "Open MPI" : "the MPI that sdca was built with");
}

/* The k-th word of a command line, or NULL behind its end. */
static const char *word(const char *subcommand, int argc, char **argv, int k)
{
    return k == 0 ? subcommand : k <= argc ? argv[k - 1] : NULL;
}

static const char *quote(const char *some, char text[QUOTE_SIZE])
{
    if (some == NULL) {
        return "nothing";
    }
    snprintf(text, QUOTE_SIZE, "'%.200s'", some);
    return text;
}

/* Compare this rank's words with those of rank 0, which stand one behind the other up to
 * end. */
static sdca_status compare(const char *first, const char *end, const char *subcommand,
                           int argc, char **argv)
{
    char        mine_quoted[QUOTE_SIZE], first_quoted[QUOTE_SIZE];
    const char *mine = subcommand;

    for (int k = 1; first < end && mine != NULL && strcmp(mine, first) == 0; k++) {
        first += strlen(first) + 1;
        mine = word(subcommand, argc, argv, k);
    }
    return first == end && mine == NULL
               ? SDCA_OK
               : SDCA_FAIL(SDCA_USAGE,
                           "the command lines of the ranks differ: %s on rank 0, %s on "
                           "rank %d",
                           quote(first < end ? first : NULL, first_quoted),
                           quote(mine, mine_quoted), sdca_comm_rank(MPI_COMM_WORLD));
}

/* Collective. */
static sdca_status compare_with_first(const char *subcommand, int argc, char **argv)
{
    MPI_Comm    comm   = MPI_COMM_WORLD;
    sdca_status status = SDCA_OK;
    int         size   = 0;
    char       *text   = NULL;

    for (int k = 0; k <= argc; k++) {
        size += (int)strlen(word(subcommand, argc, argv, k)) + 1;
    }
    sdca_comm_broadcast(comm, &size, sizeof size);
    text = malloc((size_t)size);
    SDCA_TRY(sdca_comm_agree(
        comm, text != NULL ? SDCA_OK
                           : SDCA_FAIL(SDCA_MEMORY, "no memory for the command line")));
    for (int k = 0, at = 0; sdca_comm_rank(comm) == 0 && k <= argc; k++) {
        const char *mine = word(subcommand, argc, argv, k);

        strcpy(text + at, mine);
        at += (int)strlen(mine) + 1;
    }
    sdca_comm_broadcast(comm, text, size);
    status = sdca_comm_agree(comm, compare(text, text + size, subcommand, argc, argv));

done:
    free(text);
    return status;
}

sdca_status ranks_begin(const char *subcommand, int argc, char **argv)
{
    sdca_status status = SDCA_OK;
    launcher    by     = launcher_find();

    if (by.size == 1) {
        return SDCA_OK;
    }
    if (by.size > 1 && by.bare && is_open_mpi()) { /* whose MPI_Init would fail */
        return refuse(&by);
    }
    ranks_start();
    if (by.size > 1 && sdca_comm_size(MPI_COMM_WORLD) == 1) {
        return refuse(&by);
    }
    reported = sdca_comm_rank(MPI_COMM_WORLD) > 0;
    if (reported && freopen("/dev/null", "w", stdout) == NULL) { /* so are results */
        status = SDCA_FAIL(SDCA_IO, "cannot write to standard output");
    }
    SDCA_TRY(ranks_agree(status));
    SDCA_TRY(compare_with_first(subcommand, argc, argv));

done:
    return status;
}
