/* SPDX-License-Identifier: BSD-3-Clause
 *
 * temp_dir.c - a temporary directory for one test, shared by all ranks. */
#include "support/temp_dir.h"

#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/sdca_test_XXXXXX";

/* The rank in MPI_COMM_WORLD, or -1 before MPI_Init(). */
static int rank_or_none(void)
{
    int has_begun, rank = -1;

    MPI_Initialized(&has_begun);
    if (has_begun) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    return rank;
}

void temp_directory_create(void)
{
    int rank = rank_or_none();

    if (rank <= 0) {
        snprintf(directory, sizeof directory, "/tmp/sdca_test_XXXXXX");
        if (mkdtemp(directory) == NULL) {
            abort();
        }
    }
    if (rank >= 0) {
        MPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
}

/* The number of files in the directory, which are removed on request. */
static int count_files(bool removes)
{
    DIR           *open  = opendir(directory);
    struct dirent *entry = NULL;
    int            files = 0;

    while (open != NULL && (entry = readdir(open)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            files++;
            if (removes) {
                unlinkat(dirfd(open), entry->d_name, 0);
            }
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return files;
}

void temp_directory_remove(void)
{
    int rank = rank_or_none();

    if (rank >= 0) {
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank <= 0) {
        count_files(true);
        rmdir(directory);
    }
}

int temp_directory_file_count(void)
{
    return count_files(false);
}

const char *temp_directory_path(const char *name)
{
    static char path[4][512];
    static int  next = 0;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", directory, name);
    return path[next];
}

const char *temp_directory_name(void)
{
    return directory;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}
