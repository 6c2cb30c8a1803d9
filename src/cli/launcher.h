/* SPDX-License-Identifier: BSD-3-Clause
 *
 * launcher.h - what mpirun, srun and the like say in the environment of a process. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>

typedef struct launcher {
    int rank; /* of this process */
    int size; /* processes that were started; 0 if the launcher does not say */
    bool
        lacks_pmi; /* it is srun, and offers no PMI, by which processes find each other */
} launcher;

/* Rank 0 of 1 where there is no launcher. Local. */
launcher launcher_detect(void);

#endif
