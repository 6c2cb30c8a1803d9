/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store.c - a file of HDF5: how it begins and ends, and what is in it. */
#include "store_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdca/checkpoint.h"
#include "sdca/comm.h"
#include "sdca/seal.h"

/* Did the first failure have that reason, an errno? */
static bool has_reason(const sdca_store *store, int reason)
{
    return strstr(store->reason, strerror(reason)) != NULL;
}

static void free_store(sdca_store *store)
{
    if (store != NULL) {
        H5Pclose(store->access);
        free(store->path);
        free(store);
    }
}

static sdca_store *new_store(const char *path)
{
    sdca_store *store = calloc(1, sizeof *store);

    if (store != NULL) {
        H5dont_atexit(); /* after a full disk HDF5's own clean-up at exit crashes */
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* errors are told in our words */
        store->file   = H5I_INVALID_HID;
        store->access = sdca_store_access(store);
        store->path   = strdup(path);
        if (store->path == NULL) {
            free_store(store);
            store = NULL;
        }
    }
    return store;
}

/* What can be known of a file before HDF5 touches it. */
static sdca_status check_readable(const char *path)
{
    struct stat facts;
    FILE       *file;
    char        byte;
    int         reason;

    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' is not a plain file", path); /* may block */
    }
    file   = fopen(path, "rb");
    reason = errno;
    if (file == NULL) {
        return SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(reason));
    }
    errno = 0;
    if (fread(&byte, 1, 1, file) != 1) {
        reason = errno;
        fclose(file);
        return reason == 0 ? SDCA_FAIL(SDCA_DATA, "'%s' is empty", path)
                           : SDCA_FAIL(SDCA_MISSING, "cannot read '%s': %s", path,
                                       strerror(reason));
    }
    fclose(file);
    return SDCA_OK;
}

/* Is it whole, and HDF5? HDF5 trusts what it reads: the seal comes first. It is one
 * rank's to check, which takes time. */
static sdca_status check_whole(sdca_store *store, bool first)
{
    const char *path   = store->path;
    sdca_status status = SDCA_OK;

    SDCA_TRY(check_readable(path));
    store->sealed = sdca_seal_is_on(path);
    if (store->sealed && first) {
        SDCA_TRY(sdca_seal_check(path, path));
    }
    if (H5Fis_hdf5(path) <= 0) {
        status = SDCA_FAIL(SDCA_DATA,
                           "'%s' is not an HDF5 file; sdca convert makes one of text and "
                           "tables",
                           path);
    }

done:
    return status;
}

sdca_status sdca_store_open(MPI_Comm comm, const char *path, sdca_store **out)
{
    bool        alone  = comm == MPI_COMM_NULL || sdca_comm_size(comm) == 1;
    bool        first  = alone || sdca_comm_rank(comm) == 0;
    sdca_status status = SDCA_OK;
    sdca_store *store  = new_store(path);
    hid_t       access = H5I_INVALID_HID;

    status = store != NULL ? check_whole(store, first)
                           : SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
    SDCA_TRY(alone ? status : sdca_store_check_copies(comm, path, status));

    access = H5Pcreate(H5P_FILE_ACCESS);
    sdca_store_set_guard(access);
    store->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    status = store->file >= 0 ? SDCA_OK : sdca_store_fail(SDCA_DATA, store, "open", NULL);
    SDCA_TRY(alone ? status : sdca_comm_agree(comm, status));

    *out  = store;
    store = NULL; /* now the caller's */

done:
    if (access >= 0) {
        H5Pclose(access);
    }
    free_store(store);
    return status;
}

static sdca_status create(const char *path, bool sealed, int older, sdca_store **out)
{
    sdca_status status = SDCA_OK;
    sdca_store *store  = new_store(path);
    hid_t       layout = H5I_INVALID_HID;

    if (store == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to make '%s'", path);
    }
    store->temporary =
        sealed ? sdca_checkpoint_temporary(path) : sdca_output_temporary(path);
    store->sealed = sealed;
    store->older  = older;
    SDCA_TRY(sdca_output_check_file(path));
    layout = H5Pcreate(H5P_FILE_CREATE);
    if (sealed) {
        H5Pset_userblock(layout, SDCA_SEAL_SIZE);
    }
    store->file = H5Fcreate(store->temporary.text, H5F_ACC_EXCL, layout, H5P_DEFAULT);
    if (store->file < 0) {
        status = sdca_store_fail(SDCA_CREATE, store, "make", NULL);
        status = has_reason(store, ENOSPC) ? SDCA_IO : status;
        if (!has_reason(store, EEXIST)) { /* perhaps there, and empty */
            unlink(store->temporary.text);
        }
        goto done;
    }
    *out  = store;
    store = NULL; /* now the caller's */

done:
    if (layout >= 0) {
        H5Pclose(layout);
    }
    free_store(store);
    return status;
}

sdca_status sdca_store_create(const char *path, sdca_store **out)
{
    return create(path, false, 0, out);
}

sdca_status sdca_store_create_sealed(const char *path, int older, sdca_store **out)
{
    return create(path, true, older, out);
}

