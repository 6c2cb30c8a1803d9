/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store_hdf5.h - what the sources of the store share: HDF5 itself, an open file, and why
 * a call failed.
 *
 * Calls of HDF5 say why they failed until the next call; what a store has noted stays. */
#ifndef SDCA_STORE_HDF5_H
#define SDCA_STORE_HDF5_H

#include <hdf5.h>

#include "sdca/output.h"
#include "sdca/store.h"

struct sdca_store {
    hid_t       file;
    hid_t       access; /* how arrays and links are opened */
    char       *path;
    sdca_name   temporary; /* the name while it is written; "" for a file that is read */
    bool        sealed;    /* or to be sealed */
    bool        closed;    /* what was created, under that name */
    int         older;     /* generations to keep */
    char        reason[SDCA_WHY_SIZE / 4]; /* of the first failure, in HDF5's words */
    bool        follows;                   /* links to other files */
    sdca_status held; /* why something that is there cannot be opened: all calls fail */
    char        why[SDCA_WHY_SIZE];
};

/* Fail unless all ranks have the same file at path: the same size, and the same bytes
 * where samples are taken. status is what this rank has found so far; where only other
 * ranks than 0 fail, the sentence names one. Collective. */
sdca_status sdca_store_check_copies(MPI_Comm comm, const char *path, sdca_status status);

/* Note why a call of HDF5 failed, if it did, and give its result back. Local. */
herr_t sdca_store_noted(sdca_store *store, herr_t result);

/* Let the file that is opened so be read by way of a driver that fails where HDF5 would
 * not come back; and the reasons of its own that it gives. Local. */
herr_t                   sdca_store_set_guard(hid_t access);
extern const char *const sdca_store_bad_heap, *const sdca_store_no_memory;

/* Record a failure with HDF5's own words behind ours: "cannot WHAT NAME in 'FILE': ...",
 * or the file alone where name is NULL. Local. */
sdca_status sdca_store_fail(sdca_status status, sdca_store *store, const char *what,
                            const char *name);

/* How a store opens arrays and follows links, to be closed by H5Pclose(). Local. */
hid_t sdca_store_access(sdca_store *store);

/* Keep a failure and its sentence for sdca_store_check_links(), and give it back. Local.
 */
sdca_status sdca_store_hold(sdca_store *store, sdca_status status);

/* Are the values of an open array in its file? Asked before the space of the array, for
 * which HDF5 may open other files. Local. */
sdca_status sdca_store_check_inside(sdca_store *store, const char *name, hid_t array);

/* Does the file store enough to make an open array of that extent, of elements of so many
 * bytes? Of one that is in part zeros (reserve_zeros), no more than a chunk is needed.
 * Local. */
sdca_status sdca_store_check_size(sdca_store *store, const char *name, hid_t array,
                                  const hsize_t extent[2], size_t bytes, bool zeros);

/* The bytes that the texts of an open array may take, which lie in its file; and a way to
 * read them, to be closed by H5Pclose(), that stops when there would be more than *left,
 * which is below 0 then, or no memory, which makes it NAN. Local. */
double sdca_store_text_bytes(hid_t array);
hid_t  sdca_store_limit_texts(double *left);

/* Record that an open array could not be read: for want of a filter, if that is so, and
 * otherwise in HDF5's words. Local. */
sdca_status sdca_store_fail_reading(sdca_store *store, const char *name, hid_t array);

/* HDF5's name for a type of numbers in memory, which is not to be closed; and its type
 * of text, which is. Local. */
hid_t sdca_store_native(sdca_type type);
hid_t sdca_store_text_type(void);

#endif
