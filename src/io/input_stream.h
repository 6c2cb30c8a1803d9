/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input_stream.h - the decompressed bytes of an input.
 *
 * An input is a file or, under the name "-", standard input. Compression by gzip, xz,
 * bzip2 or zstd is recognised by the first bytes, not by the name. */
#ifndef SDCA_IO_INPUT_STREAM_H
#define SDCA_IO_INPUT_STREAM_H

#include <stddef.h>

#include "base/status.h"

/* An open input. Opaque. */
typedef struct sdca_input_stream sdca_input_stream;

/* Open an input. Fails with SDCA_MISSING if it cannot be opened. Local. On success the
 * caller closes *out with sdca_input_stream_close(). */
sdca_status sdca_input_stream_open(const char *path, sdca_input_stream **out);

/* Open an input that will be read more than once. A pipe or the like is first copied to
 * an unnamed file in the directory of the path beside; fails with SDCA_CREATE or SDCA_IO
 * if that is not possible. Local. */
sdca_status sdca_input_stream_open_rewindable(const char *path, const char *spool_path,
                                              sdca_input_stream **out);

/* Rewind an input that was opened to be read more than once. Local. */
sdca_status sdca_input_stream_rewind(sdca_input_stream *stream);

/* The next *length bytes at *block, valid until the next call; a *length of 0 is the
 * end. Fails with SDCA_DATA if compressed data is damaged or truncated, and with SDCA_IO
 * if reading fails. Local. */
sdca_status sdca_input_stream_read(sdca_input_stream *stream, const char **block,
                                   size_t *length);

/* The fraction of the file that was read, from 0 to 1; NaN if it is not a file. Local. */
double sdca_input_stream_fraction_read(const sdca_input_stream *stream);

/* Close the input. NULL is fine. Local. */
void sdca_input_stream_close(sdca_input_stream *stream);

/* The name of the input: its path, or "standard input". Local. */
const char *sdca_input_stream_name(const sdca_input_stream *stream);

/* The version of libarchive and of its decompression libraries. Local. */
const char *sdca_input_stream_library_version(void);

#endif
