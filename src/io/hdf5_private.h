/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_private.h - shared by the hdf5_* sources: the HDF5 library, an open file, and
 * error messages.
 *
 * HDF5 reports the reason of a failure until the next call; what a file has recorded
 * stays. */
#ifndef SDCA_IO_HDF5_PRIVATE_H
#define SDCA_IO_HDF5_PRIVATE_H

#include <hdf5.h>

#include "io/atomic_file.h"
#include "io/hdf5_file.h"

struct sdca_hdf5_file {
    hid_t     file;
    hid_t     link_access; /* access properties of arrays and links */
    char     *path;
    sdca_path temp_path;   /* the temporary name; "" for a file that is read */
    bool      checksummed; /* has, or will have, a checksum */
    bool      closed;      /* the created file under its temporary name */
    int       generations; /* generations to keep */
    char      hdf5_message[SDCA_MESSAGE_SIZE /
                      4]; /* the message of HDF5 for the first failure */
    bool      follow_external; /* follow links to other files */
    sdca_status
         deferred_status; /* why an existing object cannot be opened; all calls fail */
    char deferred_message[SDCA_MESSAGE_SIZE];
};

/* Fail unless all ranks have the same file at path: the same size, and the same bytes
 * where samples are taken. status is that of this rank so far; if only other ranks than
 * 0 fail, the message names one. Collective. */
sdca_status sdca_same_file_on_ranks_check(MPI_Comm comm, const char *path,
                                          sdca_status status);

/* Record why a call of HDF5 failed, if it did, and return its result. Local. */
herr_t sdca_hdf5_note_error(sdca_hdf5_file *h5, herr_t result);

/* Read the file opened with these properties through a driver that fails on data on
 * which HDF5 would hang or crash; and the reasons that it gives. Local. */
herr_t                   sdca_hdf5_set_heap_check_driver(hid_t access);
extern const char *const sdca_hdf5_bad_heap, *const sdca_hdf5_no_memory;

/* Record a failure with the message of HDF5 appended: "cannot WHAT NAME in 'FILE': ...",
 * or the file alone if name is NULL. Local. */
sdca_status sdca_hdf5_fail(sdca_status status, sdca_hdf5_file *h5, const char *what,
                           const char *name);

/* The access properties for arrays and links, to be closed with H5Pclose(). Local. */
hid_t sdca_hdf5_link_access(sdca_hdf5_file *h5);

/* Record a failure for sdca_hdf5_deferred_error(), and return it. Local. */
sdca_status sdca_hdf5_defer_error(sdca_hdf5_file *h5, sdca_status status);

/* Whether the values of an open array are in its own file. To be checked before its
 * space is opened, for which HDF5 may open other files. Local. */
sdca_status sdca_hdf5_check_stored_inside(sdca_hdf5_file *h5, const char *name,
                                          hid_t array);

/* Check that the file stores enough data for an open array of that extent and element
 * size. An array that is partly zeros (sdca_hdf5_create_sparse_array()) needs no more
 * than one chunk. Local. */
sdca_status sdca_hdf5_check_declared_size(sdca_hdf5_file *h5, const char *name,
                                          hid_t array, const hsize_t extent[2],
                                          size_t bytes, bool is_sparse);

/* The bytes that the strings of an open array may take, as they are stored in its file;
 * and transfer properties, to be closed with H5Pclose(), that stop reading when there
 * would be more than *left, which is then negative, or when out of memory, which makes
 * it NAN. Local. */
double sdca_hdf5_max_string_bytes(hid_t array);
hid_t  sdca_hdf5_limit_string_bytes(double *left);

/* Record that an open array could not be read: because of a missing filter, or else with
 * the message of HDF5. Local. */
sdca_status sdca_hdf5_fail_read(sdca_hdf5_file *h5, const char *name, hid_t array);

/* The HDF5 type of numbers in memory, not to be closed; and that of strings, to be
 * closed. Local. */
hid_t sdca_hdf5_native_type(sdca_dtype type);
hid_t sdca_hdf5_string_type(void);

#endif
