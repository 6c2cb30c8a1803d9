/* SPDX-License-Identifier: BSD-3-Clause
 *
 * name_match.h - the columns of one data set in another one, by their names. */
#ifndef SDCA_DATA_NAME_MATCH_H
#define SDCA_DATA_NAME_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/string_list.h"

/* Find each name of found among those of wanted: (*map)[j] is its number there, or -1.
 * *map is NULL if the columns are the same and in the same order, apart from further ones
 * at the end of found. A name of wanted that is not found is a failure that names it,
 * unless zero is true; *missing is the number of these. So is a name of wanted that
 * occurs twice in one of the lists. path is that of the file of found, for messages.
 * Local. *map is freed by the caller. */
sdca_status sdca_name_match_create(const char *path, const sdca_string_list *found,
                                   const sdca_string_list *wanted, bool zero,
                                   int32_t **map, int64_t *missing);

#endif
