/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ending.h - what the name of a file says of it. */
#ifndef SDCA_ENDING_H
#define SDCA_ENDING_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Do the first length bytes of a name end so, in capitals or not? Local. */
static inline bool ends_in(const char *name, size_t length, const char *ending)
{
    size_t tail = strlen(ending);

    return length >= tail && strncasecmp(name + length - tail, ending, tail) == 0;
}

#endif
