/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_lock.h - the lock of a checkpoint: one run at a time writes it. */
#ifndef SDCA_IO_CHECKPOINT_LOCK_H
#define SDCA_IO_CHECKPOINT_LOCK_H

#include <stdbool.h>

#include "base/status.h"
#include "io/atomic_file.h"

/* What the name of the lock adds to that of the checkpoint. */
#define SDCA_CHECKPOINT_LOCK_SUFFIX ".lock"

/* Lock path against other processes until the lock is released or this process ends.
 * SDCA_CREATE if another process has it, or if a file that is not a lock has its name.
 * An existing empty file is used as a lock and kept. Local. What out holds is released
 * with sdca_checkpoint_lock_release(), for which all zero is fine. */
typedef struct sdca_checkpoint_lock {
    bool      held;
    bool      owned; /* remove the file when unlocking */
    int       fd;
    sdca_path name;
} sdca_checkpoint_lock;
sdca_status sdca_checkpoint_lock_take(const char *path, sdca_checkpoint_lock *out);
void        sdca_checkpoint_lock_release(sdca_checkpoint_lock *lock);

#endif
