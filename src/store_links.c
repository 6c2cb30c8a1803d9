/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store_links.c - links of a file that lead to other files.
 *
 * Whoever made a file could name any other in it. HDF5 asks follow() before it goes to
 * another file, and that one is opened only where the user wants it. */
#define _DEFAULT_SOURCE /* realpath() */
#include "store_hdf5.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What was found of the file that a link names. */
typedef struct search {
    const char *target;
    bool        found;
    bool        special; /* no plain file: to open it may block */
} search;

/* Is the target in the folder that is folder[0 .. length - 1]? */
static void look_in(search *s, const char *folder, size_t length)
{
    char        path[4096];
    struct stat facts;
    bool        ended = length == 0 || folder[length - 1] == '/';
    int         used  = snprintf(path, sizeof path, "%.*s%s%s", (int)length, folder,
                        ended ? "" : "/", s->target);

    if (used > 0 && (size_t)used < sizeof path && stat(path, &facts) == 0) {
        s->found   = true;
        s->special = s->special || !S_ISREG(facts.st_mode);
    }
}

/* Is it beside a file? */
static void look_beside(search *s, const char *path)
{
    const char *slash = strrchr(path, '/');

    look_in(s, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
}

/* Where HDF5 looks for the target of a link in parent: at the path itself, in the folders
 * of HDF5_EXT_PREFIX, beside the parent and in the current directory. */
static search look_for(const char *parent, const char *target)
{
    search      s     = { .target = target };
    const char *slash = strrchr(target, '/');
    const char *next  = getenv("HDF5_EXT_PREFIX");
    char       *real  = realpath(parent, NULL);

    look_in(&s, "", 0);
    if (target[0] == '/') {
        s.target = slash + 1;
    }
    while (next != NULL) {
        const char *end = strchr(next, ':');

        look_in(&s, next, end != NULL ? (size_t)(end - next) : strlen(next));
        next = end != NULL ? end + 1 : NULL;
    }
    look_beside(&s, parent);
    look_in(&s, "", 0);
    if (real != NULL) {
        look_beside(&s, real);
        free(real);
    }
    return s;
}

static sdca_status judge(const sdca_store *store, const char *parent, const char *target)
{
    search s;

    if (!store->follows) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' has a link to the file '%s', which is not opened: with "
                         "--follow-links, train, predict, bound and info open those of "
                         "data",
                         store->path, target);
    }
    s = look_for(parent, target);
    return s.special ? SDCA_FAIL(SDCA_DATA,
                                 "'%s', to which '%s' has a link, is not a "
                                 "plain file",
                                 target, store->path)
           : s.found
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA, "'%s', to which '%s' has a link, is not there",
                           target, store->path);
}

/* HDF5's question. Each rank opens the other file by itself: what one finds there must
 * not keep others waiting. */
static herr_t follow(const char *parent, const char *group, const char *target,
                     const char *object, unsigned *flags, hid_t access, void *context)
{
    sdca_store *store = context;

    (void)group;
    (void)object;
    (void)flags;
    if (sdca_store_hold(store, judge(store, parent, target)) != SDCA_OK) {
        return -1;
    }
    return H5Pset_fapl_sec2(access);
}

hid_t sdca_store_access(sdca_store *store)
{
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);

    H5Pset_elink_cb(access, follow, store);
    return access;
}

void sdca_store_follow_links(sdca_store *store)
{
    store->follows = true;
}

sdca_status sdca_store_hold(sdca_store *store, sdca_status status)
{
    if (status != SDCA_OK && store->held == SDCA_OK) {
        store->held = status;
        memcpy(store->why, sdca_status_why(), sizeof store->why);
    }
    return status;
}

sdca_status sdca_store_check_links(const sdca_store *store)
{
    if (store->held != SDCA_OK) {
        memcpy(sdca_status_why(), store->why, sizeof store->why);
    }
    return store->held;
}
