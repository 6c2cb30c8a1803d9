/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_lock.c - the lock of a checkpoint: one run at a time writes it. */
#include "io/checkpoint_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first bytes of a lock file. */
#define LOCK_MAGIC "sdca lock\n"

/* Whether the open file still has that name: its last owner may have removed it. */
static bool is_same_file(int fd, const char *name)
{
    struct stat opened, named;

    return fstat(fd, &opened) == 0 && lstat(name, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* Open a new file or the existing one, whose content is kept. */
static int open_lock(const char *name, bool *created)
{
    int fd;

    do { /* retry if it is removed meanwhile */
        fd       = sdca_atomic_file_create_exclusive(name);
        *created = fd >= 0;
        if (*created || errno != EEXIST) {
            return fd;
        }
        fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    } while (fd < 0 && errno == ENOENT);
    return fd;
}

/* Check that an existing file is a lock. */
typedef enum lock_content { EMPTY, OWN_LOCK, FOREIGN } lock_content;

static lock_content inspect_lock(int fd)
{
    char        first[sizeof LOCK_MAGIC - 1];
    struct stat info;
    ssize_t     got;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        return FOREIGN;
    }
    got = pread(fd, first, sizeof first, 0);
    if (got == 0) {
        return EMPTY;
    }
    return got == (ssize_t)sizeof first && memcmp(first, LOCK_MAGIC, sizeof first) == 0
               ? OWN_LOCK
               : FOREIGN;
}

/* Write the owner into the lock. The lock is valid even if that fails. */
static void write_owner(int fd)
{
    char    text[256], host[128] = "";
    int     length;
    ssize_t written;

    gethostname(host, sizeof host - 1);
    length = snprintf(text, sizeof text, LOCK_MAGIC "process %ld on %s\n", (long)getpid(),
                      host);
    written = pwrite(fd, text, (size_t)length, 0);
    if (written > 0 && ftruncate(fd, written) != 0) {
        return;
    }
}

static sdca_status fail_not_a_lock(const char *name)
{
    return SDCA_FAIL(SDCA_CREATE,
                     "'%s' is not a lock of sdca: move it, or name another --checkpoint",
                     name);
}

/* Open and lock the file of that name. On failure nothing stays open. */
static sdca_status acquire(const char *path, sdca_checkpoint_lock *lock)
{
    struct flock all     = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    sdca_status  status  = SDCA_OK;
    const char  *name    = lock->name.text;
    bool         created = false;
    lock_content found;

    lock->fd = open_lock(name, &created);
    if (lock->fd < 0) {
        return errno == ELOOP ? fail_not_a_lock(name)
                              : SDCA_FAIL(SDCA_CREATE, "cannot create '%s': %s", name,
                                          strerror(errno));
    }
    found       = created ? EMPTY : inspect_lock(lock->fd);
    lock->owned = created || found == OWN_LOCK;
    if (found == FOREIGN) {
        status = fail_not_a_lock(name);
    } else if (fcntl(lock->fd, F_SETLK, &all) != 0) {
        status =
            errno == EACCES || errno == EAGAIN
                ? SDCA_FAIL(SDCA_CREATE, "'%s' is in use by another run", path)
                : SDCA_FAIL(SDCA_CREATE, "cannot lock '%s': %s", name, strerror(errno));
    }
    if (status != SDCA_OK) {
        close(lock->fd);
    }
    return status;
}

sdca_status sdca_checkpoint_lock_take(const char *path, sdca_checkpoint_lock *out)
{
    sdca_status          status = SDCA_OK;
    sdca_checkpoint_lock lock   = { .held = true,
                                    .name = sdca_atomic_file_with_suffix(
                                        path, SDCA_CHECKPOINT_LOCK_SUFFIX) };

    SDCA_TRY(acquire(path, &lock));
    while (!is_same_file(lock.fd, lock.name.text)) {
        close(lock.fd);
        SDCA_TRY(acquire(path, &lock));
    }
    if (lock.owned) {
        write_owner(lock.fd);
    }
    *out = lock;

done:
    return status;
}

void sdca_checkpoint_lock_release(sdca_checkpoint_lock *lock)
{
    if (lock->held) {
        if (lock->owned && is_same_file(lock->fd, lock->name.text)) {
            unlink(lock->name.text);
        }
        close(lock->fd);
    }
    lock->held = false;
}
