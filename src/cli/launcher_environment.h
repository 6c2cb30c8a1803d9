/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher_environment.h - rank and size as mpirun, srun and others set them in the
 * environment. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>

typedef struct launcher {
    int  rank;      /* of this process */
    int  size;      /* number of processes; 0 if unknown */
    bool lacks_pmi; /* srun without PMI, by which MPI connects processes */
} launcher;

/* Rank 0 of 1 if there is no launcher. Local. */
launcher launcher_detect(void);

#endif
