/* SPDX-License-Identifier: BSD-3-Clause
 *
 * output.c - files that appear whole under their final name or not at all. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "sdca/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

sdca_name sdca_output_beside(const char *path, const char *ending)
{
    sdca_name name   = target_of(path);
    size_t    length = strlen(name.text);

    snprintf(name.text + length, sizeof name.text - length, "%s", ending);
    return name;
}

/* A number for that name that no other process has: it depends on when this one first
 * asked (FNV-1a). */
static unsigned long draw_number(const char *name)
{
    static uint64_t start = 0;
    uint64_t        hash;

    if (start == 0) {
        struct timespec now = { 0 };

        clock_gettime(CLOCK_REALTIME, &now);
        start = ((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec) | 1u;
    }
    hash = start;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    }
    return (unsigned long)((hash ^ hash >> 32) & 0xffffffffu);
}

sdca_name sdca_output_temporary_of(const char *path, const char *kind)
{
    sdca_name name  = target_of(path);
    char     *slash = strrchr(name.text, '/');
    char     *base  = slash != NULL ? slash + 1 : name.text;
    size_t    most = NAME_MAX, length = strlen(base);
    size_t    room = sizeof name.text - (size_t)(base - name.text);
    char      ending[64];

    snprintf(ending, sizeof ending, SDCA_OUTPUT_MARK "%s%ld-%08lx.tmp", kind,
             (long)getpid(), draw_number(name.text));
    if (length + strlen(ending) > most) { /* too long for both */
        snprintf(base, room, "%s", ending + 1);
    } else {
        snprintf(base + length, room - length, "%s", ending);
    }
    return name;
}

sdca_name sdca_output_temporary(const char *path)
{
    return sdca_output_temporary_of(path, "");
}

sdca_name sdca_output_generation(const char *path, int age)
{
    char ending[16] = "";

    if (age > 0) {
        snprintf(ending, sizeof ending, ".%d", age);
    }
    return sdca_output_beside(path, ending);
}

/* The directory that path is in. */
static sdca_name directory_of(const char *path)
{
    sdca_name copy = target_of(path);

    return target_of(dirname(copy.text));
}

/* Can there be a plain file of that name? */
static sdca_status check_name(const char *path)
{
    struct stat facts;
    size_t      length = strlen(path);

    if (stat(path, &facts) == 0) {
        return S_ISREG(facts.st_mode)
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_CREATE,
                               "cannot make '%s': it is there and not a plain file",
                               path);
    }
    if (errno == ENAMETOOLONG || (length > 0 && path[length - 1] == '/')) {
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
    if (sdca_output_is_standard(path)) {
        return SDCA_OK;
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

sdca_status sdca_output_check_file(const char *path)
{
    return sdca_output_is_standard(path)
               ? SDCA_FAIL(SDCA_USAGE,
                           "'-' is standard output, which cannot hold an HDF5 file: give "
                           "the name of a file")
               : sdca_output_check(path);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

sdca_status sdca_output_check_other(const char *path, const char *input)
{
    return !sdca_output_is_standard(path) && is_same_file(path, input)
               ? SDCA_FAIL(SDCA_USAGE, "the output '%s' would replace the input '%s'",
                           path, input)
               : SDCA_OK;
}

bool sdca_output_is_beside(const char *path, const char *other, sdca_name *ending)
{
    sdca_name   target = target_of(path), of_other = target_of(other);
    sdca_name   here = directory_of(path), there = directory_of(other);
    const char *slash = strrchr(target.text, '/'), *behind = strrchr(of_other.text, '/');
    const char *name   = slash != NULL ? slash + 1 : target.text;
    const char *longer = behind != NULL ? behind + 1 : of_other.text;
    size_t      length = strlen(name);

    if (strncmp(name, longer, length) != 0 || !is_same_file(here.text, there.text)) {
        return false;
    }
    snprintf(ending->text, sizeof ending->text, "%s", longer + length);
    return true;
}

sdca_status sdca_output_check_apart(const char *path, const char *other)
{
    sdca_name ending;

    return sdca_output_is_beside(path, other, &ending) && ending.text[0] == '\0'
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

int sdca_output_create(const char *name)
{
    return open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static FILE *open_temporary(const char *path)
{
    sdca_name temporary = sdca_output_temporary(path);
    int       created   = sdca_output_create(temporary.text);
    FILE     *file      = created >= 0 ? fdopen(created, "w") : NULL;

    if (file == NULL && created >= 0) {
        close(created);
        unlink(temporary.text);
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
    file = sdca_output_is_standard(path) ? open_standard() : open_temporary(path);
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
