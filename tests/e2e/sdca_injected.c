/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sdca_injected.c - the program with injected failures.
 *
 * SDCA_INJECT=KIND:N in the environment lets N calls of a kind succeed and the next fail;
 * with negative N, none fails. KIND is memory, or another word below. Stderr lists all
 * calls of that kind, and where failures are recorded. SDCA_NODES makes every rank appear
 * to have a node of its own. */
#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/status.h"
#include "mpi/comm.h"
#include "objective/duality_gap.h"
#include "support/fault_injection.h"

int __real_main(int argc, char **argv);
int __wrap_main(int argc, char **argv);

int __wrap_main(int argc, char **argv)
{
    const char *wish = getenv("SDCA_INJECT");
    const char *n    = wish != NULL ? strchr(wish, ':') : NULL;
    static char kind[64];

    if (n != NULL) {
        snprintf(kind, sizeof kind, "%.*s", (int)(n - wish), wish);
        inject_failure_after(kind, atoll(n + 1));
        inject_trace_calls();
    }
    return __real_main(argc, argv);
}

sdca_status __real_sdca_status_record(sdca_status status, const char *file, int line,
                                      const char *format, ...);
sdca_status __wrap_sdca_status_record(sdca_status status, const char *file, int line,
                                      const char *format, ...) SDCA_PRINTF_FORMAT(4, 5);

sdca_status __wrap_sdca_status_record(sdca_status status, const char *file, int line,
                                      const char *format, ...)
{
    char    sentence[SDCA_MESSAGE_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (inject_has_failed()) {
        fprintf(stderr, "recorded: %s:%d\n", file, line);
    }
    return __real_sdca_status_record(status, file, line, "%s", sentence);
}

/* Allocations in libraries can fail, too. */
static int no_memory(struct archive *archive)
{
    archive_set_error(archive, ENOMEM, "no memory");
    return ARCHIVE_FATAL;
}

INJECT_FAILURE("memory", struct archive *, archive_read_new, NULL, (void), ())
INJECT_FAILURE("memory", int, archive_read_data_block, no_memory(archive),
               (struct archive * archive, const void **block, size_t *size,
                la_int64_t *offset),
               (archive, block, size, offset))
INJECT_FAILURE("memory", gzFile, gzdopen, NULL, (int file, const char *mode),
               (file, mode))
INJECT_FAILURE("memory", int, posix_spawn_file_actions_init, ENOMEM,
               (posix_spawn_file_actions_t * actions), (actions))

int __real_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out);
int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out);

int __wrap_MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                               MPI_Comm *out)
{
    return getenv("SDCA_NODES") != NULL
               ? MPI_Comm_split(comm, sdca_comm_rank(comm), key, out)
               : __real_MPI_Comm_split_type(comm, type, key, info, out);
}

/* Disk I/O. */
static int broken(void)
{
    errno = EIO;
    return -1;
}

static FILE *broken_file(void)
{
    broken();
    return NULL;
}

/* A file that becomes unreadable. */
static FILE *unreadable(FILE *file)
{
    int nowhere = open("/dev/null", O_WRONLY);

    dup2(nowhere, fileno(file));
    close(nowhere);
    return file;
}

ssize_t __real_getline(char **line, size_t *room, FILE *file);
ssize_t __wrap_getline(char **line, size_t *room, FILE *file);

ssize_t __wrap_getline(char **line, size_t *room, FILE *file)
{
    return __real_getline(line, room, inject_is_due("getline") ? unreadable(file) : file);
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

/* A signal arrives when a file is complete, but not yet renamed. */
int __wrap_rename(const char *from, const char *to)
{
    static const struct {
        const char *name;
        int         number;
    } signals[] = { { "INT", SIGINT }, { "TERM", SIGTERM }, { "HUP", SIGHUP } };

    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        if (inject_is_due(signals[k].name)) {
            raise(signals[k].number);
        }
    }
    return inject_is_due("rename") ? broken() : __real_rename(from, to);
}

/* A read that blocks until a signal ends the process. */
ssize_t __real_pread(int file, void *to, size_t count, off_t place);
ssize_t __wrap_pread(int file, void *to, size_t count, off_t place);

ssize_t __wrap_pread(int file, void *to, size_t count, off_t place)
{
    bool stuck = inject_is_due("stuck");

    if (stuck) {
        fputs("stuck\n", stderr);
    }
    while (stuck) {
        pause();
    }
    return __real_pread(file, to, count, place);
}

INJECT_FAILURE("open", int, open, broken(), (const char *path, int flags, mode_t mode),
               (path, flags, mode))
INJECT_FAILURE("fcntl", int, fcntl, broken(), (int file, int command, struct flock *lock),
               (file, command, lock))
INJECT_FAILURE("tmpfile", FILE *, tmpfile, broken_file(), (void), ())
INJECT_FAILURE("gzrewind", int, gzrewind, broken(), (gzFile file), (file))
INJECT_FAILURE("crc32", uLong, crc32, 1, (uLong crc, const Bytef *bytes, uInt count),
               (crc, bytes, count))
INJECT_FAILURE("H5Fopen", hid_t, H5Fopen, broken(),
               (const char *path, unsigned flags, hid_t access), (path, flags, access))
INJECT_FAILURE("H5Dset_extent", herr_t, H5Dset_extent, broken(),
               (hid_t array, const hsize_t size[]), (array, size))
INJECT_FAILURE("H5Gcreate2", hid_t, H5Gcreate2, broken(),
               (hid_t file, const char *name, hid_t link, hid_t make, hid_t access),
               (file, name, link, make, access))
INJECT_FAILURE("H5Awrite", herr_t, H5Awrite, broken(),
               (hid_t attribute, hid_t type, const void *x), (attribute, type, x))
INJECT_FAILURE("H5Aread", herr_t, H5Aread, broken(),
               (hid_t attribute, hid_t type, void *x), (attribute, type, x))
INJECT_FAILURE("H5Aopen", hid_t, H5Aopen, broken(),
               (hid_t object, const char *name, hid_t access), (object, name, access))

/* Internal errors: impossible alphas, and weights out of bounds. */
sdca_status __real_sdca_duality_gap_certify(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            const sdca_target *wanted, float *term,
                                            sdca_certificate *out);
sdca_status __wrap_sdca_duality_gap_certify(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            const sdca_target *wanted, float *term,
                                            sdca_certificate *out);

sdca_status __wrap_sdca_duality_gap_certify(MPI_Comm              comm,
                                            const sdca_objective *objective,
                                            const sdca_dataset *data, sdca_point point,
                                            const sdca_target *wanted, float *term,
                                            sdca_certificate *out)
{
    bool wrong = inject_is_due("alpha");

    for (uint32_t i = 0; wrong && i < data->x.count; i++) {
        point.alpha[i * point.alpha_stride] = 1e6 * data->x.row[i].y;
    }
    if (inject_is_due("w")) {
        point.w[0] = 1e160; /* its square overflows */
    }
    if (inject_is_due("nan")) {
        point.w[0] = NAN;
    }
    return __real_sdca_duality_gap_certify(comm, objective, data, point, wanted, term,
                                           out);
}
