/* SPDX-License-Identifier: BSD-3-Clause
 *
 * texts.c - a list of texts: names of columns, categories, labels. */
#include "sdca/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sdca/memory.h"
#include "sdca/plain.h"

enum { FIRST_ROOM = 16 };

static char *copy_of(const char *text, size_t length)
{
    char *copy = malloc(length + 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

sdca_status sdca_texts_insert(sdca_texts *texts, int64_t place, const char *text,
                              size_t length)
{
    char *copy = NULL;

    if (texts->count == texts->room) {
        int64_t room = texts->room == 0 ? FIRST_ROOM : 2 * texts->room;
        char  **more = sdca_memory_grow(texts->text, (size_t)room, sizeof *more);

        if (more == NULL) {
            return SDCA_FAIL(SDCA_MEMORY, "no memory for %lld names", (long long)room);
        }
        texts->text = more;
        texts->room = room;
    }
    copy = copy_of(text, length);
    if (copy == NULL) {
        return SDCA_FAIL(SDCA_MEMORY, "no memory for a name of %zu bytes", length);
    }
    memmove(texts->text + place + 1, texts->text + place,
            (size_t)(texts->count - place) * sizeof *texts->text);
    texts->text[place] = copy;
    texts->count++;
    return SDCA_OK;
}

sdca_status sdca_texts_append(sdca_texts *texts, const char *text, size_t length)
{
    return sdca_texts_insert(texts, texts->count, text, length);
}

/* Below, equal or above 0 as text[0 .. length - 1] is below, equal or above other. */
static int compare(const char *text, size_t length, const char *other)
{
    size_t width = strlen(other);
    int    order = memcmp(text, other, length < width ? length : width);

    return order != 0 ? order : (length > width) - (length < width);
}

bool sdca_texts_find(const sdca_texts *texts, const char *text, size_t length,
                     int64_t *place)
{
    int64_t low = 0, high = texts->count;

    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int     order  = compare(text, length, texts->text[middle]);

        if (order == 0) {
            *place = middle;
            return true;
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *place = low;
    return false;
}

void sdca_texts_free(sdca_texts *texts)
{
    for (int64_t k = 0; k < texts->count; k++) {
        free(texts->text[k]);
    }
    free(texts->text);
    *texts = (sdca_texts){ 0 };
}

bool sdca_texts_is_utf8(const char *text, size_t length)
{
    size_t k = 0, width = 1;

    while (k < length && width > 0) {
        width = sdca_plain_character(text + k, length - k);
        k += width;
    }
    return k == length;
}

sdca_shown sdca_texts_show(const char *text, size_t length)
{
    sdca_shown shown = { "" };
    size_t     used = 0, k = 0;

    while (k < length && k < SDCA_SHOWN) {
        size_t width = sdca_plain_visible(text + k, length - k);

        used += (size_t)(width > 0 ? snprintf(shown.text + used, sizeof shown.text - used,
                                              "%.*s", (int)width, text + k)
                                   : snprintf(shown.text + used, sizeof shown.text - used,
                                              "\\x%02x", (unsigned char)text[k]));
        k += width > 0 ? width : 1;
    }
    snprintf(shown.text + used, sizeof shown.text - used, "%s", k < length ? "..." : "");
    return shown;
}
