/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.h - the bytes of an input, unpacked if need be.
 *
 * An input is a file or, under the name "-", standard input. Whether it is
 * packed by gzip, xz, bzip2 or zstd is seen from its first bytes, not from its
 * name. */
#ifndef SDCA_SOURCE_H
#define SDCA_SOURCE_H

#include <stddef.h>

#include "sdca/status.h"

/* An open input. Opaque. */
typedef struct sdca_source sdca_source;

/* Open an input. Fails with SDCA_MISSING if it cannot be opened. Local. On
 * success *out is the caller's, to be closed with sdca_source_close(). */
sdca_status sdca_source_open(const char *path, sdca_source **out);

/* Open an input that will be read more than once. One that cannot be, as a pipe, is
 * copied to a file without a name first, in the directory of the path beside; fails
 * with SDCA_CREATE or SDCA_IO if that cannot be done. Local. */
sdca_status sdca_source_open_twice(const char *path, const char *beside,
                                   sdca_source **out);

/* Begin again with the first byte of an input that was opened to be read twice.
 * Local. */
sdca_status sdca_source_rewind(sdca_source *source);

/* The next bytes: *length of them from *block on, which stay valid until the
 * next call; a *length of 0 is the end. Fails with SDCA_DATA if packed bytes
 * are damaged or cut short, and with SDCA_IO if reading fails. Local. */
sdca_status sdca_source_read(sdca_source *source, const char **block, size_t *length);

/* How much of the file is read, from 0 to 1; NaN for what is no file. Local. */
double sdca_source_share(const sdca_source *source);

/* Close the input. NULL is fine. Local. */
void sdca_source_close(sdca_source *source);

/* The input in words: its path, or "standard input". Local. */
const char *sdca_source_name(const sdca_source *source);

/* The libarchive that is in use, with the libraries that unpack for it. Local. */
const char *sdca_source_library(void);

#endif
