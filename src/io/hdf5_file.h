/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_file.h - HDF5 files: named arrays, strings and attributes.
 *
 * No other module includes hdf5.h. Arrays are global: a rank reads one range of each,
 * and a file does not depend on the number of ranks.
 *
 * Every rank reads files by itself. One process writes, with the serial driver:
 * collective writes through MPI-IO do not report a full disk. A file is written under a
 * temporary name and renamed when it is complete, closed and on disk. */
#ifndef SDCA_IO_HDF5_FILE_H
#define SDCA_IO_HDF5_FILE_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"
#include "base/status.h"
#include "base/string_list.h"

/* An open file. Opaque. */
typedef struct sdca_hdf5_file sdca_hdf5_file;

/* An array that is open to read ranges of it. Opaque. */
typedef struct sdca_hdf5_array sdca_hdf5_array;

/* Types of numbers in memory; a file may have any width. */
typedef enum sdca_dtype {
    SDCA_UINT8,
    SDCA_INT32,
    SDCA_INT64,
    SDCA_FLOAT32,
    SDCA_FLOAT64
} sdca_dtype;

/* The shape of an array: one or two extents (the second is 1 if there is one dimension),
 * integers or floats, and the bytes of an element. */
typedef struct sdca_array_shape {
    int     dimensions;
    int64_t extent[2];
    bool    is_float;
    size_t  element_size;
} sdca_array_shape;

/* Open an existing file for reading. Every rank of comm gives the same path and must
 * find the same file there, or copies of it (size and samples are compared).
 * MPI_COMM_NULL opens it for this process alone and needs no MPI. A file with a
 * checksum (hdf5_checksum.h) is verified first, by one rank for all. On success the
 * caller closes *out with sdca_hdf5_close(). Collective. */
sdca_status sdca_hdf5_open(MPI_Comm comm, const char *path, sdca_hdf5_file **out);

/* Create a file that will be path once it is committed. All writing is done by one rank;
 * the ranks then agree. Local. */
sdca_status sdca_hdf5_create(const char *path, sdca_hdf5_file **out);

/* The same for a file with a checksum (hdf5_checksum.h), which is written when it is
 * committed; earlier files of that name are kept as that many older generations. Local.
 */
sdca_status sdca_hdf5_create_checksummed(const char *path, int generations,
                                         sdca_hdf5_file **out);

/* Flush and close a created file under its temporary name, and check that it opens. It
 * must be committed or, as after a failure, closed afterwards. Local. */
sdca_status sdca_hdf5_finish(sdca_hdf5_file *h5);

/* Finish a created file if necessary, sync it to disk, and rename it to its final name.
 * h5 is freed in any case; on failure an earlier file of that name is unchanged. Local.
 */
sdca_status sdca_hdf5_commit(sdca_hdf5_file *h5);

/* Close a file that was read (Collective, as opening it was), or discard one that was
 * created and not committed (Local). NULL is fine. */
void sdca_hdf5_close(sdca_hdf5_file *h5);

/* Follow links to other files, which are refused otherwise. Local. */
void sdca_hdf5_follow_external_links(sdca_hdf5_file *h5);

/* The failure of the first link that was refused or is dangling, or SDCA_OK. Such an
 * object does not exist for sdca_hdf5_has_...(), and makes all later calls fail; this is
 * for callers that make none. Local. */
sdca_status sdca_hdf5_deferred_error(const sdca_hdf5_file *h5);

/* The path as given. Local. */
const char *sdca_hdf5_path(const sdca_hdf5_file *h5);

/* Whether the file has a checksum. Local. */
bool sdca_hdf5_is_checksummed(const sdca_hdf5_file *h5);

/* Whether there is an array, or a group, of that name. Local. */
bool sdca_hdf5_has_array(sdca_hdf5_file *h5, const char *name);
bool sdca_hdf5_has_group(sdca_hdf5_file *h5, const char *name);

/* Append the names of the members of a group, except those of 256 bytes or more. Local.
 */
sdca_status sdca_hdf5_list_group(sdca_hdf5_file *h5, const char *group,
                                 sdca_string_list *out);

/* The shape of an array; check fails unless it has that many dimensions. Local. */
sdca_status sdca_hdf5_get_shape(sdca_hdf5_file *h5, const char *name,
                                sdca_array_shape *out);
sdca_status sdca_hdf5_check_shape(sdca_hdf5_file *h5, const char *name, int dimensions,
                                  sdca_array_shape *out);

