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
    hid_t     file;
    char     *path;
    sdca_name temporary; /* the name while it is written; "" for a file that is read */
    bool      sealed;    /* or to be sealed */
    bool      closed;    /* what was created, under that name */
    int       older;     /* generations to keep */
    char      reason[SDCA_WHY_SIZE / 4]; /* of the first failure, in HDF5's words */
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

/* Is an open array made of those of other files? Local. */
bool sdca_store_is_virtual(hid_t array);

/* Record that an open array could not be read: for want of a filter, if that is so, and
 * otherwise in HDF5's words. Local. */
sdca_status sdca_store_fail_reading(sdca_store *store, const char *name, hid_t array);

/* HDF5's name for a type of numbers in memory, which is not to be closed; and its type
 * of text, which is. Local. */
hid_t sdca_store_native(sdca_type type);
hid_t sdca_store_text_type(void);

#endif
