/* SPDX-License-Identifier: BSD-3-Clause
 *
 * atomic_file.c - files that appear complete under their final name or not at all. */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "io/atomic_file.h"

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

/* Resolve a symbolic link; other names stay. */
static sdca_path resolve_link(const char *path)
{
    struct stat info;
    sdca_path   name;

    if (lstat(path, &info) != 0 || !S_ISLNK(info.st_mode) ||
        realpath(path, name.text) == NULL) {
        snprintf(name.text, sizeof name.text, "%s", path);
    }
    return name;
}

sdca_path sdca_atomic_file_with_suffix(const char *path, const char *suffix)
{
    sdca_path name   = resolve_link(path);
    size_t    length = strlen(name.text);

    snprintf(name.text + length, sizeof name.text - length, "%s", suffix);
    return name;
}

/* A number for a name that differs between processes: it depends on the time of the
 * first call (FNV-1a). */
static unsigned long unique_number(const char *name)
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

sdca_path sdca_atomic_file_tagged_temp_path(const char *path, const char *tag)
{
    sdca_path name  = resolve_link(path);
    char     *slash = strrchr(name.text, '/');
    char     *base  = slash != NULL ? slash + 1 : name.text;
    size_t    most = NAME_MAX, length = strlen(base);
    size_t    room = sizeof name.text - (size_t)(base - name.text);
    char      suffix[64];

    snprintf(suffix, sizeof suffix, SDCA_ATOMIC_FILE_TEMP_INFIX "%s%ld-%08lx.tmp", tag,
             (long)getpid(), unique_number(name.text));
    if (length + strlen(suffix) > most) { /* too long for both */
        snprintf(base, room, "%s", suffix + 1);
    } else {
        snprintf(base + length, room - length, "%s", suffix);
    }
    return name;
}

sdca_path sdca_atomic_file_temp_path(const char *path)
{
    return sdca_atomic_file_tagged_temp_path(path, "");
}

sdca_path sdca_atomic_file_generation(const char *path, int age)
{
    char suffix[16] = "";

    if (age > 0) {
        snprintf(suffix, sizeof suffix, ".%d", age);
    }
    return sdca_atomic_file_with_suffix(path, suffix);
}

/* The directory of path. */
static sdca_path directory_of(const char *path)
{
    sdca_path copy = resolve_link(path);

    return resolve_link(dirname(copy.text));
}

/* Whether a regular file of that name can be created. */
static sdca_status check_name(const char *path)
{
    struct stat info;
    size_t      length = strlen(path);

    if (stat(path, &info) == 0) {
        return S_ISREG(info.st_mode)
                   ? SDCA_OK
                   : SDCA_FAIL(SDCA_CREATE,
                               "cannot create '%s': it exists and is not a regular file",
                               path);
    }
    if (errno == ENAMETOOLONG || (length > 0 && path[length - 1] == '/')) {
        return SDCA_FAIL(SDCA_CREATE, "cannot create '%s': %s", path, strerror(errno));
    }
    return lstat(path, &info) != 0
               ? SDCA_OK
               : SDCA_FAIL(SDCA_CREATE,
                           "cannot create '%s': it is a dangling symbolic link", path);
}

sdca_status sdca_atomic_file_check_writable(const char *path)
{
    sdca_status status    = SDCA_OK;
    sdca_path   directory = directory_of(path);

    if (path[0] == '\0') {
        return SDCA_FAIL(SDCA_USAGE, "the name of an output is empty");
    }
    if (sdca_atomic_file_is_stdout(path)) {
        return SDCA_OK;
    }
    SDCA_TRY(check_name(path));
    SDCA_TRY(check_name(sdca_atomic_file_temp_path(path).text));
    if (access(directory.text, W_OK | X_OK) != 0) {
        status = SDCA_FAIL(SDCA_CREATE, "cannot create '%s' in '%s': %s", path,
                           directory.text, strerror(errno));
    }

done:
    return status;
}

