/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_file.h - the one door to HDF5: named arrays and attributes in a file.
 *
 * No other module includes hdf5.h. Arrays are global: a rank reads one range of each,
 * and a file does not know how many ranks there are.
 *
 * Files are read by every rank for itself, and written by one process with the serial
 * driver: a full disk goes unnoticed in collective writes through MPI-IO. A file is
 * written beside its final name and takes that name only when it is complete, closed and
 * on the disk. */
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

/* An array held open to be read piece by piece. Opaque. */
typedef struct sdca_hdf5_array sdca_hdf5_array;

/* The types of numbers; in a file, any width reads as any of these. */
typedef enum sdca_dtype {
    SDCA_UINT8,
    SDCA_INT32,
    SDCA_INT64,
    SDCA_FLOAT32,
    SDCA_FLOAT64
} sdca_dtype;

/* What an array is: one or two extents (a second extent of 1 if there is one
 * dimension), whole or real numbers, and the bytes of one of them. */
typedef struct sdca_array_shape {
    int     dimensions;
    int64_t extent[2];
    bool    is_float;
    size_t  element_size;
} sdca_array_shape;

/* Open an existing file for reading. Collective: every rank of comm gives the
 * same path and must find the same file there, or copies of it (size and samples are
 * compared). MPI_COMM_NULL opens it for this process alone and needs no MPI. A file that
 * begins with a seal (seal.h) is checked first, by one rank for all: HDF5 sees it only if
 * it is whole. On success *out is the caller's, to be closed with sdca_hdf5_close(). */
sdca_status sdca_hdf5_open(MPI_Comm comm, const char *path, sdca_hdf5_file **out);

/* Begin a new file that will be path once it is committed. Local, as is all
 * writing: one rank writes, then the ranks agree. */
sdca_status sdca_hdf5_create(const char *path, sdca_hdf5_file **out);

/* The same for a file with a seal (seal.h), which commit puts on it; what had its name
 * before stays, in so many older generations. Local. */
sdca_status sdca_hdf5_create_checksummed(const char *path, int generations,
                                         sdca_hdf5_file **out);

/* Finish a created file under its temporary name: flush it, close it, and check that it
 * opens. It is still to be committed or, as after a failure, closed. Local. */
sdca_status sdca_hdf5_finish(sdca_hdf5_file *h5);

/* Finish a created file if that is still to be done, sync it to the disk, and rename it
 * to its final name. The store is gone afterwards, whatever the
 * result; where it fails, what had the final name before is untouched. Local. */
sdca_status sdca_hdf5_commit(sdca_hdf5_file *h5);

/* Close a file that was read (Collective, as the opening was), or abandon one
 * that was created and not committed, leaving nothing behind. NULL is fine. */
void sdca_hdf5_close(sdca_hdf5_file *h5);

/* Follow links that lead to other files, which are refused otherwise. Local. */
void sdca_hdf5_follow_external_links(sdca_hdf5_file *h5);

/* Could all that was looked for so far be opened, where it is there? What has a link that
 * was refused, or that leads nowhere, counts as not there in sdca_hdf5_has_...(), and
 * makes all later calls fail; this is for whoever makes none. Local. */
sdca_status sdca_hdf5_deferred_error(const sdca_hdf5_file *h5);

/* The path as the user gave it. Local. */
const char *sdca_hdf5_path(const sdca_hdf5_file *h5);

/* Does the file have a seal? Local. */
bool sdca_hdf5_is_checksummed(const sdca_hdf5_file *h5);

/* Is there an array, or a group, of that name? Local. */
bool sdca_hdf5_has_array(sdca_hdf5_file *h5, const char *name);
bool sdca_hdf5_has_group(sdca_hdf5_file *h5, const char *name);

/* Append the names of what is in a group, but for those of 256 bytes or more. Local. */
sdca_status sdca_hdf5_list_group(sdca_hdf5_file *h5, const char *group,
                                 sdca_string_list *out);

/* Facts about an array, which for check must have so many dimensions. Local. */
sdca_status sdca_hdf5_get_shape(sdca_hdf5_file *h5, const char *name,
                                sdca_array_shape *out);
sdca_status sdca_hdf5_check_shape(sdca_hdf5_file *h5, const char *name, int dimensions,
                                  sdca_array_shape *out);

/* Read a range of an array of one dimension: x holds range.count numbers of the type.
 * Local: no rank waits for another. */
sdca_status sdca_hdf5_read_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                 sdca_dtype type, void *x);

/* The same in pieces, which may share chunks of the file: numbers come as the type, and
 * ranges are of whole rows, extent[1] numbers each, where there are two dimensions. On
 * success *out is the caller's, to be closed with sdca_hdf5_close_array() before
 * the store is; NULL is fine. Local. */
sdca_status sdca_hdf5_open_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                 sdca_hdf5_array **out);
sdca_status sdca_hdf5_read_array(sdca_hdf5_array *array, sdca_range range, void *x);
sdca_array_shape sdca_hdf5_array_shape(const sdca_hdf5_array *array);
void             sdca_hdf5_close_array(sdca_hdf5_array *array);

/* The same for an array that sdca_hdf5_create_sparse_array() has made, which may be
 * longer than what the file stores: others may not. Local. */
sdca_status sdca_hdf5_open_sparse_array(sdca_hdf5_file *h5, const char *name,
                                        sdca_dtype type, sdca_hdf5_array **out);

/* Append count numbers to an array, which the first call makes. Local. */
sdca_status sdca_hdf5_append(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                             int64_t count, const void *x);

/* Make an array of count numbers that are still to be written. Local. */
sdca_status sdca_hdf5_create_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                   int64_t count);

/* The same for one that is zero wherever nothing is written: pieces of that length,
 * counted from 0, in which nothing is take no space in the file. Local. */
sdca_status sdca_hdf5_create_sparse_array(sdca_hdf5_file *h5, const char *name,
                                          sdca_dtype type, int64_t count, int64_t chunk);

/* Replace a range of an array that is there. Local. */
sdca_status sdca_hdf5_write_range(sdca_hdf5_file *h5, const char *name, sdca_range range,
                                  sdca_dtype type, const void *x);

/* Write a whole array, or make a group. Local. */
sdca_status sdca_hdf5_write_array(sdca_hdf5_file *h5, const char *name, sdca_dtype type,
                                  int64_t count, const void *x);
sdca_status sdca_hdf5_create_group(sdca_hdf5_file *h5, const char *name);

/* Attributes of the group or array called object, "/" being the file itself:
 * one string of text, or count numbers. get_text writes at most size bytes,
 * the final zero included; get_numbers wants exactly count numbers. Local. */
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

/* Texts as a whole array, in a file or as an attribute. read_texts wants *out empty,
 * and leaves it so where it fails. Local. */
bool        sdca_hdf5_has_strings(sdca_hdf5_file *h5, const char *name);
sdca_status sdca_hdf5_read_strings(sdca_hdf5_file *h5, const char *name,
                                   sdca_string_list *out);
sdca_status sdca_hdf5_write_strings(sdca_hdf5_file *h5, const char *name,
                                    const sdca_string_list *strings);
sdca_status sdca_hdf5_write_string_list_attribute(sdca_hdf5_file *h5, const char *object,
                                                  const char             *name,
                                                  const sdca_string_list *strings);

/* Write the version of the HDF5 in use, which is a parallel one: at most size bytes,
 * the final zero included. Local. */
void sdca_hdf5_library_version(char *text, size_t size);

#endif
