/* SPDX-License-Identifier: BSD-3-Clause
 *
 * workers.h - where one rank works alone, and the others wait for it.
 *
 * Ranks that wait sleep, and pass it on if they are asked to stop. */
#ifndef SDCA_WORKERS_H
#define SDCA_WORKERS_H

#include <stdbool.h>

#include "sdca/status.h"

/* The end of the first rank's work, with its status; all other ranks have been waiting
 * since they called this, and get the same. Collective. */
sdca_status workers_meet(sdca_status status);

/* Is this process asked to stop, or one that waits for it? For a watcher. Local. */
bool workers_are_asked_to_stop(void *context);

#endif
