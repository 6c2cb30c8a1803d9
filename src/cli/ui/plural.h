/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plural.h - "1 row", but "2 rows". */
#ifndef SDCA_CLI_UI_PLURAL_H
#define SDCA_CLI_UI_PLURAL_H

/* The plural ending of a word for count things. Local. */
static inline const char *plural(double count)
{
    return count == 1.0 ? "" : "s";
}

#endif
