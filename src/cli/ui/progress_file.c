/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress_file.c - the file of --progress: one JSON object per line, appended during the
 * run. */
#include "cli/ui/progress_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/atomic_file.h"
#include "io/json.h"

/* The start of every line, by which the file is recognised. */
static const char line_prefix[] = "{\"time\": \"";

/* Is the file empty, or does it start like our lines? Also finds its last byte. */
static sdca_status check_format(const char *path, char *last)
{
    char   bytes[sizeof line_prefix - 1];
    FILE  *file        = fopen(path, "rb");
    size_t count       = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
    bool is_recognised = count == sizeof bytes && memcmp(bytes, line_prefix, count) == 0;

    if (file == NULL) {
        return SDCA_FAIL(SDCA_CREATE, "cannot append to '%s': %s", path, strerror(errno));
    }
    *last = '\n';
    if (is_recognised && fseek(file, -1L, SEEK_END) == 0) {
        *last = (char)fgetc(file);
    }
    fclose(file);
    return is_recognised || count == 0
               ? SDCA_OK
               : SDCA_FAIL(SDCA_CREATE,
                           "'%s' is not a file of --progress and is not changed", path);
}

sdca_status progress_file_check(const char *path)
{
    struct stat info;
    char        last;
    bool        exists = path[0] != '\0' && stat(path, &info) == 0;

    if (sdca_atomic_file_is_stdout(path)) {
        return SDCA_OK;
    }
    if (!exists || !S_ISREG(info.st_mode)) {
        return sdca_atomic_file_check_writable(path);
    }
    if (access(path, W_OK) != 0) {
        return SDCA_FAIL(SDCA_CREATE, "cannot append to '%s': %s", path, strerror(errno));
    }
    return check_format(path, &last);
}

/* An incomplete last line of an earlier run is ended. */
static sdca_status open_file(const char *path, int *out)
{
    char        last   = '\n';
    sdca_status status = SDCA_OK;
    int         file   = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);

    if (file < 0) {
        return SDCA_FAIL(SDCA_CREATE, "cannot append to '%s': %s", path, strerror(errno));
    }
    status = check_format(path, &last);
    if (status == SDCA_OK && last != '\n' && write(file, "\n", 1) != 1) {
        status = SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", path, strerror(errno));
    }
    if (status != SDCA_OK) {
        close(file);
        return status;
    }
    *out = file;
    return SDCA_OK;
}

sdca_status progress_file_open(const char *path, progress_file *out)
{
    sdca_status status = SDCA_OK;
    int         file   = -1;

    if (!sdca_atomic_file_is_stdout(path)) {
        SDCA_TRY(open_file(path, &file));
    } else {
        file = dup(STDOUT_FILENO);
        SDCA_TRY(file >= 0 ? SDCA_OK
                           : SDCA_FAIL(SDCA_CREATE, "cannot append to '%s': %s", path,
                                       strerror(errno)));
    }
    *out = (progress_file){ path, file };

done:
    return status;
}

void progress_file_close(progress_file *progress)
{
    if (progress->path != NULL) {
        close(progress->fd);
    }
    *progress = (progress_file){ NULL, 0 };
}

/* The current time in ISO 8601. */
static void format_time(char *text, size_t size)
{
    time_t    now = time(NULL);
    struct tm utc;

    gmtime_r(&now, &utc);
    strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &utc);
}

/* Remove a partial line, which is not possible in a pipe. */
static bool remove_partial_line(int file, off_t bytes)
{
    off_t end = lseek(file, 0, SEEK_END);

    return end >= bytes && ftruncate(file, end - bytes) == 0;
}

sdca_status progress_file_append(const progress_file  *progress,
                                 const progress_entry *entry)
{
    const struct {
        const char *name;
        double      value;
    } number[] = { { "round", entry->round },
                   { "epoch", entry->epoch },
                   { "seconds", entry->seconds },
                   { "primal", entry->primal },
                   { "dual", entry->dual },
                   { "gap", entry->gap },
                   { "rel_gap", entry->rel_gap },
                   { "estimated_gap", entry->estimated_gap },
                   { "target", entry->target },
                   { "test_error", entry->test_error },
                   { "seconds_left", entry->seconds_left } };
    char    timestamp[32], line[1024];
    int     length;
    ssize_t written;

    format_time(timestamp, sizeof timestamp);
    length = snprintf(line, sizeof line, "%s%s\", \"event\": \"%s\", \"status\": \"%s\"",
                      line_prefix, timestamp, entry->event, entry->status);
    for (size_t k = 0; k < sizeof number / sizeof number[0]; k++) {
        length += snprintf(line + length, sizeof line - (size_t)length, ", \"%s\": %s",
                           number[k].name, sdca_json_number(number[k].value).text);
    }
    if (entry->lambda > 0.0) {
        length += snprintf(line + length, sizeof line - (size_t)length,
                           ", \"lambda\": %s", sdca_json_number(entry->lambda).text);
    }
    if (entry->folds > 0) {
        length += snprintf(line + length, sizeof line - (size_t)length,
                           ", \"first_fold\": %d, \"last_fold\": %d, \"folds\": %d",
                           entry->first_fold, entry->last_fold, entry->folds);
    }
    if (entry->classes > 0) {
        length += snprintf(line + length, sizeof line - (size_t)length,
                           ", \"class\": %d, \"classes\": %d", entry->class_index,
                           entry->classes);
    }
    length += snprintf(line + length, sizeof line - (size_t)length, "}\n");
    written = write(progress->fd, line, (size_t)length);
    if (written != length) {
        sdca_status status = SDCA_FAIL(SDCA_IO, "cannot write '%s': %s", progress->path,
                                       strerror(written < 0 ? errno : ENOSPC));

        (void)(written > 0 && remove_partial_line(progress->fd, written));
        return status;
    }
    return SDCA_OK;
}