sdca_status sdca_atomic_file_check_regular(const char *path)
{
    return sdca_atomic_file_is_stdout(path)
               ? SDCA_FAIL(SDCA_USAGE,
                           "'-' is standard output, which cannot hold an HDF5 file: give "
                           "the name of a file")
               : sdca_atomic_file_check_writable(path);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;

    return stat(a, &first) == 0 && stat(b, &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

sdca_status sdca_atomic_file_check_not_input(const char *path, const char *input)
{
    return !sdca_atomic_file_is_stdout(path) && is_same_file(path, input)
               ? SDCA_FAIL(SDCA_USAGE, "the output '%s' would replace the input '%s'",
                           path, input)
               : SDCA_OK;
}

bool sdca_atomic_file_match_suffix(const char *path, const char *other, sdca_path *suffix)
{
    sdca_path   target = resolve_link(path), other_target = resolve_link(other);
    sdca_path   path_dir = directory_of(path), other_dir = directory_of(other);
    const char *slash  = strrchr(target.text, '/'),
               *behind = strrchr(other_target.text, '/');
    const char *name   = slash != NULL ? slash + 1 : target.text;
    const char *longer = behind != NULL ? behind + 1 : other_target.text;
    size_t      length = strlen(name);

    if (strncmp(name, longer, length) != 0 ||
        !is_same_file(path_dir.text, other_dir.text)) {
        return false;
    }
    snprintf(suffix->text, sizeof suffix->text, "%s", longer + length);
    return true;
}

sdca_status sdca_atomic_file_check_distinct(const char *path, const char *other)
{
    sdca_path suffix;

    return sdca_atomic_file_match_suffix(path, other, &suffix) && suffix.text[0] == '\0'
               ? SDCA_FAIL(SDCA_USAGE, "the outputs '%s' and '%s' would be one file",
                           path, other)
               : SDCA_OK;
}

/* Sync a file or directory to disk. */
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

/* Link path to its next older generation, after all older ones were shifted. Without
 * hard links, the file is renamed and path is missing for a moment. */
static bool rotate_generations(const char *path, int generations)
{
    bool done = true;

    for (int k = generations; done && k > 0; k--) {
        sdca_path from = sdca_atomic_file_generation(path, k - 1);
        sdca_path to   = sdca_atomic_file_generation(path, k);

        if (k > 1) {
            done = rename(from.text, to.text) == 0 || errno == ENOENT;
        } else if (access(from.text, F_OK) == 0) {
            done = (unlink(to.text) == 0 || errno == ENOENT) &&
                   (link(from.text, to.text) == 0 || rename(from.text, to.text) == 0);
        }
    }
    return done;
}

sdca_status sdca_atomic_file_publish(const char *temporary, const char *path,
                                     int generations)
{
    sdca_status status = SDCA_OK;
    sdca_path   target = resolve_link(path);

    if (sync_path(temporary) != 0 || !rotate_generations(path, generations) ||
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

bool sdca_atomic_file_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* A second stream to standard output, which can be closed. */
static FILE *open_stdout(void)
{
    int   copy = dup(STDOUT_FILENO);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;

    if (file == NULL && copy >= 0) {
        close(copy);
    }
    return file;
}

int sdca_atomic_file_create_exclusive(const char *name)
{
    return open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static FILE *open_temporary(const char *path)
{
    sdca_path temporary = sdca_atomic_file_temp_path(path);
    int       created   = sdca_atomic_file_create_exclusive(temporary.text);
    FILE     *file      = created >= 0 ? fdopen(created, "w") : NULL;

    if (file == NULL && created >= 0) {
        close(created);
        unlink(temporary.text);
    }
    return file;
}

sdca_status sdca_atomic_file_open(const char *path, FILE **out)
{
    sdca_status status = sdca_atomic_file_check_writable(path);
    FILE       *file   = NULL;

    if (status != SDCA_OK) {
        return status;
    }
    file = sdca_atomic_file_is_stdout(path) ? open_stdout() : open_temporary(path);
    if (file == NULL) {
        return SDCA_FAIL(SDCA_CREATE, "cannot create '%s': %s", path, strerror(errno));
    }
    *out = file;
    return SDCA_OK;
}

/* The reason of an earlier write failure: it fails again if there is more to write. */
static int find_write_error(FILE *file)
{
    static const char more[BUFSIZ];

    clearerr(file);
    errno = 0;
    if (fwrite(more, 1, sizeof more, file) < sizeof more || fflush(file) != 0) {
        return errno;
    }
    return EIO;
}

sdca_status sdca_atomic_file_commit(FILE *file, const char *path)
{
    sdca_path temporary = sdca_atomic_file_temp_path(path);
    bool      failed    = fflush(file) != 0;
    int       reason    = errno;

    if (!failed && ferror(file) != 0) {
        failed = true;
        reason = find_write_error(file);
    }
    if (fclose(file) != 0 && !failed) {
        failed = true;
        reason = errno;
    }
    if (!failed && sdca_atomic_file_is_stdout(path)) {
        return SDCA_OK;
    }
    if (failed) {
        unlink(temporary.text);
        return SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", path, strerror(reason));
    }
    return sdca_atomic_file_publish(temporary.text, path, 0);
}

void sdca_atomic_file_discard(FILE *file, const char *path)
{
    if (file != NULL) {
        fclose(file);
        unlink(sdca_atomic_file_temp_path(path).text);
    }
}
