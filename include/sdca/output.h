/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.h - files that appear whole under their final name or not at all.
 *
 * Everything is written to NAME.tmp beside the final name. A crash leaves at most that
 * file, which the next attempt replaces. A name that is a link stands for the file that
 * it leads to. */
#ifndef SDCA_OUTPUT_H
#define SDCA_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "sdca/status.h"

/* The name of a file: room for any that the system takes, and for an ending of ours.
 * Names are no matter for the heap: without memory, too, a file that is not finished
 * goes. */
typedef struct sdca_name {
    char text[4096 + 32];
} sdca_name;

/* The temporary name of path. Local. */
sdca_name sdca_output_temporary(const char *path);

/* The name for a file of an earlier run that was called path. Local. */
sdca_name sdca_output_aside(const char *path);

/* Is it standard output? Local. */
bool sdca_output_is_standard(const char *path);

/* Can a file of that name be made here? Asked before long work. Local. */
sdca_status sdca_output_check(const char *path);

/* Fails with SDCA_USAGE if the output is the same file as an input, under whatever
 * name. Local. */
sdca_status sdca_output_check_other(const char *path, const char *input);

/* Fails with SDCA_USAGE if two outputs, there already or not, would be one file, or one
 * of them is to be beside the other. Local. */
sdca_status sdca_output_check_apart(const char *path, const char *other);

/* The name of what was path so many generations ago: path.1, path.2 ...; of 0, path
 * itself. Local. */
sdca_name sdca_output_generation(const char *path, int age);

/* Sync the finished file called temporary and its directory to the disk, and
 * rename it to path. What had that name before, and before that, is still there as so
 * many older generations. At no moment is there nothing whole called path. On failure
 * temporary is removed. Local. */
sdca_status sdca_output_publish(const char *temporary, const char *path, int older);

/* Keep all other processes that ask for it from path, until the lock is given back or
 * this process ends. SDCA_CREATE if another one has it. Local. What out holds is the
 * caller's, to be given to sdca_output_unlock(), for which all zero is fine. */
typedef struct sdca_lock {
    bool      held;
    int       file;
    sdca_name name;
} sdca_lock;
sdca_status sdca_output_lock(const char *path, sdca_lock *out);
void        sdca_output_unlock(sdca_lock *lock);

/* A text file: open its temporary; finish it, checking every write since, and
 * publish it; or abandon it, leaving nothing behind. The last two take the
 * stream whatever the outcome; NULL is fine to abandon. The path "-" is standard output,
 * which just goes on. Local. */
sdca_status sdca_output_open(const char *path, FILE **out);
sdca_status sdca_output_close(FILE *file, const char *path);
void        sdca_output_abandon(FILE *file, const char *path);

#endif
