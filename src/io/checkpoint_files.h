/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_files.h - the files of a checkpoint: names, generations and lock.
 *
 * The checkpoint FILE has older generations FILE.1 to FILE.99, the one of an earlier run
 * set aside as FILE.old, a lock FILE.lock, and temporary files. A run writes, renames
 * and removes these, but only if they are what their names say: any other file is left
 * unchanged, and the run is refused. */
#ifndef SDCA_IO_CHECKPOINT_FILES_H
#define SDCA_IO_CHECKPOINT_FILES_H

#include <stdbool.h>

#include "base/status.h"
#include "io/atomic_file.h"

/* The name for the checkpoint of an earlier run, and the temporary name in this process,
 * which differs from that of other outputs. Local. */
sdca_path sdca_checkpoint_files_old_path(const char *path);
sdca_path sdca_checkpoint_files_temp_path(const char *path);

/* Fails with SDCA_CREATE if path, or one of its generations up to this one, is not a
 * checkpoint (see sdca_checksum_check_replaceable()). Local. */
sdca_status sdca_checkpoint_files_check_replaceable(const char *path, int oldest);

/* Whether other is one of the files of the checkpoint path, or one that a run can resume
 * from. Neither needs to exist. Local. */
bool sdca_checkpoint_files_contain(const char *path, const char *other);
bool sdca_checkpoint_files_contain_generation(const char *path, const char *other);

/* Lock path against other processes until the lock is released or this process ends.
 * SDCA_CREATE if another process has it, or if a file that is not a lock has its name.
 * An existing empty file is used as a lock and kept. Local. What out holds is released
 * with sdca_checkpoint_files_unlock(), for which all zero is fine. */
typedef struct sdca_file_lock {
    bool      held;
    bool      owned; /* remove the file when unlocking */
    int       fd;
    sdca_path name;
} sdca_file_lock;
sdca_status sdca_checkpoint_files_lock(const char *path, sdca_file_lock *out);
void        sdca_checkpoint_files_unlock(sdca_file_lock *lock);

/* Remove the temporary checkpoint files of path and return their number. To be called by
 * the owner of the lock: the processes that created them have ended. Local. */
int sdca_checkpoint_files_remove_temps(const char *path);

#endif
