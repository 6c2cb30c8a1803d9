/* SPDX-License-Identifier: BSD-3-Clause
 *
 * string_list.c - a list of strings: names of columns, categories, labels. */
#include "base/string_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/printable.h"

enum { INITIAL_CAPACITY = 16 };

static char *copy_string(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

sdca_status sdca_string_list_insert(sdca_string_list *list, int64_t position,
                                    const char *text, size_t length)
{
    char *copy = NULL;

    if (list->count == list->capacity) {
        int64_t capacity = list->capacity == 0 ? INITIAL_CAPACITY : 2 * list->capacity;
        char  **grown    = sdca_alloc_resize(list->text, (size_t)capacity, sizeof *grown);

        if (grown == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld names",
                             (long long)capacity);
        }
        list->text     = grown;
        list->capacity = capacity;
    }
    copy = copy_string(text, length);
    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a name of %zu bytes", length);
    }
    memmove(list->text + position + 1, list->text + position,
            (size_t)(list->count - position) * sizeof *list->text);
    list->text[position] = copy;
    list->count++;
    return SDCA_OK;
}

sdca_status sdca_string_list_append(sdca_string_list *list, const char *text,
                                    size_t length)
{
    return sdca_string_list_insert(list, list->count, text, length);
}

/* Compare text[0 .. length - 1] with other; the sign is that of strcmp(). */
static int compare(const char *text, size_t length, const char *other)
{
    size_t width = strlen(other);
    int    order = memcmp(text, other, length < width ? length : width);

    return order != 0 ? order : (length > width) - (length < width);
}

bool sdca_string_list_find(const sdca_string_list *list, const char *text, size_t length,
                           int64_t *position)
{
    int64_t low = 0, high = list->count;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int     order  = compare(text, length, list->text[middle]);

        if (order == 0) {
            *position = middle;
            return true;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *position = low;
    return false;
}

void sdca_string_list_free(sdca_string_list *list)
{
    for (int64_t k = 0; k < list->count; k++) {
        free(list->text[k]);
    }
    free(list->text);
    *list = (sdca_string_list){ 0 };
}

bool sdca_string_is_utf8(const char *text, size_t length)
{
    size_t k = 0, width = 1;

    while (k < length && width > 0) {
        width = sdca_printable_utf8_length(text + k, length - k);
        k += width;
    }
    return k == length;
}

sdca_escaped_string sdca_string_escape(const char *text, size_t length)
{
    sdca_escaped_string escaped = { "" };
    size_t              used = 0, k = 0;

    while (k < length && k < SDCA_ESCAPED_LENGTH) {
        size_t width = sdca_printable_length(text + k, length - k);

        used +=
            (size_t)(width > 0 ? snprintf(escaped.text + used, sizeof escaped.text - used,
                                          "%.*s", (int)width, text + k)
                               : snprintf(escaped.text + used, sizeof escaped.text - used,
                                          "\\x%02x", (unsigned char)text[k]));
        k += width > 0 ? width : 1;
    }
    snprintf(escaped.text + used, sizeof escaped.text - used, "%s",
             k < length ? "..." : "");
    return escaped;
}
