/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.c - the files of a checkpoint: their names, and who may use them. */
#include "sdca/checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sdca/seal.h"

/* What stands behind the name of a checkpoint in those of its other files; older
 * generations have numbers. */
#define ASIDE ".old"
#define LOCK ".lock"
#define KIND "checkpoint-"

/* How a lock begins. */
#define MARK "sdca lock\n"

sdca_name sdca_checkpoint_aside(const char *path)
{
    return sdca_output_beside(path, ASIDE);
}

sdca_name sdca_checkpoint_temporary(const char *path)
{
    return sdca_output_temporary_of(path, KIND);
}

sdca_status sdca_checkpoint_check_files(const char *path, int oldest)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k <= oldest; k++) {
        SDCA_TRY(sdca_seal_recognise(sdca_output_generation(path, k).text));
    }

done:
    return status;
}

/* ".1" to ".99"? */
static bool is_age(const char *ending)
{
    size_t digits = ending[0] == '.' ? strspn(ending + 1, "0123456789") : 0;

    return digits > 0 && digits < 3 && ending[1 + digits] == '\0' && ending[1] != '0' &&
           atoi(ending + 1) <= SDCA_SEAL_OLDEST;
}

/* Is this the ending of a temporary name of ours? */
static bool is_temporary(const char *ending)
{
    static const char begin[] = SDCA_OUTPUT_MARK KIND;
    const char                                  *pid, *number;

    if (strncmp(ending, begin, sizeof begin - 1) != 0) {
        return false;
    }
    pid    = ending + sizeof begin - 1;
    number = pid + strspn(pid, "0123456789");
    return number > pid && *number == '-' &&
           strspn(number + 1, "0123456789abcdef") == 8 && strcmp(number + 9, ".tmp") == 0;
}

bool sdca_checkpoint_has_generation(const char *path, const char *other)
{
    sdca_name ending;

    return sdca_output_is_beside(path, other, &ending) &&
           (ending.text[0] == '\0' || strcmp(ending.text, ASIDE) == 0 ||
            is_age(ending.text));
}

bool sdca_checkpoint_has(const char *path, const char *other)
{
    sdca_name ending;

    return sdca_checkpoint_has_generation(path, other) ||
           (sdca_output_is_beside(path, other, &ending) &&
            (strcmp(ending.text, LOCK) == 0 || is_temporary(ending.text)));
}

/* Is the open file still the one of that name? Its last owner may have removed it. */
static bool is_still(int file, const char *name)
{
    struct stat opened, named;

    return fstat(file, &opened) == 0 && lstat(name, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* A new file, or the one that is there: its bytes stay as they are. */
static int open_lock(const char *name, bool *created)
{
    int file;

    do { /* again if it is removed in between */
        file     = sdca_output_create(name);
        *created = file >= 0;
        if (*created || errno != EEXIST) {
            return file;
        }
        file = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    } while (file < 0 && errno == ENOENT);
    return file;
}

/* What the file is that a lock should be. */
typedef enum content { EMPTY, OURS, FOREIGN } content;

static content look(int file)
{
    char        first[sizeof MARK - 1];
    struct stat facts;
    ssize_t     got;

    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        return FOREIGN;
    }
    got = pread(file, first, sizeof first, 0);
    if (got == 0) {
        return EMPTY;
    }
    return got == (ssize_t)sizeof first && memcmp(first, MARK, sizeof first) == 0
               ? OURS
               : FOREIGN;
}

/* Say whose the lock is. It serves as well if there is no room for this. */
static void sign(int file)
{
    char    text[256], host[128] = "";
    int     length;
    ssize_t written;

    gethostname(host, sizeof host - 1);
    length =
        snprintf(text, sizeof text, MARK "process %ld on %s\n", (long)getpid(), host);
    written = pwrite(file, text, (size_t)length, 0);
    if (written > 0 && ftruncate(file, written) != 0) {
        return;
    }
}

static sdca_status refuse(const char *name)
{
    return SDCA_FAIL(SDCA_CREATE,
                     "'%s' is not a lock of sdca: move it, or name another --checkpoint",
                     name);
}

/* Open the file of that name and lock it. On failure nothing stays open. */
static sdca_status take(const char *path, sdca_lock *lock)
{
    struct flock all     = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    sdca_status  status  = SDCA_OK;
    const char  *name    = lock->name.text;
    bool         created = false;
    content      found;

    lock->file = open_lock(name, &created);
    if (lock->file < 0) {
        return errno == ELOOP ? refuse(name)
                              : SDCA_FAIL(SDCA_CREATE, "cannot make '%s': %s", name,
                                          strerror(errno));
    }
    found      = created ? EMPTY : look(lock->file);
    lock->ours = created || found == OURS;
    if (found == FOREIGN) {
        status = refuse(name);
    } else if (fcntl(lock->file, F_SETLK, &all) != 0) {
        status =
            errno == EACCES || errno == EAGAIN
                ? SDCA_FAIL(SDCA_CREATE, "'%s' is in use by another run", path)
                : SDCA_FAIL(SDCA_CREATE, "cannot lock '%s': %s", name, strerror(errno));
    }
    if (status != SDCA_OK) {
        close(lock->file);
    }
    return status;
}

sdca_status sdca_checkpoint_lock(const char *path, sdca_lock *out)
{
    sdca_status status = SDCA_OK;
    sdca_lock   lock   = { .held = true, .name = sdca_output_beside(path, LOCK) };

    SDCA_TRY(take(path, &lock));
    while (!is_still(lock.file, lock.name.text)) {
        close(lock.file);
        SDCA_TRY(take(path, &lock));
    }
    if (lock.ours) {
        sign(lock.file);
    }
    *out = lock;

done:
    return status;
}

void sdca_checkpoint_unlock(sdca_lock *lock)
{
    if (lock->held) {
        if (lock->ours && is_still(lock->file, lock->name.text)) {
            unlink(lock->name.text);
        }
        close(lock->file);
    }
    lock->held = false;
}

int sdca_checkpoint_sweep(const char *path)
{
    sdca_name      target = sdca_output_generation(path, 0), copy = target;
    const char    *slash  = strrchr(target.text, '/');
    const char    *base   = slash != NULL ? slash + 1 : target.text;
    size_t         length = strlen(base);
    DIR           *open   = opendir(dirname(copy.text));
    struct dirent *entry  = NULL;
    int            count  = 0;

    while (open != NULL && (entry = readdir(open)) != NULL) {
        const char *ending = entry->d_name + length;
        struct stat facts;
        sdca_name   name;

        if (strncmp(entry->d_name, base, length) == 0 && is_temporary(ending)) {
            name = sdca_output_beside(target.text, ending);
            count += lstat(name.text, &facts) == 0 && S_ISREG(facts.st_mode) &&
                     unlink(name.text) == 0;
        }
    }
    if (open != NULL) {
        closedir(open);
    }
    return count;
}
