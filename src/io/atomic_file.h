/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atomic_file.h - files that appear complete under their final name or not at all.
 *
 * Output is written to a temporary file in the same directory, NAME.sdca-PID-NUMBER.tmp,
 * which no other process uses, and then renamed. If two processes have the same output,
 * each publishes a complete file, and the last one stays. A process that is killed
 * leaves its temporary file behind. A name that is a symbolic link stands for its
 * target. */
#ifndef SDCA_IO_ATOMIC_FILE_H
#define SDCA_IO_ATOMIC_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* A path of any length that the system allows, with space for a suffix of ours. Paths
 * need no heap: a temporary file can be removed when memory is exhausted. */
typedef struct sdca_path {
    char text[4096 + 64];
} sdca_path;

/* The path that path stands for, with a suffix. Local. */
sdca_path sdca_atomic_file_with_suffix(const char *path, const char *suffix);

/* Separates the name of an output from the rest of its temporary name. */
#define SDCA_ATOMIC_FILE_TEMP_INFIX ".sdca-"

/* The temporary name of path in this process, the same at each call; with a kind of its
 * own before the numbers, or "" for an output. Local. */
sdca_path sdca_atomic_file_temp_path(const char *path);
sdca_path sdca_atomic_file_tagged_temp_path(const char *path, const char *tag);

/* Whether a path means standard output. Local. */
bool sdca_atomic_file_is_stdout(const char *path);

/* Check that this output, or a file of that name (which standard output is not), can be
 * created, before long work. Local. */
sdca_status sdca_atomic_file_check_writable(const char *path);
sdca_status sdca_atomic_file_check_regular(const char *path);

/* Fails with SDCA_USAGE if an output is the same file as an input, under any name.
 * Local. */
sdca_status sdca_atomic_file_check_not_input(const char *path, const char *input);

/* Fails with SDCA_USAGE if two outputs, existing or not, are the same file. Local. */
sdca_status sdca_atomic_file_check_distinct(const char *path, const char *other);

/* Whether other is in the directory of path and its name is that of path with or without
 * a suffix. Neither needs to exist. Local. */
bool sdca_atomic_file_match_suffix(const char *path, const char *other,
                                   sdca_path *suffix);

/* The name of an older generation of path: path.1, path.2, ...; path itself for 0.
 * Local. */
sdca_path sdca_atomic_file_generation(const char *path, int age);

/* Sync the finished temporary file and its directory to disk, and rename it to path.
 * Earlier files of that name are kept as that many older generations. At any time there
 * is a complete file called path, if there was one before. On failure the temporary file
 * is removed. Local. */
sdca_status sdca_atomic_file_publish(const char *temporary, const char *path,
                                     int generations);

/* Create a new file and open it for reading and writing. Fails, with errno set, if
 * anything has that name, including a symbolic link. Local. */
int sdca_atomic_file_create_exclusive(const char *name);

/* Text files: open the temporary file; check all writes, close and publish it; or
 * discard it. The last two close the stream in any case; discarding NULL is fine. The
 * path "-" is standard output, which is only flushed. Local. */
sdca_status sdca_atomic_file_open(const char *path, FILE **out);
sdca_status sdca_atomic_file_commit(FILE *file, const char *path);
void        sdca_atomic_file_discard(FILE *file, const char *path);

#endif
