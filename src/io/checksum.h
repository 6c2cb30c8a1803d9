/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checksum.h - a file that tells whether it is whole.
 *
 * Its first bytes, which HDF5 leaves to the user, say how many bytes follow and what
 * their CRC-32 is. Every byte of the file is covered, metadata and seal included, and
 * is looked at before HDF5 is: a damaged file never gets as far as a library that
 * trusts it. */
#ifndef SDCA_IO_CHECKSUM_H
#define SDCA_IO_CHECKSUM_H

#include <stdbool.h>

#include "base/status.h"

/* Bytes that the seal takes at the beginning of a file; HDF5 wants a power of 2. */
enum { SDCA_CHECKSUM_BLOCK_SIZE = 512 };

/* Seal a file that is complete but for its first bytes, force it onto the disk, and
 * read it back from there. name is the file's in sentences. Local. */
sdca_status sdca_checksum_write(const char *path, const char *name);

/* Is the file as it was when it was sealed? SDCA_MISSING if there is none, SDCA_DATA with
 * a sentence if it is damaged. Reads all of the file. Local. */
sdca_status sdca_checksum_verify(const char *path, const char *name);

/* Does the file begin as a sealed one does, be it whole or not? Local. */
bool sdca_checksum_is_present(const char *path);

/* May a sealed file take this name? It may where there is nothing, an empty file, or one
 * that begins with a seal, whole or damaged. SDCA_CREATE if there is anything else, a
 * symbolic link included. Local. */
sdca_status sdca_checksum_check_replaceable(const char *path);

/* How many older generations are looked for. */
enum { SDCA_CHECKSUM_MAX_GENERATIONS = 99 };

/* The youngest generation of a file that is whole: *age is 0 for path itself, 1 for
 * path.1 and so on. SDCA_MISSING if there is none at all, else the trouble with the
 * youngest, which sdca_status_message() tells also where an older one is found. Local. */
sdca_status sdca_checksum_find_intact(const char *path, int *age);

#endif
