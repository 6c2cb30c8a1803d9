/* SPDX-License-Identifier: BSD-3-Clause
 *
 * seal.c - a file that tells whether it is whole. */
#include "sdca/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sdca/output.h"

enum { PIECE = 1 << 16 };

/* How every seal begins. */
#define MARK "sdca seal "

/* How a file of HDF5 begins that was never sealed. */
static const char hdf5[] = "\211HDF\r\n";

/* What a seal says, as it stands in the file. */
typedef struct seal {
    char text[SDCA_SEAL_SIZE];
} seal;

static seal write_seal(long long bytes, unsigned long crc)
{
    seal made = { "" };

    snprintf(made.text, sizeof made.text, MARK "1\nbytes %lld\ncrc32 %08lx\n", bytes,
             crc);
    return made;
}

/* Bytes of a file from its present place on, as many as there are up to count; -1 on
 * failure. */
static ssize_t read_all(int file, void *to, size_t count)
{
    size_t done = 0;

    while (done < count) {
        ssize_t got = read(file, (char *)to + done, count - done);

        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* The seal that a file should have, and the one that it has. False if it cannot be
 * read. */
static bool look(int file, seal *should, seal *has)
{
    unsigned char piece[PIECE];
    unsigned long crc   = crc32(0L, Z_NULL, 0);
    long long     bytes = 0;
    ssize_t       got   = 1;

    memset(has, 0, sizeof *has);
    if (lseek(file, 0, SEEK_SET) != 0 || read_all(file, has, sizeof *has) < 0) {
        got = -1;
    }
    while (got > 0) {
        got = read_all(file, piece, PIECE);
        if (got > 0) {
            crc = crc32(crc, piece, (uInt)got);
            bytes += got;
        }
    }
    *should = write_seal(bytes, crc);
    return got == 0;
}

static sdca_status check(int file, const char *name)
{
    seal should, has;

    if (!look(file, &should, &has)) {
        return SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", name, strerror(errno));
    }
    if (memcmp(&should, &has, sizeof has) == 0) {
        return SDCA_OK;
    }
    return memcmp(&has, hdf5, strlen(hdf5)) == 0
               ? SDCA_FAIL(SDCA_DATA, "'%s' is not a checkpoint, but a model or data",
                           name)
               : SDCA_FAIL(SDCA_DATA, "'%s' is damaged: it is not as it was written",
                           name);
}

sdca_status sdca_seal_put(const char *path, const char *name)
{
    sdca_status status = SDCA_OK;
    int         file   = open(path, O_RDWR);
    seal        made, before;

    if (file < 0 || !look(file, &made, &before) ||
        pwrite(file, &made, sizeof made, 0) != (ssize_t)sizeof made || fsync(file) != 0) {
        status = SDCA_FAIL(SDCA_IO, "cannot seal '%s': %s", name, strerror(errno));
    } else {
        /* What is read next comes from the disk, where the system lets go of its copy. */
        (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        status =
            check(file, name) == SDCA_OK
                ? SDCA_OK
                : SDCA_FAIL(SDCA_IO, "'%s' reads back other than it was written", name);
    }
    if (file >= 0) {
        close(file);
    }
    return status;
}

sdca_status sdca_seal_check(const char *path, const char *name)
{
    int         file   = open(path, O_RDONLY);
    sdca_status status = SDCA_OK;

    if (file < 0) {
        return SDCA_FAIL(errno == ENOENT || errno == ENOTDIR ? SDCA_MISSING : SDCA_IO,
                         "cannot open '%s': %s", name, strerror(errno));
    }
    status = check(file, name);
    close(file);
    return status;
}

/* Does the file begin as one that was sealed? */
static bool has_mark(int file)
{
    char first[sizeof MARK - 1];

    return read_all(file, first, sizeof first) == (ssize_t)sizeof first &&
           memcmp(first, MARK, sizeof first) == 0;
}

bool sdca_seal_is_on(const char *path)
{
    int  file = open(path, O_RDONLY | O_CLOEXEC);
    bool on   = file >= 0 && has_mark(file);

    if (file >= 0) {
        close(file);
    }
    return on;
}

sdca_status sdca_seal_recognise(const char *path)
{
    struct stat facts;
    int         file;
    bool        ours = false;

    if (lstat(path, &facts) != 0 || (S_ISREG(facts.st_mode) && facts.st_size == 0)) {
        return SDCA_OK;
    }
    if (S_ISREG(facts.st_mode)) {
        file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) {
            return SDCA_FAIL(SDCA_IO, "cannot open '%s': %s", path, strerror(errno));
        }
        ours = has_mark(file);
        close(file);
    }
    return ours ? SDCA_OK
                : SDCA_FAIL(SDCA_CREATE,
                            "'%s' is not a checkpoint, and only checkpoints are "
                            "replaced: move it, or name another --checkpoint",
                            path);
}

sdca_status sdca_seal_find(const char *path, int *age)
{
    sdca_status first = SDCA_MISSING;
    char        why[SDCA_WHY_SIZE];

    SDCA_FAIL(SDCA_MISSING, "there is no '%s'", path);
    memcpy(why, sdca_status_why(), sizeof why);
    for (int k = 0; k <= SDCA_SEAL_OLDEST; k++) {
        sdca_name   name   = sdca_output_generation(path, k);
        sdca_status status = sdca_seal_check(name.text, name.text);

        if (status != SDCA_OK && status != SDCA_MISSING && first == SDCA_MISSING) {
            first = status;
            memcpy(why, sdca_status_why(), sizeof why);
        }
        if (status == SDCA_OK) {
            *age  = k;
            first = SDCA_OK;
        }
        if (status == SDCA_OK || status == SDCA_IO) { /* nobody knows what is in that */
            break;
        }
    }
    memcpy(sdca_status_why(), why, sizeof why);
    return first;
}
