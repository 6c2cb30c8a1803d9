/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c - files that appear whole under their final name or not at all. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "sdca/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands behind a name in those of the files beside it; older generations have
 * numbers. */
#define TEMPORARY ".tmp"
#define LOCK ".lock"
#define ASIDE ".old"

/* What a name stands for: a link's file, where there is one, and all else itself. */
static sdca_name target_of(const char *path)
{
    struct stat facts;
    sdca_name   name;

    if (lstat(path, &facts) != 0 || !S_ISLNK(facts.st_mode) ||
        realpath(path, name.text) == NULL) {
        snprintf(name.text, sizeof name.text, "%s", path);
    }
    return name;
}

/* The name of a file beside the one that path stands for. */
static sdca_name beside(const char *path, const char *ending)
{
    sdca_name name   = target_of(path);
    size_t    length = strlen(name.text);

    snprintf(name.text + length, sizeof name.text - length, "%s", ending);
    return name;
}

sdca_name sdca_output_temporary(const char *path)
{
    return beside(path, TEMPORARY);
}

sdca_name sdca_output_aside(const char *path)
{
    return beside(path, ASIDE);
}

sdca_name sdca_output_generation(const char *path, int age)
{
    char ending[16] = "";

    if (age > 0) {
        snprintf(ending, sizeof ending, ".%d", age);
    }
    return beside(path, ending);
}

/* The directory that path is in. */
static sdca_name directory_of(const char *path)
{
    sdca_name copy = beside(path, "");

    return beside(dirname(copy.text), "");
}

/* Can there be a plain file of that name? */
static sdca_status check_name(const char *path)
{
    struct stat facts;

    if (stat(path, &facts) == 0) {
        return S_ISREG(facts.st_mode)
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_CREATE,
                               "cannot make '%s': it is there and not a plain file",
                               path);
    }
    if (errno == ENAMETOOLONG) {
        return SDCA_FAIL(SDCA_CREATE, "cannot make '%s': %s", path, strerror(errno));
    }
    return lstat(path, &facts) != 0
               ? SDCA_OK
               : SDCA_FAIL(SDCA_CREATE, "cannot make '%s': it is a link to nothing",
                           path);
}

