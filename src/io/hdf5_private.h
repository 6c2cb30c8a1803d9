/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_private.h - what the sources of the store share: HDF5 itself, an open file, and
 * why a call failed.
 *
 * Calls of HDF5 say why they failed until the next call; what a store has noted stays. */
#ifndef SDCA_IO_HDF5_PRIVATE_H
#define SDCA_IO_HDF5_PRIVATE_H

#include <hdf5.h>

#include "io/atomic_file.h"
#include "io/hdf5_file.h"

struct sdca_hdf5_file {
    hid_t     file;
    hid_t     link_access; /* how arrays and links are opened */
    char     *path;
    sdca_path temp_path;   /* the name while it is written; "" for a file that is read */
    bool      checksummed; /* or to be sealed */
    bool      closed;      /* what was created, under that name */
    int       generations; /* generations to keep */
    char hdf5_message[SDCA_MESSAGE_SIZE / 4]; /* of the first failure, in HDF5's words */
    bool follow_external;                     /* links to other files */
    sdca_status deferred_status; /* why something that is there cannot be opened: all
                                    calls fail */
    char deferred_message[SDCA_MESSAGE_SIZE];
};

/* Fail unless all ranks have the same file at path: the same size, and the same bytes
 * where samples are taken. status is what this rank has found so far; where only other
 * ranks than 0 fail, the sentence names one. Collective. */
sdca_status sdca_file_identity_check(MPI_Comm comm, const char *path, sdca_status status);

/* Note why a call of HDF5 failed, if it did, and give its result back. Local. */
herr_t sdca_hdf5_note_error(sdca_hdf5_file *h5, herr_t result);

/* Let the file that is opened so be read by way of a driver that fails where HDF5 would
 * not come back; and the reasons of its own that it gives. Local. */
herr_t                   sdca_hdf5_set_heap_check_driver(hid_t access);
extern const char *const sdca_hdf5_bad_heap, *const sdca_hdf5_no_memory;

/* Record a failure with HDF5's own words behind ours: "cannot WHAT NAME in 'FILE': ...",
 * or the file alone where name is NULL. Local. */
sdca_status sdca_hdf5_fail(sdca_status status, sdca_hdf5_file *h5, const char *what,
                           const char *name);

/* How a store opens arrays and follows links, to be closed by H5Pclose(). Local. */
hid_t sdca_hdf5_link_access(sdca_hdf5_file *h5);

/* Keep a failure and its sentence for sdca_hdf5_deferred_error(), and give it back.
 * Local.
 */
sdca_status sdca_hdf5_defer_error(sdca_hdf5_file *h5, sdca_status status);

/* Are the values of an open array in its file? Asked before the space of the array, for
 * which HDF5 may open other files. Local. */
sdca_status sdca_hdf5_check_stored_inside(sdca_hdf5_file *h5, const char *name,
                                          hid_t array);

/* Does the file store enough to make an open array of that extent, of elements of so many
 * bytes? Of one that is in part zeros (reserve_zeros), no more than a chunk is needed.
 * Local. */
sdca_status sdca_hdf5_check_declared_size(sdca_hdf5_file *h5, const char *name,
                                          hid_t array, const hsize_t extent[2],
                                          size_t bytes, bool is_sparse);

/* The bytes that the texts of an open array may take, which lie in its file; and a way to
 * read them, to be closed by H5Pclose(), that stops when there would be more than *left,
 * which is below 0 then, or no memory, which makes it NAN. Local. */
double sdca_hdf5_max_string_bytes(hid_t array);
hid_t  sdca_hdf5_limit_string_bytes(double *left);

/* Record that an open array could not be read: for want of a filter, if that is so, and
 * otherwise in HDF5's words. Local. */
sdca_status sdca_hdf5_fail_read(sdca_hdf5_file *h5, const char *name, hid_t array);

/* HDF5's name for a type of numbers in memory, which is not to be closed; and its type
 * of text, which is. Local. */
hid_t sdca_hdf5_native_type(sdca_dtype type);
hid_t sdca_hdf5_string_type(void);

#endif
