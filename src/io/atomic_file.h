/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atomic_file.h - files that appear whole under their final name or not at all.
 *
 * Everything is written to a new file beside the final one, NAME.sdca-PID-NUMBER.tmp,
 * which no other process uses, and renamed. Of two processes with one output each
 * publishes a whole file, and the last one stays. A process that is killed leaves its
 * temporary file behind. A name that is a symbolic link stands for the file that it
 * leads to. */
#ifndef SDCA_IO_ATOMIC_FILE_H
#define SDCA_IO_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* The name of a file: room for any that the system takes, and for an ending of ours.
 * Names need no heap: a file that is not finished can be removed without memory. */
typedef struct sdca_path {
    char text[4096 + 64];
} sdca_path;

/* The name of a file beside the one that path stands for. Local. */
sdca_path sdca_atomic_file_with_suffix(const char *path, const char *suffix);

/* What stands between the name of an output and the rest of its temporary name. */
#define SDCA_ATOMIC_FILE_TEMP_INFIX ".sdca-"

/* The temporary name of path in this process, the same at each call: of an output, or
 * with a kind of its own before the numbers. Local. */
sdca_path sdca_atomic_file_temp_path(const char *path);
sdca_path sdca_atomic_file_tagged_temp_path(const char *path, const char *tag);

/* Is it standard output? Local. */
bool sdca_atomic_file_is_stdout(const char *path);

/* Can this output, or a file of that name, which standard output is not, be made here?
 * Asked before long work. Local. */
sdca_status sdca_atomic_file_check_writable(const char *path);
sdca_status sdca_atomic_file_check_regular(const char *path);

/* Fails with SDCA_USAGE if the output is the same file as an input, under whatever
 * name. Local. */
sdca_status sdca_atomic_file_check_not_input(const char *path, const char *input);

/* Fails with SDCA_USAGE if two outputs, there already or not, would be one file. Local.
 */
sdca_status sdca_atomic_file_check_distinct(const char *path, const char *other);

/* Does other name a file in the directory of path, whose name is that of path with some
 * ending, or none? Neither need exist. Local. */
bool sdca_atomic_file_match_suffix(const char *path, const char *other,
                                   sdca_path *suffix);

/* The name of what was path so many generations ago: path.1, path.2 ...; of 0, path
 * itself. Local. */
sdca_path sdca_atomic_file_generation(const char *path, int age);

/* Sync the finished file called temporary and its directory to the disk, and
 * rename it to path. What had that name before, and before that, is still there as so
 * many older generations. At no moment is there nothing whole called path. On failure
 * temporary is removed. Local. */
sdca_status sdca_atomic_file_publish(const char *temporary, const char *path,
                                     int generations);

/* Create a new file and open it to read and write. It is refused, with errno, where
 * anything has that name, a symbolic link included. Local. */
int sdca_atomic_file_create_exclusive(const char *name);

/* A text file: open its temporary; finish it, checking every write since, and
 * publish it; or abandon it, leaving nothing behind. The last two take the
 * stream whatever the outcome; NULL is fine to abandon. The path "-" is standard output,
 * which just goes on. Local. */
sdca_status sdca_atomic_file_open(const char *path, FILE **out);
sdca_status sdca_atomic_file_commit(FILE *file, const char *path);
void        sdca_atomic_file_discard(FILE *file, const char *path);

#endif
