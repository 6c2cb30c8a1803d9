/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_names.h - the names of the files of a checkpoint.
 *
 * The checkpoint FILE has older generations FILE.1 to FILE.99, the one of an earlier run
 * set aside as FILE.old, a lock FILE.lock, and temporary files. A run writes, renames
 * and removes these, but only if they are what their names say: any other file is left
 * unchanged, and the run is refused. */
#ifndef SDCA_IO_CHECKPOINT_NAMES_H
#define SDCA_IO_CHECKPOINT_NAMES_H

#include <stdbool.h>

#include "base/status.h"
#include "io/atomic_file.h"

/* The name for the checkpoint of an earlier run, and the temporary name in this process,
 * which differs from that of other outputs. Local. */
sdca_path sdca_checkpoint_names_old_path(const char *path);
sdca_path sdca_checkpoint_names_temp_path(const char *path);

/* Fails with SDCA_CREATE if path, or one of its generations up to this one, is not a
 * checkpoint (see sdca_checksum_check_replaceable()). Local. */
sdca_status sdca_checkpoint_names_check_replaceable(const char *path, int oldest);

/* Whether other is one of the files of the checkpoint path, or one that a run can resume
 * from. Neither needs to exist. Local. */
bool sdca_checkpoint_names_contain(const char *path, const char *other);
bool sdca_checkpoint_names_contain_generation(const char *path, const char *other);

/* Remove the temporary checkpoint files of path and return their number. To be called by
 * the owner of the lock: the processes that created them have ended. Local. */
int sdca_checkpoint_names_remove_temps(const char *path);

#endif
