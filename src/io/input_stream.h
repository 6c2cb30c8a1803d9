/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input_stream.h - the bytes of an input, unpacked if need be.
 *
 * An input is a file or, under the name "-", standard input. Whether it is
 * packed by gzip, xz, bzip2 or zstd is seen from its first bytes, not from its
 * name. */
#ifndef SDCA_IO_INPUT_STREAM_H
#define SDCA_IO_INPUT_STREAM_H

#include <stddef.h>

#include "base/status.h"

/* An open input. Opaque. */
typedef struct sdca_input_stream sdca_input_stream;

/* Open an input. Fails with SDCA_MISSING if it cannot be opened. Local. On
 * success *out is the caller's, to be closed with sdca_input_stream_close(). */
sdca_status sdca_input_stream_open(const char *path, sdca_input_stream **out);

/* Open an input that will be read more than once. One that cannot be, as a pipe, is
 * copied to a file without a name first, in the directory of the path beside; fails
 * with SDCA_CREATE or SDCA_IO if that cannot be done. Local. */
sdca_status sdca_input_stream_open_rewindable(const char *path, const char *spool_path,
                                              sdca_input_stream **out);

/* Begin again with the first byte of an input that was opened to be read twice.
 * Local. */
sdca_status sdca_input_stream_rewind(sdca_input_stream *stream);

/* The next bytes: *length of them from *block on, which stay valid until the
 * next call; a *length of 0 is the end. Fails with SDCA_DATA if packed bytes
 * are damaged or cut short, and with SDCA_IO if reading fails. Local. */
sdca_status sdca_input_stream_read(sdca_input_stream *stream, const char **block,
                                   size_t *length);

/* How much of the file is read, from 0 to 1; NaN for what is no file. Local. */
double sdca_input_stream_fraction_read(const sdca_input_stream *stream);

/* Close the input. NULL is fine. Local. */
void sdca_input_stream_close(sdca_input_stream *stream);

/* The input in words: its path, or "standard input". Local. */
const char *sdca_input_stream_name(const sdca_input_stream *stream);

/* The libarchive that is in use, with the libraries that unpack for it. Local. */
const char *sdca_input_stream_library_version(void);

#endif
