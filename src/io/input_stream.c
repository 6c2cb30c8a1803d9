/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input_stream.c - the decompressed bytes of an input.
 *
 * The only user of libarchive, of which only the filters and the "raw" format are used:
 * the output of the filters is one unnamed entry. Below it zlib reads the file, and
 * passes on unchanged what is not gzip: the gzip filter of libarchive does not verify
 * the checksum (as of 3.6.2), so that damaged numbers would go unnoticed. */
#include "io/input_stream.h"

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

#include "io/atomic_file.h"

enum { BLOCK_BYTES = 1 << 18 };

struct sdca_input_stream {
    struct archive *archive;
    gzFile          file;
    char           *block; /* the buffer passed to libarchive */
    off_t           size;  /* size of the file; 0 if it is not a file */
    bool            at_eof;
    int             error_number; /* errno, if reading failed */
    char            name[];       /* its message */
};

/* Fail with the error of libarchive. */
static sdca_status fail_read(sdca_input_stream *stream)
{
    const char *why = archive_error_string(stream->archive);

    if (archive_errno(stream->archive) == ENOMEM) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to decompress %s", stream->name);
    }
    if (stream->error_number != 0) {
        return SDCA_FAIL(SDCA_IO, "cannot read %s: %s", stream->name,
                         strerror(stream->error_number));
    }
    return SDCA_FAIL(SDCA_DATA, "%s: compressed, but damaged or truncated: %s",
                     stream->name, why != NULL ? why : "its bytes cannot be unpacked");
}

/* Called by libarchive for the next bytes. */
static la_ssize_t read_block(struct archive *archive, void *context, const void **block)
{
    sdca_input_stream *stream = context;
    int                count  = gzread(stream->file, stream->block, BLOCK_BYTES);
    int                code   = Z_OK;
    const char        *why    = "it ends too early";

    gzerror(stream->file, &code);
    /* A truncated gzip stream is an error after its last bytes. */
    if (count < 0 || (count == 0 && code != Z_OK && code != Z_STREAM_END)) {
        if (code != Z_BUF_ERROR) {
            why = "its contents do not match their checksum or format";
        }
        stream->error_number = code == Z_ERRNO ? errno : 0;
        archive_set_error(archive, code == Z_MEM_ERROR ? ENOMEM : -1, "%s", why);
        return -1;
    }
    *block = stream->block;
    return count;
}

/* Copy the rest of a file to another. */
static sdca_status copy_bytes(int from, int to, const char *path, const char *spool_path)
{
    char    buffer[1 << 16];
    ssize_t count;

    while ((count = read(from, buffer, sizeof buffer)) != 0) {
        if (count < 0 && errno != EINTR) {
            return SDCA_FAIL(SDCA_IO, "cannot read '%s': %s", path, strerror(errno));
        }
        for (ssize_t done = 0; done < count;) {
            ssize_t part = write(to, buffer + done, (size_t)(count - done));

            if (part < 0 && errno != EINTR) {
                return SDCA_FAIL(SDCA_IO, "cannot copy '%s' beside '%s': %s", path,
                                 spool_path, strerror(errno));
            }
            done += part > 0 ? part : 0;
        }
    }
    return SDCA_OK;
}

/* Replace a file that cannot be read twice by an unnamed copy. */
static sdca_status spool(const char *path, const char *spool_path, int *file)
{
    sdca_status status    = SDCA_OK;
    sdca_path   temporary = sdca_atomic_file_temp_path(spool_path);
    int         spooled   = -1;

    SDCA_TRY(sdca_atomic_file_check_regular(spool_path));
    spooled = sdca_atomic_file_create_exclusive(temporary.text);
    if (spooled < 0) {
        status = SDCA_FAIL(SDCA_CREATE, "cannot copy '%s' beside '%s': %s", path,
                           spool_path, strerror(errno));
        goto done;
    }
    unlink(temporary.text);
    SDCA_TRY(copy_bytes(*file, spooled, path, spool_path));
    lseek(spooled, 0, SEEK_SET);
    close(*file);
    *file   = spooled;
    spooled = -1; /* now the stream's */

done:
    if (spooled >= 0) {
        close(spooled);
    }
    return status;
}

