/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_checksum.c - a checksum over a whole HDF5 file. */
#include "io/hdf5_checksum.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "io/atomic_file.h"

enum { BUFFER_SIZE = 1 << 16 };

/* The first bytes of every checksum header. */
#define MAGIC "sdca seal "

/* The first bytes of an HDF5 file without a checksum. */
static const char hdf5_magic[] = "\211HDF\r\n";

/* The checksum header as stored in the file. */
typedef struct checksum_block {
    char text[SDCA_CHECKSUM_BLOCK_SIZE];
} checksum_block;

static checksum_block format_checksum(long long bytes, unsigned long crc)
{
    checksum_block block = { "" };

    snprintf(block.text, sizeof block.text, MAGIC "1\nbytes %lld\ncrc32 %08lx\n", bytes,
             crc);
    return block;
}

/* Read up to count bytes; returns their number, -1 on failure. */
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

/* Compute the header that a file should have, and read the one that it has. False if it
 * cannot be read. */
static bool compute_checksum(int file, checksum_block *expected, checksum_block *found)
{
    unsigned char buffer[BUFFER_SIZE];
    unsigned long crc   = crc32(0L, Z_NULL, 0);
    long long     bytes = 0;
    ssize_t       got   = 1;

    memset(found, 0, sizeof *found);
    if (lseek(file, 0, SEEK_SET) != 0 || read_all(file, found, sizeof *found) < 0) {
        got = -1;
    }
    while (got > 0) {
        got = read_all(file, buffer, BUFFER_SIZE);
        if (got > 0) {
            crc = crc32(crc, buffer, (uInt)got);
            bytes += got;
        }
    }
    *expected = format_checksum(bytes, crc);
    return got == 0;
}

static sdca_status verify(int file, const char *name)
{
    checksum_block expected, found;

    if (!compute_checksum(file, &expected, &found)) {
        return SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", name, strerror(errno));
    }
    if (memcmp(&expected, &found, sizeof found) == 0) {
        return SDCA_OK;
    }
    return memcmp(&found, hdf5_magic, strlen(hdf5_magic)) == 0
               ? SDCA_FAIL(SDCA_DATA, "'%s' is not a checkpoint, but a model or data",
                           name)
               : SDCA_FAIL(SDCA_DATA, "'%s' is damaged: it is not as it was written",
                           name);
}

sdca_status sdca_checksum_write(const char *path, const char *name)
{
    sdca_status    status = SDCA_OK;
    int            file   = open(path, O_RDWR);
    checksum_block block, old_block;

    if (file < 0 || !compute_checksum(file, &block, &old_block) ||
        pwrite(file, &block, sizeof block, 0) != (ssize_t)sizeof block ||
        fsync(file) != 0) {
        status = SDCA_FAIL(SDCA_IO, "cannot write the checksum of '%s': %s", name,
                           strerror(errno));
    } else {
        /* Drop the cached pages, so that the next reads come from disk if the system
         * allows it. */
        (void)posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        status = verify(file, name) == SDCA_OK
                     ? SDCA_OK
                     : SDCA_FAIL(SDCA_IO, "'%s' differs when it is read back", name);
    }
    if (file >= 0) {
        close(file);
    }
    return status;
}

sdca_status sdca_checksum_verify(const char *path, const char *name)
{
    int         file   = open(path, O_RDONLY);
    sdca_status status = SDCA_OK;

    if (file < 0) {
        return SDCA_FAIL(errno == ENOENT || errno == ENOTDIR ? SDCA_MISSING : SDCA_IO,
                         "cannot open '%s': %s", name, strerror(errno));
    }
    status = verify(file, name);
    close(file);
    return status;
}

/* Whether the file begins with a checksum header. */
static bool has_magic(int file)
{
    char first[sizeof MAGIC - 1];

    return read_all(file, first, sizeof first) == (ssize_t)sizeof first &&
           memcmp(first, MAGIC, sizeof first) == 0;
}

bool sdca_checksum_is_present(const char *path)
{
    int  file    = open(path, O_RDONLY | O_CLOEXEC);
    bool present = file >= 0 && has_magic(file);

    if (file >= 0) {
        close(file);
    }
    return present;
}

sdca_status sdca_checksum_check_replaceable(const char *path)
{
    struct stat info;
    int         file;
    bool        ours = false;

    if (lstat(path, &info) != 0 || (S_ISREG(info.st_mode) && info.st_size == 0)) {
        return SDCA_OK;
    }
    if (S_ISREG(info.st_mode)) {
        file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) {
            return SDCA_FAIL(SDCA_IO, "cannot open '%s': %s", path, strerror(errno));
        }
        ours = has_magic(file);
        close(file);
    }
    return ours ? SDCA_OK
                : SDCA_FAIL(SDCA_CREATE,
                            "'%s' is not a checkpoint, and only checkpoints are "
                            "replaced: move it, or name another --checkpoint",
                            path);
}

sdca_status sdca_checksum_find_intact(const char *path, int *age)
{
    sdca_status first = SDCA_MISSING;
    char        message[SDCA_MESSAGE_SIZE];

    SDCA_FAIL(SDCA_MISSING, "there is no '%s'", path);
    memcpy(message, sdca_status_message(), sizeof message);
    for (int k = 0; k <= SDCA_CHECKSUM_MAX_GENERATIONS; k++) {
        sdca_path   name   = sdca_atomic_file_generation(path, k);
        sdca_status status = sdca_checksum_verify(name.text, name.text);

        if (status != SDCA_OK && status != SDCA_MISSING && first == SDCA_MISSING) {
            first = status;
            memcpy(message, sdca_status_message(), sizeof message);
        }
        if (status == SDCA_OK) {
            *age  = k;
            first = SDCA_OK;
        }
        if (status == SDCA_OK || status == SDCA_IO) { /* its content is unknown */
            break;
        }
    }
    memcpy(sdca_status_buffer(), message, sizeof message);
    return first;
}
