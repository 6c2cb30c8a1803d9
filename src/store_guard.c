/* SPDX-License-Identifier: BSD-3-Clause
 *
 * store_guard.c - HDF5 gets to see a heap of texts only where it can be read to its end.
 *
 * Texts of variable length are in collections of objects behind each other, each with its
 * length ("global heap" in HDF5's format specification, III.E). HDF5 1.10 goes from one
 * to the next unchecked: a length of 0 holds it for ever, and a long one leads it out of
 * its memory. This is a driver that reads a file as the default one does, and looks at
 * every collection before it hands it on. */
#include "store_hdf5.h"

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

const char *const sdca_store_bad_heap  = "a heap of texts does not hold what it says";
const char *const sdca_store_no_memory = "no memory";

/* A collection has 16 bytes before its objects, and so has an object before its text:
 * its number, of which 0 is free space, in the first 2, its length in the last 8. */
enum { HEADER = 16, LEAST = 4096 };
static const char signature[] = "GCOL\1";

typedef struct guarded {
    H5FD_t      base; /* HDF5's */
    int         file;
    haddr_t     end; /* of what HDF5 takes for the file */
    struct stat facts;
} guarded;

/* Leave a reason for sdca_store_noted(), and fail. */
static herr_t fail(const char *form, const char *reason)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL,
             H5E_READERROR, form, reason);
    return -1;
}

/* The same for a call of the system, as HDF5's own drivers say it. */
static herr_t fail_of_system(void)
{
    return fail("error message = '%s'", strerror(errno));
}

/* Bytes from a place on; beyond the end of the file they are 0. */
static herr_t read_bytes(const guarded *me, haddr_t place, size_t count, void *to)
{
    ssize_t got = 1;

    while (count > 0 && got != 0) {
        got = pread(me->file, to, count, (off_t)place);
        if (got < 0 && errno != EINTR) {
            return fail_of_system();
        }
        if (got > 0) {
            to = (char *)to + got;
            place += (haddr_t)got;
            count -= (size_t)got;
        }
    }
    memset(to, 0, count);
    return 0;
}

static uint64_t whole_number(const unsigned char *bytes, int count)
{
    uint64_t number = 0;

    while (count-- > 0) {
        number = number << 8 | bytes[count];
    }
    return number;
}

/* Does each object of a collection lead to another one, or to the end? */
static bool is_sound(const unsigned char *heap, uint64_t size)
{
    uint64_t at = HEADER;

    while (size - at >= HEADER) { /* what is less is free */
        bool     free   = whole_number(heap + at, 2) == 0;
        uint64_t length = whole_number(heap + at + 8, 8);
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

/* The same for one of which the first bytes have been read. */
static herr_t check_heap(const guarded *me, haddr_t place, size_t count,
                         const unsigned char *bytes)
{
    uint64_t       size   = whole_number(bytes + 8, 8);
    haddr_t        end    = (haddr_t)me->facts.st_size;
    unsigned char *all    = NULL;
    herr_t         result = 0;
    bool           sound  = place <= end && size >= LEAST && size <= end - place;

    if (sound && size <= count) {
        sound = is_sound(bytes, size);
    } else if (sound) {
        all = malloc(size);
        if (all == NULL) {
            return fail("%s", sdca_store_no_memory);
        }
        result = read_bytes(me, place, size, all);
        sound  = result < 0 || is_sound(all, size);
        free(all);
    }
    return sound ? result : fail("%s", sdca_store_bad_heap);
}

static herr_t guard_read(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t place,
                         size_t count, void *to)
{
    const guarded *me     = (guarded *)file;
    herr_t         result = read_bytes(me, place, count, to);

    (void)type, (void)how;
    if (result >= 0 && count >= HEADER &&
        memcmp(to, signature, sizeof signature - 1) == 0) {
        result = check_heap(me, place, count, to);
    }
    return result;
}

/* Files are opened for reading only. */
static herr_t guard_write(H5FD_t *file, H5FD_mem_t type, hid_t how, haddr_t place,
                          size_t count, const void *from)
{
    (void)file, (void)type, (void)how, (void)place, (void)count, (void)from;
    return -1;
}

/* What is no file, such as a pipe at the end of a link, would never be open. */
static H5FD_t *guard_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    guarded *me = calloc(1, sizeof *me);

    (void)flags, (void)access, (void)most;
    if (me == NULL) {
        fail("%s", sdca_store_no_memory);
        return NULL;
    }
    me->file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    errno    = me->file >= 0 ? EINVAL : errno;
    if (me->file >= 0 && fstat(me->file, &me->facts) == 0 && S_ISREG(me->facts.st_mode)) {
        return &me->base;
    }
    fail_of_system();
    if (me->file >= 0) {
        close(me->file);
    }
    free(me);
    return NULL;
}

static herr_t guard_close(H5FD_t *file)
{
    guarded *me = (guarded *)file;

    close(me->file);
    free(me);
    return 0;
}

static int guard_compare(const H5FD_t *one, const H5FD_t *other)
{
    const struct stat *a = &((const guarded *)one)->facts;
    const struct stat *b = &((const guarded *)other)->facts;

    return a->st_dev != b->st_dev ? (a->st_dev < b->st_dev ? -1 : 1)
                                  : (a->st_ino > b->st_ino) - (a->st_ino < b->st_ino);
}

static herr_t guard_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t guard_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const guarded *)file)->end;
}

static herr_t guard_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t end)
{
    (void)type;
    ((guarded *)file)->end = end;
    return 0;
}

static haddr_t guard_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return (haddr_t)((const guarded *)file)->facts.st_size;
}

/* As the default driver does, for whoever writes; but where files cannot be locked at
 * all, they are read all the same. */
static herr_t guard_lock(H5FD_t *file, hbool_t exclusive)
{
    (void)exclusive;
    return flock(((guarded *)file)->file, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK
               ? 0
               : fail_of_system();
}

static const H5FD_class_t guard = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value   = (H5FD_class_value_t)600, /* one that is free for all */
#endif
    .name      = "sdca_guard",
    .maxaddr   = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .open      = guard_open,
    .close     = guard_close,
    .cmp       = guard_compare,
    .query     = guard_query,
    .get_eoa   = guard_get_eoa,
    .set_eoa   = guard_set_eoa,
    .get_eof   = guard_get_eof,
    .read      = guard_read,
    .write     = guard_write,
    .lock      = guard_lock,
    .fl_map    = H5FD_FLMAP_DICHOTOMY,
};

herr_t sdca_store_set_guard(hid_t access)
{
    static hid_t driver = H5I_INVALID_HID; /* HDF5 keeps no hold on it for open files */

    if (driver < 0) {
        driver = H5FDregister(&guard);
    }
    return H5Pset_driver(access, driver, NULL);
}
