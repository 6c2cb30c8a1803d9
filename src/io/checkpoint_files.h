/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_files.h - the files of a checkpoint: their names, and who may use them.
 *
 * The checkpoint FILE has older generations FILE.1 to FILE.99, the one of an earlier run
 * put aside as FILE.old, a lock FILE.lock, and temporary files. A run writes, renames and
 * removes these, but only where they are what their names say: anything else is left as
 * it is, and refused. */
#ifndef SDCA_IO_CHECKPOINT_FILES_H
#define SDCA_IO_CHECKPOINT_FILES_H

#include <stdbool.h>

#include "base/status.h"
#include "io/atomic_file.h"

/* The name for the checkpoint of an earlier run, and the temporary name in this process,
 * which differs from that of other outputs. Local. */
sdca_path sdca_checkpoint_files_old_path(const char *path);
sdca_path sdca_checkpoint_files_temp_path(const char *path);

/* Fails with SDCA_CREATE if path, or one of its older generations up to that age, is
 * something else than a checkpoint (see sdca_checksum_check_replaceable()). Local. */
sdca_status sdca_checkpoint_files_check_replaceable(const char *path, int oldest);

/* Is other one of the files of the checkpoint path; is it one that a run can go on
 * from? Neither need exist. Local. */
bool sdca_checkpoint_files_contain(const char *path, const char *other);
bool sdca_checkpoint_files_contain_generation(const char *path, const char *other);

/* Keep all other processes that ask for it from path, until the lock is given back or
 * this process ends. SDCA_CREATE if another one has it, or if a file that is no lock has
 * its name. An empty file that was there serves as a lock, and stays. Local. What out
 * holds is the caller's, to be given to sdca_checkpoint_files_unlock(), for which all
 * zero is fine. */
typedef struct sdca_file_lock {
    bool      held;
    bool      owned; /* to be removed */
    int       fd;
    sdca_path name;
} sdca_file_lock;
sdca_status sdca_checkpoint_files_lock(const char *path, sdca_file_lock *out);
void        sdca_checkpoint_files_unlock(sdca_file_lock *lock);

/* Remove the temporary files of checkpoints of path, and return their number. For the
 * owner of the lock: those who made them are dead. Local. */
int sdca_checkpoint_files_remove_temps(const char *path);

#endif