sdca_status sdca_output_check(const char *path)
{
    sdca_status status    = SDCA_OK;
    sdca_name   directory = directory_of(path);

    if (path[0] == '\0') {
        return SDCA_FAIL(SDCA_USAGE, "the name of an output is empty");
    }
    SDCA_TRY(check_name(path));
    SDCA_TRY(check_name(sdca_output_temporary(path).text));
    if (access(directory.text, W_OK | X_OK) != 0) {
        status = SDCA_FAIL(SDCA_CREATE, "cannot make '%s' in '%s': %s", path,
                           directory.text, strerror(errno));
    }

done:
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

sdca_status sdca_output_check_other(const char *path, const char *input)
{
    sdca_name   temporary = sdca_output_temporary(path);
    sdca_status status    = SDCA_OK;

    if (is_same_file(path, input) || is_same_file(temporary.text, input)) {
        status = SDCA_FAIL(SDCA_USAGE, "the output '%s' would replace the input '%s'",
                           path, input);
    }
    return status;
}

/* Is this what we put behind a name for a file beside it? */
static bool is_our_ending(const char *ending)
{
    return strcmp(ending, TEMPORARY) == 0 || strcmp(ending, LOCK) == 0 ||
           strcmp(ending, ASIDE) == 0 ||
           (ending[0] == '.' && ending[1] != '\0' &&
            strspn(ending + 1, "0123456789") == strlen(ending + 1));
}

/* Do two names, of which none may be there yet, lie in one directory under one
 * name, or one under that of a file beside the other? */
static bool collide(const char *a, const char *b)
{
    sdca_name   of_a = target_of(a), of_b = target_of(b);
    sdca_name   in_a = directory_of(a), in_b = directory_of(b);
    const char *name_a = strrchr(of_a.text, '/'), *name_b = strrchr(of_b.text, '/');
    size_t      length;

    name_a = name_a != NULL ? name_a + 1 : of_a.text;
    name_b = name_b != NULL ? name_b + 1 : of_b.text;
    length = strlen(name_a);
    return is_same_file(in_a.text, in_b.text) && strncmp(name_a, name_b, length) == 0 &&
           (name_b[length] == '\0' || is_our_ending(name_b + length));
}

sdca_status sdca_output_check_apart(const char *path, const char *other)
{
    return collide(path, other) || collide(other, path)
               ? SDCA_FAIL(SDCA_USAGE, "the outputs '%s' and '%s' would be one file",
                           path, other)
               : SDCA_OK;
}

/* Force what is behind a name onto the disk. */
static int sync_path(const char *path)
{
    int file   = open(path, O_RDONLY);
    int result = file >= 0 ? fsync(file) : -1;
    int reason = errno;

    if (file >= 0) {
        close(file);
    }
    errno = reason;
    return result;
}

/* Give path a second name, one generation older, after all older ones have moved on.
 * Where there are no second names, the file loses its first one for a moment. */
static bool age(const char *path, int older)
{
    bool done = true;

    for (int k = older; done && k > 0; k--) {
        sdca_name from = sdca_output_generation(path, k - 1);
        sdca_name to   = sdca_output_generation(path, k);

        if (k > 1) {
            done = rename(from.text, to.text) == 0 || errno == ENOENT;
        } else if (access(from.text, F_OK) == 0) {
            done = (unlink(to.text) == 0 || errno == ENOENT) &&
                   (link(from.text, to.text) == 0 || rename(from.text, to.text) == 0);
        }
    }
    return done;
}

sdca_status sdca_output_publish(const char *temporary, const char *path, int older)
{
    sdca_status status = SDCA_OK;
    sdca_name   target = target_of(path);

    if (sync_path(temporary) != 0 || !age(path, older) ||
        rename(temporary, target.text) != 0) {
        status = SDCA_FAIL(SDCA_IO, "cannot finish '%s': %s", path, strerror(errno));
    } else {
        /* Some file systems cannot sync a directory; the rename stands anyway. */
        (void)sync_path(directory_of(path).text);
    }
    if (status != SDCA_OK) {
        unlink(temporary);
    }
    return status;
}

bool sdca_output_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Another stream to where standard output goes, to be closed as any other. */
static FILE *open_standard(void)
{
    int   copy = dup(STDOUT_FILENO);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;

    if (file == NULL && copy >= 0) {
        close(copy);
    }
    return file;
}

sdca_status sdca_output_open(const char *path, FILE **out)
{
    sdca_status status = sdca_output_check(path);
    FILE       *file   = NULL;

    if (status != SDCA_OK) {
        return status;
    }
    file = sdca_output_is_standard(path) ? open_standard()
                                         : fopen(sdca_output_temporary(path).text, "w");
    if (file == NULL) {
        return SDCA_FAIL(SDCA_CREATE, "cannot make '%s': %s", path, strerror(errno));
    }
    *out = file;
    return SDCA_OK;
}

/* Why a write of long ago failed: it fails again if there is more to write. */
static int find_reason(FILE *file)
{
    static const char more[BUFSIZ];

    clearerr(file);
    errno = 0;
    if (fwrite(more, 1, sizeof more, file) < sizeof more || fflush(file) != 0) {
        return errno;
    }
    return EIO;
}

sdca_status sdca_output_close(FILE *file, const char *path)
{
    sdca_name temporary = sdca_output_temporary(path);
    bool      failed    = fflush(file) != 0;
    int       reason    = errno;

    if (!failed && ferror(file) != 0) {
        failed = true;
        reason = find_reason(file);
    }
    if (fclose(file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (!failed && sdca_output_is_standard(path)) {
        return SDCA_OK;
    }
    if (failed) {
        unlink(temporary.text);
        return SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", path, strerror(reason));
    }
    return sdca_output_publish(temporary.text, path, 0);
}

void sdca_output_abandon(FILE *file, const char *path)
{
    if (file != NULL) {
        fclose(file);
        unlink(sdca_output_temporary(path).text);
    }
}

/* Is the open file still the one of that name? Its last owner may have removed it. */
static bool is_still(int file, const char *name)
{
    struct stat opened, named;

    return fstat(file, &opened) == 0 && stat(name, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

sdca_status sdca_output_lock(const char *path, sdca_lock *out)
{
    struct flock all    = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    sdca_status  status = SDCA_OK;
    sdca_lock    lock   = { true, -1, beside(path, LOCK) };
    bool         mine;

    do {
        if (lock.file >= 0) {
            close(lock.file);
        }
        lock.file = open(lock.name.text, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        mine      = lock.file >= 0 && fcntl(lock.file, F_SETLK, &all) == 0;
    } while (mine && !is_still(lock.file, lock.name.text));
    if (lock.file < 0) {
        status = SDCA_FAIL(SDCA_CREATE, "cannot make '%s': %s", lock.name.text,
                           strerror(errno));
    } else if (!mine) {
        status = errno == EACCES || errno == EAGAIN
                     ? SDCA_FAIL(SDCA_CREATE, "'%s' is in use by another run", path)
                     : SDCA_FAIL(SDCA_CREATE, "cannot lock '%s': %s", lock.name.text,
                                 strerror(errno));
        close(lock.file);
    }
    if (status == SDCA_OK) {
        *out = lock;
    }
    return status;
}

void sdca_output_unlock(sdca_lock *lock)
{
    if (lock->held) {
        unlink(lock->name.text);
        close(lock->file);
    }
    lock->held = false;
}
