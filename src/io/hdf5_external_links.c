/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_external_links.c - links to other files.
 *
 * A file from elsewhere can name any other file. HDF5 calls follow() before it opens
 * another file, which is refused unless the user allows it. */
#define _DEFAULT_SOURCE /* realpath() */
#include "io/hdf5_private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is known about the target file of a link. */
typedef struct search {
    const char *target;
    bool        found;
    bool        is_special; /* not a regular file: opening it may block */
} search;

/* Whether the target is in the directory folder[0 .. length - 1]. */
static void search_directory(search *s, const char *directory, size_t length)
{
    char        path[4096];
    struct stat info;
    bool        ended = length == 0 || directory[length - 1] == '/';
    int         used  = snprintf(path, sizeof path, "%.*s%s%s", (int)length, directory,
                        ended ? "" : "/", s->target);

    if (used > 0 && (size_t)used < sizeof path && stat(path, &info) == 0) {
        s->found      = true;
        s->is_special = s->is_special || !S_ISREG(info.st_mode);
    }
}

/* Whether it is in the directory of a file. */
static void search_beside(search *s, const char *path)
{
    const char *slash = strrchr(path, '/');

    search_directory(s, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
}

/* Where HDF5 searches for the target of a link in parent: the path itself, the
 * directories of HDF5_EXT_PREFIX, the directory of the parent and the current directory.
 */
static search find_target(const char *parent, const char *target)
{
    search      s     = { .target = target };
    const char *slash = strrchr(target, '/');
    const char *next  = getenv("HDF5_EXT_PREFIX");
    char       *real  = realpath(parent, NULL);

    search_directory(&s, "", 0);
    if (target[0] == '/') {
        s.target = slash + 1;
    }
    while (next != NULL) {
        const char *end = strchr(next, ':');

        search_directory(&s, next, end != NULL ? (size_t)(end - next) : strlen(next));
        next = end != NULL ? end + 1 : NULL;
    }
    search_beside(&s, parent);
    search_directory(&s, "", 0);
    if (real != NULL) {
        search_beside(&s, real);
        free(real);
    }
    return s;
}

static sdca_status check_target(const sdca_hdf5_file *h5, const char *parent,
                                const char *target)
{
    search s;

    if (!h5->follow_external) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has a link to the file '%s', which is not opened: with "
                         "--follow-links, train, predict, bound and info open those of "
                         "data",
                         h5->path, target);
    }
    s = find_target(parent, target);
    return s.is_special ? SDCA_FAIL(SDCA_DATA,
                                    "'%s', to which '%s' has a link, is not a "
                                    "regular file",
                                    target, h5->path)
           : s.found
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "'%s', to which '%s' has a link, is not there",
                           target, h5->path);
}

/* The callback of HDF5. Each rank opens the other file by itself: a failure on one rank
 * must not block the others. */
static herr_t external_link_callback(const char *parent, const char *group,
                                     const char *target, const char *object,
                                     unsigned *flags, hid_t access, void *context)
{
    sdca_hdf5_file *h5 = context;

    (void)group;
    (void)object;
    (void)flags;
    if (sdca_hdf5_defer_error(h5, check_target(h5, parent, target)) != SDCA_OK) {
        return -1;
    }
    return H5Pset_fapl_sec2(access);
}

hid_t sdca_hdf5_link_access(sdca_hdf5_file *h5)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);

    H5Pset_elink_cb(access, external_link_callback, h5);
    return access;
}

void sdca_hdf5_follow_external_links(sdca_hdf5_file *h5)
{
    h5->follow_external = true;
}

sdca_status sdca_hdf5_defer_error(sdca_hdf5_file *h5, sdca_status status)
{
    if (status != SDCA_OK && h5->deferred_status == SDCA_OK) {
        h5->deferred_status = status;
        memcpy(h5->deferred_message, sdca_status_message(), sizeof h5->deferred_message);
    }
    return status;
}

sdca_status sdca_hdf5_deferred_error(const sdca_hdf5_file *h5)
{
    if (h5->deferred_status != SDCA_OK) {
        memcpy(sdca_status_buffer(), h5->deferred_message, sizeof h5->deferred_message);
    }
    return h5->deferred_status;
}
