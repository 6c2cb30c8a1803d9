/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_files.c - the files of a checkpoint: names, generations and lock. */
#include "io/checkpoint_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checksum.h"

/* Suffixes of the files of a checkpoint; those of older generations are numbers. */
#define OLD_SUFFIX ".old"
#define LOCK_SUFFIX ".lock"
#define TEMP_TAG "checkpoint-"

/* The first bytes of a lock file. */
#define LOCK_MAGIC "sdca lock\n"

sdca_path sdca_checkpoint_files_old_path(const char *path)
{
    return sdca_atomic_file_with_suffix(path, OLD_SUFFIX);
}

sdca_path sdca_checkpoint_files_temp_path(const char *path)
{
    return sdca_atomic_file_tagged_temp_path(path, TEMP_TAG);
}

sdca_status sdca_checkpoint_files_check_replaceable(const char *path, int oldest)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k <= oldest; k++) {
        SDCA_TRY(
            sdca_checksum_check_replaceable(sdca_atomic_file_generation(path, k).text));
    }

done:
    return status;
}

/* ".1" to ".99"? */
static bool is_generation(const char *suffix)
{
    size_t digits = suffix[0] == '.' ? strspn(suffix + 1, "0123456789") : 0;

    return digits > 0 && digits < 3 && suffix[1 + digits] == '\0' && suffix[1] != '0' &&
           atoi(suffix + 1) <= SDCA_CHECKSUM_MAX_GENERATIONS;
}

/* Whether this is the suffix of one of our temporary names. */
static bool is_temporary(const char *suffix)
{
    static const char begin[] = SDCA_ATOMIC_FILE_TEMP_INFIX TEMP_TAG;
    const char                                             *pid, *number;

    if (strncmp(suffix, begin, sizeof begin - 1) != 0) {
        return false;
    }
    pid    = suffix + sizeof begin - 1;
    number = pid + strspn(pid, "0123456789");
    return number > pid && *number == '-' &&
           strspn(number + 1, "0123456789abcdef") == 8 && strcmp(number + 9, ".tmp") == 0;
}

bool sdca_checkpoint_files_contain_generation(const char *path, const char *other)
{
    sdca_path suffix;

    return sdca_atomic_file_match_suffix(path, other, &suffix) &&
           (suffix.text[0] == '\0' || strcmp(suffix.text, OLD_SUFFIX) == 0 ||
            is_generation(suffix.text));
}

bool sdca_checkpoint_files_contain(const char *path, const char *other)
{
    sdca_path suffix;

    return sdca_checkpoint_files_contain_generation(path, other) ||
           (sdca_atomic_file_match_suffix(path, other, &suffix) &&
            (strcmp(suffix.text, LOCK_SUFFIX) == 0 || is_temporary(suffix.text)));
}

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
static sdca_status acquire(const char *path, sdca_file_lock *lock)
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

sdca_status sdca_checkpoint_files_lock(const char *path, sdca_file_lock *out)
{
    sdca_status    status = SDCA_OK;
    sdca_file_lock lock   = { .held = true,
                              .name = sdca_atomic_file_with_suffix(path, LOCK_SUFFIX) };

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

void sdca_checkpoint_files_unlock(sdca_file_lock *lock)
{
    if (lock->held) {
        if (lock->owned && is_same_file(lock->fd, lock->name.text)) {
            unlink(lock->name.text);
        }
        close(lock->fd);
    }
    lock->held = false;
}

int sdca_checkpoint_files_remove_temps(const char *path)
{
    sdca_path      target = sdca_atomic_file_generation(path, 0), copy = target;
    const char    *slash     = strrchr(target.text, '/');
    const char    *base      = slash != NULL ? slash + 1 : target.text;
    size_t         length    = strlen(base);
    DIR           *directory = opendir(dirname(copy.text));
    struct dirent *entry     = NULL;
    int            count     = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *suffix = entry->d_name + length;
        struct stat info;
        sdca_path   name;

        if (strncmp(entry->d_name, base, length) == 0 && is_temporary(suffix)) {
            name = sdca_atomic_file_with_suffix(target.text, suffix);
            count += lstat(name.text, &info) == 0 && S_ISREG(info.st_mode) &&
                     unlink(name.text) == 0;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}
