/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hdf5_heap_check.c - a file driver that validates heaps of strings.
 *
 * Strings of variable length are stored in collections of consecutive objects, each with
 * its length ("global heap" in the HDF5 file format specification, III.E). HDF5 1.10
 * walks them unchecked: a length of 0 is an endless loop, and a long one leads out of
 * its memory. This driver reads a file as the default one does, and validates every
 * collection before it returns it. */
#include "io/hdf5_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

const char *const sdca_hdf5_bad_heap  = "a heap of strings is inconsistent";
const char *const sdca_hdf5_no_memory = "no memory";

/* A collection has a header of 16 bytes, and so has each object: its index, 0 being free
 * space, in the first 2, its length in the last 8. */
enum { HEADER = 16, MIN_COLLECTION = 4096 };
static const char signature[] = "GCOL\1";

typedef struct checked_file {
    H5FD_t      base; /* base class of HDF5 */
    int         file;
    haddr_t     eoa; /* end of the allocated file */
    struct stat info;
} checked_file;

/* Record a reason for sdca_hdf5_note_error(), and fail. */
static herr_t fail(const char *form, const char *reason)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL,
             H5E_READERROR, form, reason);
    return -1;
}

/* The same for a system call, in the format of the drivers of HDF5. */
static herr_t fail_errno(void)
{
    return fail("error message = '%s'", strerror(errno));
}

/* Read bytes at an offset; beyond the end of the file they are 0. */
static herr_t read_bytes(const checked_file *self, haddr_t address, size_t count,
                         void *to)
{
    ssize_t got = 1;

    while (count > 0 && got != 0) {
        got = pread(self->file, to, count, (off_t)address);
        if (got < 0 && errno != EINTR) {
            return fail_errno();
        }
        if (got > 0) {
            to = (char *)to + got;
            address += (haddr_t)got;
            count -= (size_t)got;
        }
    }
    memset(to, 0, count);
    return 0;
}

static uint64_t decode_uint(const unsigned char *bytes, int count)
{
    uint64_t number = 0;

    while (count-- > 0) {
        number = number << 8 | bytes[count];
    }
    return number;
}

/* Whether each object of a collection leads to another one or to the end. */
static bool is_well_formed(const unsigned char *heap, uint64_t size)
{
    uint64_t at = HEADER;

    while (size - at >= HEADER) { /* less is free space */
        bool     free   = decode_uint(heap + at, 2) == 0;
        uint64_t length = decode_uint(heap + at + 8, 8);
        uint64_t left   = size - at;

        if (length > left || (free && length < HEADER)) {
            return false;
        }
        length = free ? length : HEADER + (length + 7) / 8 * 8;
        if (length > left) {
            return false;
        }
        at += length;
    }
    return true;
}

/* The same for a collection whose first bytes have been read. */
static herr_t check_heap(const checked_file *self, haddr_t address, size_t count,
                         const unsigned char *bytes)
{
    uint64_t       size   = decode_uint(bytes + 8, 8);
    haddr_t        end    = (haddr_t)self->info.st_size;
    unsigned char *all    = NULL;
    herr_t         result = 0;
    bool valid = address <= end && size >= MIN_COLLECTION && size <= end - address;

    if (valid && size <= count) {
        valid = is_well_formed(bytes, size);
    } else if (valid) {
        all = malloc(size);
        if (all == NULL) {
            return fail("%s", sdca_hdf5_no_memory);
        }
        result = read_bytes(self, address, size, all);
        valid  = result < 0 || is_well_formed(all, size);
        free(all);
    }
    return valid ? result : fail("%s", sdca_hdf5_bad_heap);
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t count, void *to)
{
    const checked_file *self   = (checked_file *)file;
    herr_t              result = read_bytes(self, address, count, to);

    (void)type, (void)transfer;
    if (result >= 0 && count >= HEADER &&
        memcmp(to, signature, sizeof signature - 1) == 0) {
        result = check_heap(self, address, count, to);
    }
    return result;
}

/* Files are opened for reading only. */
static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t count, const void *from)
{
    (void)file, (void)type, (void)transfer, (void)address, (void)count, (void)from;
    return -1;
}

/* Opening something else than a regular file, such as a pipe, would block. */
static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    checked_file *self = calloc(1, sizeof *self);

    (void)flags, (void)access, (void)most;
    if (self == NULL) {
        fail("%s", sdca_hdf5_no_memory);
        return NULL;
    }
    self->file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    errno      = self->file >= 0 ? EINVAL : errno;
    if (self->file >= 0 && fstat(self->file, &self->info) == 0 &&
        S_ISREG(self->info.st_mode)) {
        return &self->base;
    }
    fail_errno();
    if (self->file >= 0) {
        close(self->file);
    }
    free(self);
    return NULL;
}

static herr_t driver_close(H5FD_t *file)
{
    checked_file *self = (checked_file *)file;

    close(self->file);
    free(self);
    return 0;
}

static int driver_compare(const H5FD_t *one, const H5FD_t *other)
{
    const struct stat *a = &((const checked_file *)one)->info;
    const struct stat *b = &((const checked_file *)other)->info;

    return a->st_dev != b->st_dev ? (a->st_dev < b->st_dev ? -1 : 1)
                                  : (a->st_ino > b->st_ino) - (a->st_ino < b->st_ino);
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const checked_file *)file)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((checked_file *)file)->eoa = end;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return (haddr_t)((const checked_file *)file)->info.st_size;
}

/* As the default driver locks, against writers; where files cannot be locked, they are
 * read nevertheless. */
static herr_t driver_lock(H5FD_t *file, hbool_t exclusive)
{
    (void)exclusive;
    return flock(((checked_file *)file)->file, LOCK_SH | LOCK_NB) == 0 ||
                   errno != EWOULDBLOCK
               ? 0
               : fail_errno();
}

static const H5FD_class_t heap_check_driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value   = (H5FD_class_value_t)600, /* a number that is free for any use */
#endif
    .name      = "sdca_guard",
    .maxaddr   = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open      = driver_open,
    .close     = driver_close,
    .cmp       = driver_compare,
    .query     = driver_query,
    .get_eoa   = driver_get_eoa,
    .set_eoa   = driver_set_eoa,
    .get_eof   = driver_get_eof,
    .read      = driver_read,
    .write     = driver_write,
    .lock      = driver_lock,
    .fl_map    = H5FD_FLMAP_DICHOTOMY,
};

herr_t sdca_hdf5_set_heap_check_driver(hid_t access)
{
    static hid_t driver = H5I_INVALID_HID; /* HDF5 holds no reference for open files */

    if (driver < 0) {
        driver = H5FDregister(&heap_check_driver);
    }
    return H5Pset_driver(access, driver, NULL);
}
