/* SPDX-License-Identifier: BSD-3-Clause
 *
 * name_match.c - the columns of one data set in another one, by their names. */
#include "data/name_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Bytes of a message for the names of columns. */
enum { LIST_SIZE = 400 };

/* A name of wanted, its number, and the column with that name; -1: none yet. */
typedef struct named_column {
    const char *name;
    int32_t     index;
    int64_t     found;
} named_column;

static int by_name(const void *a, const void *b)
{
    const named_column *first = a, *second = b;

    return strcmp(first->name, second->name);
}

static bool same_order(const sdca_string_list *found, const sdca_string_list *wanted)
{
    for (int64_t j = 0; j < wanted->count; j++) {
        if (j >= found->count || strcmp(found->text[j], wanted->text[j]) != 0) {
            return false;
        }
    }
    return true;
}

static sdca_status fail_twice(const char *path, const char *name)
{
    return SDCA_FAIL(SDCA_DATA,
                     "more than one column of '%s', or of the model, is called "
                     "'%s'",
                     path, sdca_string_escape(name, strlen(name)).text);
}

/* Fail if names were not found, listing the first ones. */
static sdca_status check_found(const char *path, const named_column *sorted,
                               int64_t count, bool zero, int64_t *missing)
{
    char   list[LIST_SIZE + sizeof(sdca_escaped_string) + 16] = "";
    size_t length                                             = 0;

    for (int64_t k = 0; k < count; k++) {
        if (sorted[k].found < 0 && length < LIST_SIZE) {
            length += (size_t)snprintf(
                list + length, sizeof list - length, "%s'%s'", *missing > 0 ? ", " : "",
                sdca_string_escape(sorted[k].name, strlen(sorted[k].name)).text);
        }
        *missing += sorted[k].found < 0;
    }
    return *missing == 0 || zero
               ? SDCA_OK
               : SDCA_FAIL(SDCA_DATA,
                           "'%s' lacks %lld column%s of the model: %s%s; "
                           "--missing-columns zero takes %s as 0",
                           path, (long long)*missing, *missing == 1 ? "" : "s", list,
                           length >= LIST_SIZE ? ", ..." : "",
                           *missing == 1 ? "it" : "them");
}

/* Fill the map, with the names of wanted in sorted order. */
static sdca_status match_names(const char *path, const sdca_string_list *found,
                               named_column *sorted, int64_t count, int32_t *map)
{
    for (int64_t k = 1; k < count; k++) {
        if (strcmp(sorted[k].name, sorted[k - 1].name) == 0) {
            return fail_twice(path, sorted[k].name);
        }
    }
    for (int64_t j = 0; j < found->count; j++) {
        named_column  key = { .name = found->text[j] };
        named_column *at  = bsearch(&key, sorted, (size_t)count, sizeof *at, by_name);

        map[j] = at != NULL ? at->index : -1;
        if (at != NULL && at->found >= 0) {
            return fail_twice(path, at->name);
        }
        if (at != NULL) {
            at->found = j;
        }
    }
    return SDCA_OK;
}

sdca_status sdca_name_match_create(const char *path, const sdca_string_list *found,
                                   const sdca_string_list *wanted, bool zero,
                                   int32_t **map, int64_t *missing)
{
    sdca_status   status = SDCA_OK;
    int64_t       count  = wanted->count;
    named_column *sorted = NULL;

    *map     = NULL;
    *missing = 0;
    if (same_order(found, wanted)) {
        return SDCA_OK;
    }
    sorted = sdca_alloc_array((size_t)count, sizeof *sorted);
    *map   = sdca_alloc_array((size_t)found->count, sizeof **map);
    if (sorted == NULL || *map == NULL) {
        status = SDCA_FAIL(SDCA_MEMORY, "no memory to match %lld columns by name",
                           (long long)count);
        goto done;
    }
    for (int64_t k = 0; k < count; k++) {
        sorted[k] = (named_column){ wanted->text[k], (int32_t)k, -1 };
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_name);
    SDCA_TRY(match_names(path, found, sorted, count, *map));
    SDCA_TRY(check_found(path, sorted, count, zero, missing));

done:
    free(sorted);
    return status;
}