/* Close a file that is not wanted any more. HDF5 cannot close one that it cannot
 * write, and crashes over it at the end of the program: so it gets memory to
 * write to, in place of a disk that may be full. */
static void discard(sdca_store *store)
{
    char name[64];
    int *file    = NULL;
    int  nowhere = -1;

    snprintf(name, sizeof name, "/sdca-%ld", (long)getpid());
    nowhere = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (nowhere >= 0) {
        shm_unlink(name);
        if (H5Fget_vfd_handle(store->file, H5P_DEFAULT, (void **)&file) >= 0) {
            dup2(nowhere, *file);
        }
        close(nowhere);
    }
    H5Fclose(store->file);
}

/* Write what HDF5 still holds and close the file, whatever the outcome; then see that
 * it opens, and seal it. */
static sdca_status close_created(sdca_store *store)
{
    hid_t check = H5I_INVALID_HID;

    if (sdca_store_noted(store, H5Fflush(store->file, H5F_SCOPE_GLOBAL)) < 0) {
        discard(store);
        return sdca_store_fail(SDCA_IO, store, "write", NULL);
    }
    if (sdca_store_noted(store, H5Fclose(store->file)) < 0) {
        return sdca_store_fail(SDCA_IO, store, "write", NULL);
    }
    check = H5Fopen(store->temporary.text, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (check < 0) {
        return sdca_store_fail(SDCA_IO, store, "read back", NULL);
    }
    H5Fclose(check);
    return store->sealed ? sdca_seal_put(store->temporary.text, store->path) : SDCA_OK;
}

sdca_status sdca_store_finish(sdca_store *store)
{
    sdca_status status = close_created(store);

    store->closed = true;
    return status;
}

sdca_status sdca_store_commit(sdca_store *store)
{
    sdca_status status = store->closed ? SDCA_OK : close_created(store);

    if (status == SDCA_OK && store->sealed) {
        status = sdca_checkpoint_check_files(store->path, store->older);
    }
    if (status == SDCA_OK) {
        status = sdca_output_publish(store->temporary.text, store->path, store->older);
    } else {
        unlink(store->temporary.text);
    }
    free_store(store);
    return status;
}

void sdca_store_close(sdca_store *store)
{
    if (store == NULL) {
        return;
    }
    if (store->temporary.text[0] == '\0') {
        H5Fclose(store->file);
    } else {
        if (!store->closed) {
            discard(store);
        }
        unlink(store->temporary.text);
    }
    free_store(store);
}

const char *sdca_store_path(const sdca_store *store)
{
    return store->path;
}

bool sdca_store_is_sealed(const sdca_store *store)
{
    return store->sealed;
}

/* Is there a link of that name that leads to an object of that kind? A link that leads
 * nowhere, or where HDF5 may not follow it, is a failure of all later calls. */
static bool leads_to(sdca_store *store, const char *name, H5O_type_t kind)
{
    H5O_info_t facts;

    if (H5Lexists(store->file, name, store->access) <= 0) {
        return false;
    }
    if (H5Oget_info_by_name2(store->file, name, &facts, H5O_INFO_BASIC, store->access) <
        0) {
        sdca_store_hold(store, sdca_store_fail(SDCA_DATA, store, "open", name));
        return false;
    }
    return facts.type == kind;
}

/* Is every part of a/b/c there, the last one of that kind? */
static bool has_object(sdca_store *store, const char *name, H5O_type_t kind)
{
    char part[SDCA_WHY_SIZE];

    for (const char *slash = strchr(name, '/'); slash != NULL;
         slash             = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (!leads_to(store, part, H5O_TYPE_GROUP)) {
            return false;
        }
    }
    return leads_to(store, name, kind);
}

bool sdca_store_has_array(sdca_store *store, const char *name)
{
    return has_object(store, name, H5O_TYPE_DATASET);
}

bool sdca_store_has_group(sdca_store *store, const char *name)
{
    return has_object(store, name, H5O_TYPE_GROUP);
}

sdca_status sdca_store_list(sdca_store *store, const char *group, sdca_texts *out)
{
    sdca_status status = SDCA_OK;
    H5G_info_t  facts;
    char        name[256];

    SDCA_TRY(sdca_store_check_links(store));
    if (H5Gget_info_by_name(store->file, group, &facts, store->access) < 0) {
        return sdca_store_fail(SDCA_IO, store, "read", group);
    }
    for (hsize_t k = 0; k < facts.nlinks; k++) {
        ssize_t length =
            H5Lget_name_by_idx(store->file, group, H5_INDEX_NAME, H5_ITER_INC, k, name,
                               sizeof name, store->access);

        if (length > 0 && (size_t)length < sizeof name) {
            SDCA_TRY(sdca_texts_append(out, name, (size_t)length));
        }
    }

done:
    return status;
}

sdca_status sdca_store_group(sdca_store *store, const char *name)
{
    hid_t group = H5Gcreate2(store->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    return group >= 0 && H5Gclose(group) >= 0
               ? SDCA_OK
               : sdca_store_fail(SDCA_IO, store, "make", name);
}
