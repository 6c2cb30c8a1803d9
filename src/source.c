/* SPDX-License-Identifier: BSD-3-Clause
 *
 * source.c - the bytes of an input, unpacked if need be.
 *
 * The one door to libarchive, of which only the filters and the "raw" format
 * are used: whatever the filters deliver is one unnamed entry. Below it zlib
 * reads the file, and hands on unchanged what gzip has not packed: libarchive's
 * own gzip filter does not look at the checksum (seen with 3.6.2), so that
 * damaged numbers would go unnoticed. */
#include "sdca/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sdca/output.h"

enum { BLOCK_BYTES = 1 << 18 };

struct sdca_source {
    struct archive *archive;
    gzFile          file;
    char           *block; /* what libarchive is given */
    off_t           size;  /* of the file; 0 for what is none */
    bool            ended;
    int             reason; /* error number of the system, if reading failed */
    char            name[]; /* in words */
};

/* The sentence for what libarchive has just complained of. */
static sdca_status fail_reading(sdca_source *source)
{
    const char *why = archive_error_string(source->archive);

    if (archive_errno(source->archive) == ENOMEM) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to unpack %s", source->name);
    }
    if (source->reason != 0) {
        return SDCA_FAIL(SDCA_IO, "cannot read %s: %s", source->name,
                         strerror(source->reason));
    }
    return SDCA_FAIL(SDCA_DATA, "%s: packed, but damaged or cut short: %s", source->name,
                     why != NULL ? why : "its bytes cannot be unpacked");
}

/* Called by libarchive for the next bytes. */
static la_ssize_t read_block(struct archive *archive, void *context, const void **block)
{
    sdca_source *source = context;
    int          count  = gzread(source->file, source->block, BLOCK_BYTES);
    int          code   = Z_OK;
    const char  *why    = "it ends too early";

    gzerror(source->file, &code);
    /* An end amid packed bytes is an error behind the last of them. */
    if (count < 0 || (count == 0 && code != Z_OK && code != Z_STREAM_END)) {
        if (code != Z_BUF_ERROR) {
            why = "its contents do not match their checksum or format";
        }
        source->reason = code == Z_ERRNO ? errno : 0;
        archive_set_error(archive, code == Z_MEM_ERROR ? ENOMEM : -1, "%s", why);
        return -1;
    }
    *block = source->block;
    return count;
}

/* Copy the rest of a file to another. */
static sdca_status copy(int from, int to, const char *path, const char *beside)
{
    char    piece[1 << 16];
    ssize_t count;

    while ((count = read(from, piece, sizeof piece)) != 0) {
        if (count < 0 && errno != EINTR) {
            return SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", path, strerror(errno));
        }
        for (ssize_t done = 0; done < count;) {
            ssize_t part = write(to, piece + done, (size_t)(count - done));

            if (part < 0 && errno != EINTR) {
                return SDCA_FAIL(SDCA_IO, "cannot copy '%s' beside '%s': %s", path,
                                 beside, strerror(errno));
            }
            done += part > 0 ? part : 0;
        }
    }
    return SDCA_OK;
}

/* Put a copy without a name in the place of a file that cannot be read twice. */
static sdca_status spool(const char *path, const char *beside, int *file)
{
    sdca_status status    = SDCA_OK;
    sdca_name   temporary = sdca_output_temporary(beside);
    int         spooled   = -1;

    SDCA_TRY(sdca_output_check_file(beside));
    spooled = sdca_output_create(temporary.text);
    if (spooled < 0) {
        status = SDCA_FAIL(SDCA_CREATE, "cannot copy '%s' beside '%s': %s", path, beside,
                           strerror(errno));
        goto done;
    }
    unlink(temporary.text);
    SDCA_TRY(copy(*file, spooled, path, beside));
    lseek(spooled, 0, SEEK_SET);
    close(*file);
    *file   = spooled;
    spooled = -1; /* now the source's */

done:
    if (spooled >= 0) {
        close(spooled);
    }
    return status;
}

