/* SPDX-License-Identifier: BSD-3-Clause
 *
 * separator.c - the field separator of a table. */
#include "cli/options/separator.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cli/suffix.h"

static char separator_of_suffix(const char *path)
{
    static const char *const compressed[] = { ".gz", ".xz", ".bz2", ".zst" };
    size_t                   length       = strlen(path);

    for (size_t k = 0; k < sizeof compressed / sizeof compressed[0]; k++) {
        if (has_suffix(path, length, compressed[k])) {
            length -= strlen(compressed[k]);
            break;
        }
    }
    return has_suffix(path, length, ".csv")                                       ? ','
           : has_suffix(path, length, ".tsv") || has_suffix(path, length, ".tab") ? '\t'
                                                                                  : 0;
}

char separator_choose(const char *format, const char *path)
{
    return strcmp(format, "csv") == 0    ? ','
           : strcmp(format, "tsv") == 0  ? '\t'
           : strcmp(format, "auto") == 0 ? separator_of_suffix(path)
                                         : 0;
}

/* A separator cannot be part of a number or a quote. */
sdca_status separator_parse(const char *word, char *out)
{
    bool          tab = strcmp(word, "tab") == 0;
    unsigned char c   = (unsigned char)(tab ? '\t' : word[0]);

    if (!tab &&
        (strlen(word) != 1 || isalnum(c) || c > '~' || strchr("+-.\"\r\n", c) != NULL)) {
        return SDCA_FAIL(
            SDCA_USAGE,
            "--separator expects one character such as ';', or the word tab, "
            "not '%s'",
            word);
    }
    *out = (char)c;
    return SDCA_OK;
}
