/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher_environment.c - rank and size as mpirun, srun and others set them in the
 * environment.
 *
 * A Slurm batch script has SLURM_PROCID and SLURM_NTASKS as well, but only a step started
 * by srun has SLURM_STEP_ID. mpirun and mpiexec may start their daemons by srun, so that
 * ranks have the variables of both; the first match in the table is used. */
#include "cli/launcher_environment.h"

#include <stddef.h>
#include <stdlib.h>

static const struct {
    const char *variable, *rank, *size;
} launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
    { "PMI_SIZE", "PMI_RANK", "PMI_SIZE" }, /* mpiexec of MPICH, srun --mpi=pmi2 */
    { "SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS" },
    { "PMIX_RANK", "PMIX_RANK", NULL },
};

enum { SRUN_INDEX = 2 }; /* in the table */

static int env_number(const char *name)
{
    const char *value = name != NULL ? getenv(name) : NULL;

    return value != NULL ? atoi(value) : 0;
}

launcher launcher_detect(void)
{
    for (int k = 0; k < (int)(sizeof launchers / sizeof launchers[0]); k++) {
        if (getenv(launchers[k].variable) != NULL) {
            return (launcher){ .rank = env_number(launchers[k].rank),
                               .size = env_number(launchers[k].size),
                               .lacks_pmi =
                                   k == SRUN_INDEX && getenv("PMIX_RANK") == NULL };
        }
    }
    return (launcher){ .size = 1 };
}
