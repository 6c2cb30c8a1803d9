/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_file.c - HDF5 files: opening, creating, committing, and their members. */
#include "io/hdf5_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checkpoint_names.h"
#include "io/hdf5_checksum.h"
#include "mpi/comm.h"

/* Whether the first failure had this errno. */
static bool failed_with(const sdca_hdf5_file *h5, int reason)
{
    return strstr(h5->hdf5_message, strerror(reason)) != NULL;
}

static void free_file(sdca_hdf5_file *h5)
{
    if (h5 != NULL) {
        H5Pclose(h5->link_access);
        free(h5->path);
        free(h5);
    }
}

static sdca_hdf5_file *new_file(const char *path)
{
    sdca_hdf5_file *h5 = calloc(1, sizeof *h5);

    if (h5 != NULL) {
        H5dont_atexit(); /* after a full disk, HDF5's clean-up at exit crashes */
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* we print errors ourselves */
        h5->file        = H5I_INVALID_HID;
        h5->link_access = sdca_hdf5_link_access(h5);
        h5->path        = strdup(path);
        if (h5->path == NULL) {
            free_file(h5);
            h5 = NULL;
        }
    }
    return h5;
}

/* Checks before HDF5 opens the file. */
static sdca_status check_readable(const char *path)
{
    struct stat info;
    FILE       *file;
    char        byte;
    int         reason;

    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        return SDCA_FAIL(SDCA_DATA, "'%s' is not a regular file", path); /* may block */
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

/* Verify the checksum, then check that the file is HDF5, which trusts what it reads. One
 * rank verifies, since that takes time. */
static sdca_status check_intact(sdca_hdf5_file *h5, bool is_root)
{
    const char *path   = h5->path;
    sdca_status status = SDCA_OK;

    SDCA_TRY(check_readable(path));
    h5->checksummed = sdca_checksum_is_present(path);
    if (h5->checksummed && is_root) {
        SDCA_TRY(sdca_checksum_verify(path, path));
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

sdca_status sdca_hdf5_open(MPI_Comm comm, const char *path, sdca_hdf5_file **out)
{
    bool            single_rank = comm == MPI_COMM_NULL || sdca_comm_size(comm) == 1;
    bool            is_root     = single_rank || sdca_comm_rank(comm) == 0;
    sdca_status     status      = SDCA_OK;
    sdca_hdf5_file *h5          = new_file(path);
    hid_t           access      = H5I_INVALID_HID;

    status = h5 != NULL ? check_intact(h5, is_root)
                        : SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
    SDCA_TRY(single_rank ? status : sdca_same_file_on_ranks_check(comm, path, status));

    access = H5Pcreate(H5P_FILE_ACCESS);
    sdca_hdf5_set_heap_check_driver(access);
    h5->file = H5Fopen(path, H5F_ACC_RDONLY, access);
    status   = h5->file >= 0 ? SDCA_OK : sdca_hdf5_fail(SDCA_DATA, h5, "open", NULL);
    SDCA_TRY(single_rank ? status : sdca_comm_agree(comm, status));

    *out = h5;
    h5   = NULL; /* now the caller's */

done:
    if (access >= 0) {
        H5Pclose(access);
    }
    free_file(h5);
    return status;
}

static sdca_status create(const char *path, bool checksummed, int generations,
                          sdca_hdf5_file **out)
{
    sdca_status     status = SDCA_OK;
    sdca_hdf5_file *h5     = new_file(path);
    hid_t           layout = H5I_INVALID_HID;

    if (h5 == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to make '%s'", path);
    }
    h5->temp_path   = checksummed ? sdca_checkpoint_names_temp_path(path)
                                  : sdca_atomic_file_temp_path(path);
    h5->checksummed = checksummed;
    h5->generations = generations;
    SDCA_TRY(sdca_atomic_file_check_regular(path));
    layout = H5Pcreate(H5P_FILE_CREATE);
    if (checksummed) {
        H5Pset_userblock(layout, SDCA_CHECKSUM_BLOCK_SIZE);
    }
    h5->file = H5Fcreate(h5->temp_path.text, H5F_ACC_EXCL, layout, H5P_DEFAULT);
    if (h5->file < 0) {
        status = sdca_hdf5_fail(SDCA_CREATE, h5, "create", NULL);
        status = failed_with(h5, ENOSPC) ? SDCA_IO : status;
        if (!failed_with(h5, EEXIST)) { /* it may exist and be empty */
            unlink(h5->temp_path.text);
        }
        goto done;
    }
    *out = h5;
    h5   = NULL; /* now the caller's */

done:
    if (layout >= 0) {
        H5Pclose(layout);
    }
    free_file(h5);
    return status;
}

sdca_status sdca_hdf5_create(const char *path, sdca_hdf5_file **out)
{
    return create(path, false, 0, out);
}

sdca_status sdca_hdf5_create_checksummed(const char *path, int generations,
                                         sdca_hdf5_file **out)
{
    return create(path, true, generations, out);
}

/* Close a discarded file. HDF5 cannot close a file that it cannot write, and crashes at
 * exit because of it: so writes go to memory instead of a disk that may be full. */
static void close_unwritten(sdca_hdf5_file *h5)
{
    char name[64];
    int *file = NULL;
    int  shm  = -1;

    snprintf(name, sizeof name, "/sdca-%ld", (long)getpid());
    shm = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (shm >= 0) {
        shm_unlink(name);
        if (H5Fget_vfd_handle(h5->file, H5P_DEFAULT, (void **)&file) >= 0) {
            dup2(shm, *file);
        }
        close(shm);
    }
    H5Fclose(h5->file);
}

/* Flush and close the file in any case; then check that it opens, and write the
 * checksum. */
static sdca_status close_created(sdca_hdf5_file *h5)
{
    hid_t check = H5I_INVALID_HID;

    if (sdca_hdf5_note_error(h5, H5Fflush(h5->file, H5F_SCOPE_GLOBAL)) < 0) {
        close_unwritten(h5);
        return sdca_hdf5_fail(SDCA_IO, h5, "write", NULL);
    }
    if (sdca_hdf5_note_error(h5, H5Fclose(h5->file)) < 0) {
        return sdca_hdf5_fail(SDCA_IO, h5, "write", NULL);
    }
    check = H5Fopen(h5->temp_path.text, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (check < 0) {
        return sdca_hdf5_fail(SDCA_IO, h5, "read back", NULL);
    }
    H5Fclose(check);
    return h5->checksummed ? sdca_checksum_write(h5->temp_path.text, h5->path) : SDCA_OK;
}

sdca_status sdca_hdf5_finish(sdca_hdf5_file *h5)
{
    sdca_status status = close_created(h5);

    h5->closed = true;
    return status;
}

sdca_status sdca_hdf5_commit(sdca_hdf5_file *h5)
{
    sdca_status status = h5->closed ? SDCA_OK : close_created(h5);

    if (status == SDCA_OK && h5->checksummed) {
        status = sdca_checkpoint_names_check_replaceable(h5->path, h5->generations);
    }
    if (status == SDCA_OK) {
        status = sdca_atomic_file_publish(h5->temp_path.text, h5->path, h5->generations);
    } else {
        unlink(h5->temp_path.text);
    }
    free_file(h5);
    return status;
}

void sdca_hdf5_close(sdca_hdf5_file *h5)
{
    if (h5 == NULL) {
        return;
    }
    if (h5->temp_path.text[0] == '\0') {
        H5Fclose(h5->file);
    } else {
        if (!h5->closed) {
            close_unwritten(h5);
        }
        unlink(h5->temp_path.text);
    }
    free_file(h5);
}

const char *sdca_hdf5_path(const sdca_hdf5_file *h5)
{
    return h5->path;
}

bool sdca_hdf5_is_checksummed(const sdca_hdf5_file *h5)
{
    return h5->checksummed;
}

/* Whether a link of that name leads to an object of that kind. A link that is dangling,
 * or that must not be followed, makes all later calls fail. */
static bool link_resolves_to(sdca_hdf5_file *h5, const char *name, H5O_type_t kind)
{
    H5O_info_t info;

    if (H5Lexists(h5->file, name, h5->link_access) <= 0) {
        return false;
    }
    if (H5Oget_info_by_name2(h5->file, name, &info, H5O_INFO_BASIC, h5->link_access) <
        0) {
        sdca_hdf5_defer_error(h5, sdca_hdf5_fail(SDCA_DATA, h5, "open", name));
        return false;
    }
    return info.type == kind;
}

/* Whether every part of a/b/c exists and the last one is of that kind. */
static bool has_object(sdca_hdf5_file *h5, const char *name, H5O_type_t kind)
{
    char part[SDCA_MESSAGE_SIZE];

    for (const char *slash = strchr(name, '/'); slash != NULL;
         slash             = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (!link_resolves_to(h5, part, H5O_TYPE_GROUP)) {
            return false;
        }
    }
    return link_resolves_to(h5, name, kind);
}

bool sdca_hdf5_has_array(sdca_hdf5_file *h5, const char *name)
{
    return has_object(h5, name, H5O_TYPE_DATASET);
}

bool sdca_hdf5_has_group(sdca_hdf5_file *h5, const char *name)
{
    return has_object(h5, name, H5O_TYPE_GROUP);
}

sdca_status sdca_hdf5_list_group(sdca_hdf5_file *h5, const char *group,
                                 sdca_string_list *out)
{
    sdca_status status = SDCA_OK;
    H5G_info_t  info;
    char        name[256];

    SDCA_TRY(sdca_hdf5_deferred_error(h5));
    if (H5Gget_info_by_name(h5->file, group, &info, h5->link_access) < 0) {
        return sdca_hdf5_fail(SDCA_IO, h5, "read", group);
    }
    for (hsize_t k = 0; k < info.nlinks; k++) {
        ssize_t length = H5Lget_name_by_idx(h5->file, group, H5_INDEX_NAME, H5_ITER_INC,
                                            k, name, sizeof name, h5->link_access);

        if (length > 0 && (size_t)length < sizeof name) {
            SDCA_TRY(sdca_string_list_append(out, name, (size_t)length));
        }
    }

done:
    return status;
}

sdca_status sdca_hdf5_create_group(sdca_hdf5_file *h5, const char *name)
{
    hid_t group = H5Gcreate2(h5->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

    return group >= 0 && H5Gclose(group) >= 0
               ? SDCA_OK
               : sdca_hdf5_fail(SDCA_IO, h5, "create", name);
}
