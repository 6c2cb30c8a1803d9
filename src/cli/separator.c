/* SPDX-License-Identifier: BSD-3-Clause
 *
 * separator.c - what parts the fields of a table. */
#include "separator.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "ending.h"

static char guess(const char *path)
{
    static const char *const packed[] = { ".gz", ".xz", ".bz2", ".zst" };
    size_t                   length   = strlen(path);

    for (size_t k = 0; k < sizeof packed / sizeof packed[0]; k++) {
        if (ends_in(path, length, packed[k])) {
            length -= strlen(packed[k]);
            break;
        }
    }
    return ends_in(path, length, ".csv")                                    ? ','
           : ends_in(path, length, ".tsv") || ends_in(path, length, ".tab") ? '\t'
                                                                            : 0;
}

char separator_choose(const char *format, const char *path)
{
    return strcmp(format, "csv") == 0    ? ','
           : strcmp(format, "tsv") == 0  ? '\t'
           : strcmp(format, "auto") == 0 ? guess(path)
                                         : 0;
}

/* What parts fields cannot be part of a number or a quote. */
sdca_status separator_read(const char *word, char *out)
{
    bool          tab = strcmp(word, "tab") == 0;
    unsigned char c   = (unsigned char)(tab ? '\t' : word[0]);

    if (!tab &&
        (strlen(word) != 1 || isalnum(c) || c > '~' || strchr("+-.\"\r\n", c) != NULL)) {
        return SDCA_FAIL(SDCA_USAGE,
                         "--separator wants one character such as ';', or the word tab, "
                         "not '%s'",
                         word);
    }
    *out = (char)c;
    return SDCA_OK;
}
