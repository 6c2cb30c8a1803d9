/* SPDX-License-Identifier: BSD-3-Clause
 *
 * suffix.h - suffixes of file names. */
#ifndef SDCA_CLI_SUFFIX_H
#define SDCA_CLI_SUFFIX_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Do the first length bytes of a name end with suffix, ignoring case? Local. */
static inline bool has_suffix(const char *name, size_t length, const char *suffix)
{
    size_t suffix_length = strlen(suffix);

    return length >= suffix_length &&
           strncasecmp(name + length - suffix_length, suffix, suffix_length) == 0;
}

#endif
