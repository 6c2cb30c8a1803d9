/* SPDX-License-Identifier: BSD-3-Clause
 *
 * temp_dir.c - file names in a directory of their own, shared by all ranks. */
#include "support/temp_dir.h"

#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mpi/comm.h"

static char directory[] = "/tmp/sdca_test_XXXXXX";

void temp_directory_create(void)
{
    if (sdca_comm_rank(MPI_COMM_WORLD) == 0) {
        snprintf(directory, sizeof directory, "/tmp/sdca_test_XXXXXX");
        if (mkdtemp(directory) == NULL) {
            abort();
        }
    }
    MPI_Bcast(directory, sizeof directory, MPI_CHAR, 0, MPI_COMM_WORLD);
}

void temp_directory_remove(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (sdca_comm_rank(MPI_COMM_WORLD) == 0) {
        DIR           *open  = opendir(directory);
        struct dirent *entry = NULL;

        while (open != NULL && (entry = readdir(open)) != NULL) {
            if (entry->d_name[0] != '.') {
                unlink(temp_directory_path(entry->d_name));
            }
        }
        closedir(open);
        rmdir(directory);
    }
}

const char *temp_directory_path(const char *name)
{
    static char path[4][512];
    static int  next = 0;

    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", directory, name);
    return path[next];
}
