/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint_names.c - the names of the files of a checkpoint. */
#include "io/checkpoint_names.h"

#include <dirent.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/checkpoint_lock.h"
#include "io/hdf5_checksum.h"

/* Suffixes of the files of a checkpoint; those of older generations are numbers. */
#define OLD_SUFFIX ".old"
#define TEMP_TAG "checkpoint-"

sdca_path sdca_checkpoint_names_old_path(const char *path)
{
    return sdca_atomic_file_with_suffix(path, OLD_SUFFIX);
}

sdca_path sdca_checkpoint_names_temp_path(const char *path)
{
    return sdca_atomic_file_tagged_temp_path(path, TEMP_TAG);
}

sdca_status sdca_checkpoint_names_check_replaceable(const char *path, int oldest)
{
    sdca_status status = SDCA_OK;

    for (int k = 0; k <= oldest; k++) {
        SDCA_TRY(
            sdca_checksum_check_replaceable(sdca_atomic_file_generation(path, k).text));
    }

done:
    return status;
}

/* ".1" to ".99"? */
static bool is_generation(const char *suffix)
{
    size_t digits = suffix[0] == '.' ? strspn(suffix + 1, "0123456789") : 0;

    return digits > 0 && digits < 3 && suffix[1 + digits] == '\0' && suffix[1] != '0' &&
           atoi(suffix + 1) <= SDCA_CHECKSUM_MAX_GENERATIONS;
}

/* Whether this is the suffix of one of our temporary names. */
static bool is_temporary(const char *suffix)
{
    static const char begin[] = SDCA_ATOMIC_FILE_TEMP_INFIX TEMP_TAG;
    const char                                             *pid, *number;

    if (strncmp(suffix, begin, sizeof begin - 1) != 0) {
        return false;
    }
    pid    = suffix + sizeof begin - 1;
    number = pid + strspn(pid, "0123456789");
    return number > pid && *number == '-' &&
           strspn(number + 1, "0123456789abcdef") == 8 && strcmp(number + 9, ".tmp") == 0;
}

bool sdca_checkpoint_names_contain_generation(const char *path, const char *other)
{
    sdca_path suffix;

    return sdca_atomic_file_match_suffix(path, other, &suffix) &&
           (suffix.text[0] == '\0' || strcmp(suffix.text, OLD_SUFFIX) == 0 ||
            is_generation(suffix.text));
}

bool sdca_checkpoint_names_contain(const char *path, const char *other)
{
    sdca_path suffix;

    return sdca_checkpoint_names_contain_generation(path, other) ||
           (sdca_atomic_file_match_suffix(path, other, &suffix) &&
            (strcmp(suffix.text, SDCA_CHECKPOINT_LOCK_SUFFIX) == 0 ||
             is_temporary(suffix.text)));
}

int sdca_checkpoint_names_remove_temps(const char *path)
{
    sdca_path      target = sdca_atomic_file_generation(path, 0), copy = target;
    const char    *slash     = strrchr(target.text, '/');
    const char    *base      = slash != NULL ? slash + 1 : target.text;
    size_t         length    = strlen(base);
    DIR           *directory = opendir(dirname(copy.text));
    struct dirent *entry     = NULL;
    int            count     = 0;

    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        const char *suffix = entry->d_name + length;
        struct stat info;
        sdca_path   name;

        if (strncmp(entry->d_name, base, length) == 0 && is_temporary(suffix)) {
            name = sdca_atomic_file_with_suffix(target.text, suffix);
            count += lstat(name.text, &info) == 0 && S_ISREG(info.st_mode) &&
                     unlink(name.text) == 0;
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}