/* Open the file, or a duplicate of standard input; zlib will close it. */
static sdca_status open_file(const char *path, const char *spool_path,
                             sdca_input_stream *out)
{
    bool        standard = strcmp(path, "-") == 0;
    int         file = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    struct stat info = { 0 };

    if (file < 0) {
        return SDCA_FAIL(SDCA_MISSING, "cannot open '%s': %s", path, strerror(errno));
    }
    if (fstat(file, &info) == 0 && S_ISDIR(info.st_mode)) {
        close(file);
        return SDCA_FAIL(SDCA_MISSING, "'%s' is a directory, not a file", path);
    }
    if (spool_path != NULL && lseek(file, 0, SEEK_CUR) < 0) {
        sdca_status status = spool(path, spool_path, &file);

        if (status != SDCA_OK) {
            close(file);
            return status;
        }
    }
    out->size = S_ISREG(info.st_mode) ? info.st_size : 0;
    out->file = gzdopen(file, "rb");
    if (out->file == NULL) {
        close(file);
        return SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
    }
    gzbuffer(out->file, BLOCK_BYTES / 2);
    return SDCA_OK;
}

static sdca_status open_archive(sdca_input_stream *stream)
{
    struct archive_entry *entry = NULL;
    int                   result;

    stream->archive = archive_read_new();
    if (stream->archive == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory to read %s", stream->name);
    }
    /* These return a warning if libarchive would call a program to decompress; if that
     * program is missing, reading reports it. */
    archive_read_support_filter_bzip2(stream->archive);
    archive_read_support_filter_xz(stream->archive);
    archive_read_support_filter_zstd(stream->archive);
    archive_read_support_format_raw(stream->archive);
    archive_read_support_format_empty(stream->archive);
    result = archive_read_open(stream->archive, stream, NULL, read_block, NULL);
    if (result == ARCHIVE_OK) {
        result = archive_read_next_header(stream->archive, &entry);
    }
    stream->at_eof = result == ARCHIVE_EOF;
    return result == ARCHIVE_OK || stream->at_eof ? SDCA_OK : fail_read(stream);
}

sdca_status sdca_input_stream_open_rewindable(const char *path, const char *spool_path,
                                              sdca_input_stream **out)
{
    const char        *name   = strcmp(path, "-") == 0 ? "standard input" : path;
    sdca_input_stream *stream = calloc(1, sizeof *stream + strlen(name) + 1);
    sdca_status        status = SDCA_OK;

    if (stream != NULL) {
        strcpy(stream->name, name);
        stream->block = malloc(BLOCK_BYTES);
    }
    if (stream == NULL || stream->block == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to open '%s'", path);
        goto done;
    }
    SDCA_TRY(open_file(path, spool_path, stream));
    SDCA_TRY(open_archive(stream));

    *out   = stream;
    stream = NULL; /* now the caller's */

done:
    sdca_input_stream_close(stream);
    return status;
}

sdca_status sdca_input_stream_open(const char *path, sdca_input_stream **out)
{
    return sdca_input_stream_open_rewindable(path, NULL, out);
}

sdca_status sdca_input_stream_rewind(sdca_input_stream *stream)
{
    archive_read_free(stream->archive);
    stream->archive = NULL;
    if (gzrewind(stream->file) != 0) {
        return SDCA_FAIL(SDCA_IO, "cannot read %s a second time", stream->name);
    }
    return open_archive(stream);
}

sdca_status sdca_input_stream_read(sdca_input_stream *stream, const char **block,
                                   size_t *length)
{
    const void *bytes  = NULL;
    size_t      count  = 0;
    la_int64_t  offset = 0;

    /* A block may be empty without being the last. */
    while (!stream->at_eof && count == 0) {
        int result = archive_read_data_block(stream->archive, &bytes, &count, &offset);

        if (result == ARCHIVE_EOF) {
            stream->at_eof = true;
            count          = 0;
        } else if (result != ARCHIVE_OK) {
            return fail_read(stream);
        }
    }
    *block  = bytes;
    *length = count;
    return SDCA_OK;
}

double sdca_input_stream_fraction_read(const sdca_input_stream *stream)
{
    double read = (double)gzoffset(stream->file);

    return stream->size > 0 ? fmin(1.0, fmax(0.0, read / (double)stream->size)) : NAN;
}

void sdca_input_stream_close(sdca_input_stream *stream)
{
    if (stream == NULL) {
        return;
    }
    archive_read_free(stream->archive);
    if (stream->file != NULL) {
        gzclose_r(stream->file);
    }
    free(stream->block);
    free(stream);
}

const char *sdca_input_stream_name(const sdca_input_stream *stream)
{
    return stream->name;
}

const char *sdca_input_stream_library_version(void)
{
    return archive_version_details();
}