/* Read a range of a one-dimensional array into x, converted to the type. Local. */
sdca_status sdca_hdf5_read_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                 sdca_dtype type, void *x);

/* The same for several ranges, which may share chunks of the file. With two dimensions,
 * a range is one of rows with extent[1] numbers each. On success the caller closes *out
 * with sdca_hdf5_close_array() before the file is; NULL is fine. Local. */
sdca_status sdca_hdf5_open_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                 sdca_hdf5_array **out);
sdca_status sdca_hdf5_read_array(sdca_hdf5_array *array, sdca_range range, void *x);
sdca_array_shape sdca_hdf5_array_shape(const sdca_hdf5_array *array);
void             sdca_hdf5_close_array(sdca_hdf5_array *array);

/* Some columns of some rows of an array of two dimensions, row by row. Local. */
sdca_status sdca_hdf5_read_block(sdca_hdf5_array *array, sdca_range rows,
                                 sdca_range columns, void *x);

/* The same for an array made by sdca_hdf5_create_sparse_array() or _matrix(), which may
 * be longer than what the file stores, as others may not. Local. */
sdca_status sdca_hdf5_open_sparse_array(sdca_hdf5_file *h5, const char *name,
                                        sdca_dtype type, sdca_hdf5_array **out);

/* Append count numbers to an array, which the first call creates. Local. */
sdca_status sdca_hdf5_append(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                             int64_t count, const void *x);

/* Create an array of count numbers, to be written later. Local. */
sdca_status sdca_hdf5_create_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                   int64_t count);

/* The same for an array that is zero where nothing is written: chunks of that length
 * without data take no space in the file. Local. */
sdca_status sdca_hdf5_create_sparse_array(sdca_hdf5_file *h5, const char *name,
                                          sdca_dtype type, int64_t count, int64_t chunk);

/* The same for an array of two dimensions: zero where nothing is written, each row in
 * chunks of that many columns; 0: not in chunks, and all of it takes space. Local. */
sdca_status sdca_hdf5_create_matrix(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                    int64_t rows, int64_t columns, int64_t chunk);

/* Overwrite a range of an existing array; with two dimensions, whole rows of it, or some
 * columns of one row. Local. */
sdca_status sdca_hdf5_write_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                  sdca_dtype type, const void *x);
sdca_status sdca_hdf5_write_row(sdca_hdf5_file *h5, const char *name, int64_t row,
                                sdca_range columns, sdca_dtype type, const void *x);

/* Write a whole array, or create a group. Local. */
sdca_status sdca_hdf5_write_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                  int64_t count, const void *x);
sdca_status sdca_hdf5_create_group(sdca_hdf5_file *h5, const char *name);

/* Attributes of the group or array called object, "/" being the file itself: one string,
 * or count numbers. Reading a string writes at most size bytes including the final zero;
 * reading numbers requires exactly count of them. Local. */
bool sdca_hdf5_has_attribute(sdca_hdf5_file *h5, const char *object, const char *name);
sdca_status sdca_hdf5_read_string_attribute(sdca_hdf5_file *h5, const char *object,
                                            const char *name, char *text, size_t size);
sdca_status sdca_hdf5_write_string_attribute(sdca_hdf5_file *h5, const char *object,
                                             const char *name, const char *text);
sdca_status sdca_hdf5_attribute_length(sdca_hdf5_file *h5, const char *object,
                                       const char *name, int64_t *count);
sdca_status sdca_hdf5_read_attribute(sdca_hdf5_file *h5, const char *object,
                                     const char *name, sdca_dtype type, int64_t count,
                                     void *x);
sdca_status sdca_hdf5_write_attribute(sdca_hdf5_file *h5, const char *object,
                                      const char *name, sdca_dtype type, int64_t count,
                                      const void *x);

/* Arrays of strings, as arrays or as attributes. When reading, *out is empty before, and
 * stays empty on failure. Local. */
bool        sdca_hdf5_has_strings(sdca_hdf5_file *h5, const char *name);
sdca_status sdca_hdf5_read_strings(sdca_hdf5_file *h5, const char *name,
                                   sdca_string_list *out);
sdca_status sdca_hdf5_write_strings(sdca_hdf5_file *h5, const char *name,
                                    const sdca_string_list *strings);
sdca_status sdca_hdf5_write_string_list_attribute(sdca_hdf5_file *h5, const char *object,
                                                  const char             *name,
                                                  const sdca_string_list *strings);

/* The version of the HDF5 library, at most size bytes including the final zero. Local. */
void sdca_hdf5_library_version(char *text, size_t size);

#endif
