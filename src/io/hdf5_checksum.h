/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_checksum.h - a checksum over a whole HDF5 file.
 *
 * The first bytes of the file, which HDF5 leaves to the user, hold the length and the
 * CRC-32 of the rest. Every byte of the file is covered, metadata and the checksum
 * header included, and verified before HDF5 opens the file: a damaged file never reaches
 * a library that trusts it. */
#ifndef SDCA_IO_HDF5_CHECKSUM_H
#define SDCA_IO_HDF5_CHECKSUM_H

#include <stdbool.h>

#include "base/status.h"

/* Bytes of the header at the beginning of a file; HDF5 requires a power of 2. */
enum { SDCA_CHECKSUM_BLOCK_SIZE = 512 };

/* Write the header of a file that is complete otherwise, sync it to disk, and verify it
 * by reading it back. Messages call the file name. Local. */
sdca_status sdca_checksum_write(const char *path, const char *name);

/* Verify a file. SDCA_MISSING if there is none, SDCA_DATA with a message if it is
 * damaged. Reads the whole file. Local. */
sdca_status sdca_checksum_verify(const char *path, const char *name);

/* Whether a file begins with a checksum header, be it intact or not. Local. */
bool sdca_checksum_is_present(const char *path);

/* Check that a file with a checksum may replace what has this name: nothing, an empty
 * file, or a file that begins with a checksum header, intact or damaged. SDCA_CREATE if
 * it is anything else, including a symbolic link. Local. */
sdca_status sdca_checksum_check_replaceable(const char *path);

/* The number of older generations that are searched. */
enum { SDCA_CHECKSUM_MAX_GENERATIONS = 99 };

/* Find the newest intact generation of a file: *generation is 0 for path itself, 1 for
 * path.1 and so on. SDCA_MISSING if there is none at all, else the failure of the
 * newest, which sdca_status_message() has even if an older one is intact. Local. */
sdca_status sdca_checksum_find_intact(const char *path, int *age);

#endif
