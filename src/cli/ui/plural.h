/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plural.h - "1 row", but "2 rows". */
#ifndef SDCA_CLI_UI_PLURAL_H
#define SDCA_CLI_UI_PLURAL_H

/* What stands behind a word of which there are so many. */
static inline const char *plural(double count)
{
    return count == 1.0 ? "" : "s";
}

#endif
