/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher.c - what mpirun, srun and the like say in the environment of a process.
 *
 * A batch script of Slurm has SLURM_PROCID and SLURM_NTASKS, too: only a step, which srun
 * starts, has a SLURM_STEP_ID. mpirun and mpiexec may start their daemons by srun, so
 * that ranks have the variables of both; the first launcher of the table counts. */
#include "cli/launcher.h"

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

enum { SRUN_INDEX = 2 }; /* its place in the table */

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