/* Open the file, or a copy of standard input: zlib will close it. */
static sdca_status open_file(const char *path, const char *beside, sdca_source *out)
{
    bool        standard = strcmp(path, "-") == 0;
    int         file  = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat facts = { 0 };

    if (file < 0) {
        return SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(errno));
    }
    if (fstat(file, &facts) == 0 && S_ISDIR(facts.st_mode)) {
        close(file);
        return SDCA_FAIL(SDCA_MISSING, "'%s' is a directory, not a file", path);
    }
    if (beside != NULL && lseek(file, 0, SEEK_CUR) < 0) {
        sdca_status status = spool(path, beside, &file);

        if (status != SDCA_OK) {
            close(file);
            return status;
        }
    }
    out->size = S_ISREG(facts.st_mode) ? facts.st_size : 0;
    out->file = gzdopen(file, "rb");
    if (out->file == NULL) {
        close(file);
        return SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
    }
    gzbuffer(out->file, BLOCK_BYTES / 2);
    return SDCA_OK;
}

static sdca_status open_archive(sdca_source *source)
{
    struct archive_entry *entry = NULL;
    int                   result;

    source->archive = archive_read_new();
    if (source->archive == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", source->name);
    }
    /* These return a warning where libarchive would call a program to unpack;
     * should that program be missing, reading says so. */
    archive_read_support_filter_bzip2(source->archive);
    archive_read_support_filter_xz(source->archive);
    archive_read_support_filter_zstd(source->archive);
    archive_read_support_format_raw(source->archive);
    archive_read_support_format_empty(source->archive);
    result = archive_read_open(source->archive, source, NULL, read_block, NULL);
    if (result == ARCHIVE_OK) {
        result = archive_read_next_header(source->archive, &entry);
    }
    source->ended = result == ARCHIVE_EOF;
    return result == ARCHIVE_OK || source->ended ? SDCA_OK : fail_reading(source);
}

sdca_status sdca_source_open_twice(const char *path, const char *beside,
                                   sdca_source **out)
{
    const char  *name   = strcmp(path, "-") == 0 ? "standard input" : path;
    sdca_source *source = calloc(1, sizeof *source + strlen(name) + 1);
    sdca_status  status = SDCA_OK;

    if (source != NULL) {
        strcpy(source->name, name);
        source->block = malloc(BLOCK_BYTES);
    }
    if (source == NULL || source->block == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
        goto done;
    }
    SDCA_TRY(open_file(path, beside, source));
    SDCA_TRY(open_archive(source));

    *out   = source;
    source = NULL; /* now the caller's */

done:
    sdca_source_close(source);
    return status;
}

sdca_status sdca_source_open(const char *path, sdca_source **out)
{
    return sdca_source_open_twice(path, NULL, out);
}

sdca_status sdca_source_rewind(sdca_source *source)
{
    archive_read_free(source->archive);
    source->archive = NULL;
    if (gzrewind(source->file) != 0) {
        return SDCA_FAIL(SDCA_IO, "cannot read %s a second time", source->name);
    }
    return open_archive(source);
}

sdca_status sdca_source_read(sdca_source *source, const char **block, size_t *length)
{
    const void *bytes  = NULL;
    size_t      count  = 0;
    la_int64_t  offset = 0;

    /* A block may be empty without being the last one. */
    while (!source->ended && count == 0) {
        int result = archive_read_data_block(source->archive, &bytes, &count, &offset);

        if (result == ARCHIVE_EOF) {
            source->ended = true;
            count         = 0;
        } else if (result != ARCHIVE_OK) {
            return fail_reading(source);
        }
    }
    *block  = bytes;
    *length = count;
    return SDCA_OK;
}

double sdca_source_share(const sdca_source *source)
{
    double read = (double)gzoffset(source->file);

    return source->size > 0 ? fmin(1.0, fmax(0.0, read / (double)source->size)) : NAN;
}

void sdca_source_close(sdca_source *source)
{
    if (source == NULL) {
        return;
    }
    archive_read_free(source->archive);
    if (source->file != NULL) {
        gzclose_r(source->file);
    }
    free(source->block);
    free(source);
}

const char *sdca_source_name(const sdca_source *source)
{
    return source->name;
}

const char *sdca_source_library(void)
{
    return archive_version_details();
}
