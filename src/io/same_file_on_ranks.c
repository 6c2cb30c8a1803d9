/* SPDX-License-Identifier: BSD-3-Clause
 *
 * same_file_on_ranks.c - check that all ranks have the same file.
 *
 * Hosts may have copies of a file under one name, and one of them may be stale. Sizes
 * and checksums of samples are compared; times and inodes differ between good copies. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "io/hdf5_private.h"
#include "mpi/comm.h"

/* Samples are at equal distances, from the first bytes of the file to the last. A file
 * of up to SAMPLES * SAMPLE_SIZE bytes is read completely: small arrays fill their
 * chunks with zeros, and fewer samples could miss all differences. */
enum { SAMPLES = 64, SAMPLE_SIZE = 1 << 16 };

typedef struct fingerprint {
    int64_t size;
    int64_t checksum; /* of the samples */
} fingerprint;

static sdca_status checksum_samples(FILE *file, const char *path, fingerprint *out)
{
    unsigned char sample[SAMPLE_SIZE];
    int64_t       last     = out->size > SAMPLE_SIZE ? out->size - SAMPLE_SIZE : 0;
    int64_t       gaps     = SAMPLES - 1;
    unsigned long checksum = crc32(0L, Z_NULL, 0);

    for (int64_t k = 0; k <= gaps; k++) {
        int64_t at = last / gaps * k + last % gaps * k / gaps;
        size_t  got;

        if (fseeko(file, (off_t)at, SEEK_SET) == 0) {
            got      = fread(sample, 1, SAMPLE_SIZE, file);
            checksum = crc32(checksum, sample, (uInt)got);
        }
        if (ferror(file) != 0) {
            return SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", path, strerror(errno));
        }
    }
    out->checksum = (int64_t)checksum;
    return SDCA_OK;
}

/* Compute size and checksum of this rank's file. */
static sdca_status compute_fingerprint(const char *path, fingerprint *out)
{
    sdca_status status;
    struct stat info;
    FILE       *file = fopen(path, "rb");

    if (file == NULL || fstat(fileno(file), &info) != 0) {
        status = SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(errno));
    } else {
        out->size = (int64_t)info.st_size;
        status    = checksum_samples(file, path, out);
    }
    if (file != NULL) {
        fclose(file);
    }
    return status;
}

static sdca_status compare(const char *path, int rank, fingerprint mine,
                           fingerprint first)
{
    if (mine.size != first.size) {
        return SDCA_FAIL(SDCA_DATA,
                         "'%s' is not the same file on all ranks: %lld bytes on rank 0, "
                         "%lld on rank %d (a stale copy?)",
                         path, (long long)first.size, (long long)mine.size, rank);
    }
    return mine.checksum == first.checksum
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' is not the same file on all ranks: the contents on "
                           "rank %d differ from those on rank 0 (a stale copy?)",
                           path, rank);
}

/* Rank 0 may have a file that another rank lacks. */
static void append_rank(int rank)
{
    char  *message = sdca_status_buffer();
    size_t used    = strlen(message);

    snprintf(message + used, SDCA_MESSAGE_SIZE - used, " (on rank %d)", rank);
}

sdca_status sdca_same_file_on_ranks_check(MPI_Comm comm, const char *path,
                                          sdca_status status)
{
    fingerprint mine = { 0 }, first;

    status = status == SDCA_OK ? compute_fingerprint(path, &mine) : status;
    if (status != SDCA_OK && sdca_comm_rank(comm) > 0) {
        append_rank(sdca_comm_rank(comm));
    }
    SDCA_TRY(sdca_comm_agree(comm, status));
    first = mine;
    sdca_comm_broadcast(comm, &first, sizeof first);
    status = sdca_comm_agree(comm, compare(path, sdca_comm_rank(comm), mine, first));

done:
    return status;
}
